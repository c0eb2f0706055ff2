import { useSyncExternalStore } from 'react'

/*
 * How many notices are unread: the bell shows it on every screen, and its counting is loaded later. Hence apart from
 * both.
 */

let unread = 0
const listeners = new Set<() => void>()

export function setUnreadNotices(count: number): void {
  if (unread === count) return
  unread = count
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** 0 while unknown. */
export const useUnreadNotices = (): number => useSyncExternalStore(subscribe, () => unread)
