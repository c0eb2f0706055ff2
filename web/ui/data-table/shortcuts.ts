import { useEffect, useEffectEvent } from 'react'
import { areShortcutsOff } from './table-settings.ts'

/** True where keys type text: a shortcut must never swallow what somebody types. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
}

/** A dialog or menu is open: the list behind it is not to be acted on. */
const isCovered = () => document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null

export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

/**
 * Single keys as commands, for whoever works through a list by keyboard. They do nothing while somebody types, while
 * something covers the list, with any modifier key, and when they were switched off (WCAG 2.1.4).
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && !event.defaultPrevented
    if (!isPlain || areShortcutsOff() || isTyping(event.target) || isCovered()) return
    shortcuts[event.key]?.(event)
  })
  useEffect(() => {
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}

const rowSelector = '[data-row-id]'

/** The row that has the focus, or something inside it. */
export const focusedRowId = (list: HTMLElement | null): string | undefined => {
  const row = document.activeElement?.closest<HTMLElement>(rowSelector)
  return row !== null && row !== undefined && list?.contains(row) === true ? row.dataset['rowId'] : undefined
}

/** Moves the focus to the next or the previous row; to the first one where none has it. */
export function moveToRow(list: HTMLElement | null, step: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>(rowSelector) ?? [])]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const target = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'nearest' })
}
