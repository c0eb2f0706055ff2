import { useSyncExternalStore } from 'react'

const asked = () => globalThis.matchMedia('(prefers-reduced-motion: reduce)')

function subscribe(listener: () => void): () => void {
  const query = asked()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the device asks for less motion. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, () => asked().matches)
}
