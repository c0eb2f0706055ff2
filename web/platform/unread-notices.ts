import { useSyncExternalStore } from 'react'
import { createSignal } from './signal.ts'

/* Keeps the number of unread notices, which the bells show. The code that counts the notices is loaded later. */

let unread = 0
const changed = createSignal()

export function setUnreadNotices(count: number): void {
  if (unread === count) return
  unread = count
  changed.tell()
}

export const useUnreadNotices = (): number => useSyncExternalStore(changed.listen, () => unread)
