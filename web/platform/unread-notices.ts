import { useSyncExternalStore } from 'react'
import { createSignal } from './signal.ts'

/*
 * The number of unread notices. It is in a file of its own, because every screen shows the bell, while the code that
 * counts the notices is loaded later.
 */

let unread = 0
const changed = createSignal()

export function setUnreadNotices(count: number): void {
  if (unread === count) return
  unread = count
  changed.tell()
}

export const useUnreadNotices = (): number => useSyncExternalStore(changed.listen, () => unread)
