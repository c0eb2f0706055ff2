import { useSyncExternalStore } from 'react'
import { createSignal } from './signal.ts'

/* The number of unread notices, which every screen shows; the code that counts them is loaded later. */

let unread = 0
const changed = createSignal()

export function setUnreadNotices(count: number): void {
  if (unread === count) return
  unread = count
  changed.tell()
}

export const useUnreadNotices = (): number => useSyncExternalStore(changed.listen, () => unread)
