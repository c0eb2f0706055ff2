import { useCallback, useEffect, useState } from 'react'

export type LazyPart<Part> = {
  /** Undefined until its code is there. */
  readonly part: Part | undefined
  readonly hasFailed: boolean
  readonly retry: () => void
}

/**
 * A part of the page whose code is fetched when it is wanted. Unlike React's own lazy components a failed fetch breaks
 * nothing: it is tried again when asked for, and when the network comes back.
 * @param load always the same function
 */
export function useLazyPart<Part extends object>(load: () => Promise<Part>, isWanted = true): LazyPart<Part> {
  const [part, setPart] = useState<Part>()
  const [hasFailed, setHasFailed] = useState(false)
  const fetchPart = useCallback(() => {
    load().then(
      (loaded) => {
        setPart(loaded)
        setHasFailed(false)
      },
      () => setHasFailed(true),
    )
  }, [load])

  const isMissing = isWanted && part === undefined
  useEffect(() => {
    if (isMissing) fetchPart()
  }, [isMissing, fetchPart])
  useEffect(() => {
    if (!hasFailed) return
    globalThis.addEventListener('online', fetchPart)
    return () => globalThis.removeEventListener('online', fetchPart)
  }, [hasFailed, fetchPart])
  return { part, hasFailed, retry: fetchPart }
}
