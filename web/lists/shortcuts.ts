import { useEffect, useEffectEvent } from 'react'
import { areShortcutsOff } from './table-settings.ts'

/** True for an element that accepts text: a shortcut must never swallow typed characters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
}

/** True while a dialog or menu is open: it may hold typed text, so keys must not act on the list behind it. */
export const isCovered = () => document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null

export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

/**
 * Single keys as commands, for users who work through a list by keyboard. They are inactive while the user types, while
 * a dialog or menu covers the list, with any modifier key, and when they are switched off (WCAG 2.1.4).
 * @param isInDialog for those of a dialog itself, which work while it is open
 */
export function useShortcuts(
  shortcuts: Shortcuts,
  { isInDialog = false }: { readonly isInDialog?: boolean } = {},
): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && !event.defaultPrevented
    if (!isPlain || areShortcutsOff() || isTyping(event.target) || isCovered() !== isInDialog) return
    shortcuts[event.key]?.(event)
  })
  useEffect(() => {
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}

const rowSelector = '[data-row-id]'

/** The id of the row that has the focus, or that contains the focused element. */
export const focusedRowId = (list: HTMLElement | null): string | undefined => {
  const row = document.activeElement?.closest<HTMLElement>(rowSelector)
  return row !== null && row !== undefined && list?.contains(row) === true ? row.dataset['rowId'] : undefined
}

/** Moves the focus to the row with this id, if it is on screen. */
export function focusRow(id: string): void {
  const row = [...document.querySelectorAll<HTMLElement>(rowSelector)].find((one) => one.dataset['rowId'] === id)
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/**
 * Moves the focus to the row after or before this one; to the first row without one.
 * @returns false at that end of the rows
 */
export function moveToRow(list: HTMLElement | null, fromId: string | undefined, step: 1 | -1): boolean {
  const rows = [...(list?.querySelectorAll<HTMLElement>(rowSelector) ?? [])]
  const at = rows.findIndex((row) => row.dataset['rowId'] === fromId)
  const target = rows[at === -1 ? 0 : at + step]
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'nearest' })
  return target !== undefined || rows.length === 0
}
