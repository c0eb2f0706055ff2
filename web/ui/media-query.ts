import { useSyncExternalStore } from 'react'

/** A hook that says whether the window is at least so wide. */
function fromWidth(px: number): () => boolean {
  const media = () => globalThis.matchMedia(`(min-width: ${px}px)`)
  const subscribe = (listener: () => void): (() => void) => {
    const query = media()
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => media().matches)
}

/** Whether the window is at least 768 px wide (spec §9), for components whose structure differs and not only their style. */
export const useIsWide = fromWidth(768)

/** Whether a table has room for every column that it shows. */
export const useIsRoomy = fromWidth(1024)
