import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { readReach } from './online.ts'
import { pause } from './pause.ts'
import { createSignal } from './signal.ts'

export const afterLoad = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve()
    else globalThis.addEventListener('load', () => resolve(), { once: true })
  })

export const afterPause =
  <Part>(pauseMs: number, load: () => Promise<Part>) =>
  async (): Promise<Part> => {
    await afterLoad()
    await pause(pauseMs)
    return load()
  }

const picture = new Promise<void>((resolve) => {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes('paint')) return resolve()
  const observer = new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length === 0) return
    observer.disconnect()
    resolve()
  })
  observer.observe({ type: 'paint', buffered: true })
})

/** Resolves after the first contentful paint, but after at most 500 ms; at once if the browser reports no paints. */
export const firstPicture = (): Promise<void> => Promise.race([picture, pause(500)])

const idleMoment = (): Promise<void> =>
  new Promise((resolve) => {
    const done = () => resolve()
    // A hidden page gets no animation frame, so resolve after 500 ms anyway.
    setTimeout(done, 500)
    requestAnimationFrame(() => {
      // Safari has no `requestIdleCallback`.
      if (typeof requestIdleCallback === 'function') requestIdleCallback(done)
      else setTimeout(done, 50)
    })
  })

/** A task of `inTurn` delays the next one for at most this time, so that a slow fetch does not stop all others. */
const turnMs = 1_000

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Runs `work` after the first paint, in an idle moment, and after the previous task of this function (see `turnMs`). If
 * these tasks ran all at once, they would block a slow phone.
 */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const begun = lastTurn.then(firstPicture).then(idleMoment)
  const result = begun.then(work)
  const longest = begun.then(() => pause(turnMs))
  lastTurn = Promise.race([result.catch(() => {}), longest])
  return result
}

export const afterDrawing =
  <Part>(load: () => Promise<Part>) =>
  (): Promise<Part> =>
    inTurn(load)

const retryMs = 5_000
/** At these events, a failed fetch of code is retried at once: the user may need it, or the network may be back. */
const retryEvents = ['online', 'click', 'focus']

export function onRetry(attempt: () => void): () => void {
  const timer = setInterval(attempt, retryMs)
  for (const event of retryEvents) globalThis.addEventListener(event, attempt, true)
  return () => {
    clearInterval(timer)
    for (const event of retryEvents) globalThis.removeEventListener(event, attempt, true)
  }
}

/**
 * A part of the page that can't be fetched for this long needs a reload of the page: a new version may have replaced
 * the part's file, and some browsers keep a failed `import()` for good.
 */
const givenUpMs = 30_000
/** One object (a ref) for each component that has given up, since several components may want the same part. */
const givenUp = new Set<object>()
const givenUpChanged = createSignal()

function noteGivenUp(wanting: object, isGivenUp: boolean): void {
  if (givenUp.has(wanting) === isGivenUp) return
  if (isGivenUp) givenUp.add(wanting)
  else givenUp.delete(wanting)
  givenUpChanged.tell()
}

/** Returns true while a wanted part has failed for 30 s although the server could be reached. */
export const useIsReloadNeeded = (): boolean => useSyncExternalStore(givenUpChanged.listen, () => givenUp.size > 0)

/**
 * Loads a part of the page on demand. Unlike React's `lazy`, a failed fetch throws nothing and is retried while the
 * part is wanted. `load` has to be the same function in each render.
 */
export function useLazyPart<Part extends object>(load: () => Promise<Part>, isWanted = true) {
  const [part, setPart] = useState<Part>()
  const [hasFailed, setHasFailed] = useState(false)
  const isUnderWay = useRef(false)
  const failingSinceMs = useRef<number>(undefined)
  const fetchPart = useCallback(() => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    load()
      .then(
        (loaded) => {
          setPart(loaded)
          setHasFailed(false)
        },
        () => {
          const nowMs = performance.now()
          if (readReach() !== 'reachable') failingSinceMs.current = nowMs
          failingSinceMs.current ??= nowMs
          noteGivenUp(failingSinceMs, nowMs - failingSinceMs.current >= givenUpMs)
          setHasFailed(true)
        },
      )
      .finally(() => {
        isUnderWay.current = false
      })
  }, [load])

  const isMissing = isWanted && part === undefined
  useEffect(() => {
    if (isMissing) fetchPart()
  }, [isMissing, fetchPart])
  useEffect(() => {
    if (!isMissing || !hasFailed) return
    const stop = onRetry(fetchPart)
    return () => {
      stop()
      failingSinceMs.current = undefined
      noteGivenUp(failingSinceMs, false)
    }
  }, [isMissing, hasFailed, fetchPart])
  return { part, hasFailed, retry: fetchPart }
}
