import { useEffect, useEffectEvent } from 'react'
import { readTableSettings, writeTableSettings } from '#web/platform/storage.ts'

export const areShortcutsOff = (): boolean => readTableSettings()['areShortcutsOff'] === true

export function setShortcutsOff(isOff: boolean): void {
  writeTableSettings({ ...readTableSettings(), areShortcutsOff: isOff })
}

/** Returns true for an element that takes typed keys as its input. Shortcuts must not act on these keys. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
}

/** Returns true while a dialog or menu is open. */
export const isCovered = () => document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null

export function useKeyDown(act: (event: KeyboardEvent) => void): void {
  const handle = useEffectEvent(act)
  useEffect(() => {
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}

export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

/**
 * Calls the function of a pressed key. Does nothing while the user types or holds Ctrl, Alt or Meta, or if the user has
 * switched shortcuts off (WCAG 2.1.4). By default, shortcuts work only while no dialog or menu is open; with
 * `isInDialog`, only while one is open.
 */
export function useShortcuts(
  shortcuts: Shortcuts,
  { isInDialog = false }: { readonly isInDialog?: boolean } = {},
): void {
  useKeyDown((event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && !event.defaultPrevented
    if (!isPlain || areShortcutsOff() || isTyping(event.target) || isCovered() !== isInDialog) return
    shortcuts[event.key]?.(event)
  })
}

const rowSelector = '[data-row-id]'

export const focusedRowId = (list: HTMLElement | null): string | undefined => {
  const row = document.activeElement?.closest<HTMLElement>(rowSelector)
  return row !== null && row !== undefined && list?.contains(row) === true ? row.dataset['rowId'] : undefined
}

export function focusRow(id: string): void {
  const row = [...document.querySelectorAll<HTMLElement>(rowSelector)].find((one) => one.dataset['rowId'] === id)
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/**
 * Focuses the row after (`step` 1) or before (`step` -1) the row `fromId`, or the first row if no row has this id.
 * Returns false if the row `fromId` is the last one in this direction.
 */
export function moveToRow(list: HTMLElement | null, fromId: string | undefined, step: 1 | -1): boolean {
  const rows = [...(list?.querySelectorAll<HTMLElement>(rowSelector) ?? [])]
  const at = rows.findIndex((row) => row.dataset['rowId'] === fromId)
  const target = rows[at === -1 ? 0 : at + step]
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'nearest' })
  return target !== undefined || rows.length === 0
}
