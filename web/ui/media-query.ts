import { useSyncExternalStore } from 'react'

function fromWidth(px: number): () => boolean {
  const media = () => globalThis.matchMedia(`(min-width: ${px}px)`)
  const subscribe = (listener: () => void): (() => void) => {
    const query = media()
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => media().matches)
}

/**
 * Returns whether the window is at least 768 px wide (spec §9). For components that need another structure on wider
 * screens, not only another style.
 */
export const useIsWide = fromWidth(768)

export const useIsRoomy = fromWidth(1024)
