import { useSyncExternalStore } from 'react'
import { createSignal } from './signal.ts'

let unread = 0
const changed = createSignal()

export function setUnreadNotices(count: number): void {
  if (unread === count) return
  unread = count
  changed.tell()
}

export const useUnreadNotices = (): number => useSyncExternalStore(changed.listen, () => unread)
