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

/** Returns true if the window is 768 px or wider (spec §9.3). Use it for differences that CSS alone can't make. */
export const useIsWide = fromWidth(768)

export const useIsRoomy = fromWidth(1024)
