import { useSyncExternalStore } from 'react'
import { createSignal } from './signal.ts'

/*
 * How many notices are unread: the bell shows it on every screen, and its counting is loaded later. Hence apart from
 * both.
 */

let unread = 0
const changed = createSignal()

export function setUnreadNotices(count: number): void {
  if (unread === count) return
  unread = count
  changed.tell()
}

/** 0 while unknown. */
export const useUnreadNotices = (): number => useSyncExternalStore(changed.listen, () => unread)
