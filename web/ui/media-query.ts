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

/** Returns true from 768 px (spec §9). For components whose structure, not only style, differs on wider screens. */
export const useIsWide = fromWidth(768)

export const useIsRoomy = fromWidth(1024)
