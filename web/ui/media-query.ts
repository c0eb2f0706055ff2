import { useSyncExternalStore } from 'react'

/** Mobile is below this (spec §9). */
const wide = () => globalThis.matchMedia('(min-width: 768px)')

function subscribe(listener: () => void): () => void {
  const query = wide()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is at least 768 px wide, for components whose structure differs and not only their style. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide().matches)
}
