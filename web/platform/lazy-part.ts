import { useCallback, useEffect, useRef, useState } from 'react'
import { pause } from './pause.ts'

export const afterLoad = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve()
    else globalThis.addEventListener('load', () => resolve(), { once: true })
  })

/** For a fetch that no screen waits for: begins it this long after the page's load. */
export const afterPause =
  <Part>(pauseMs: number, load: () => Promise<Part>) =>
  async (): Promise<Part> => {
    await afterLoad()
    await pause(pauseMs)
    return load()
  }

const picture = new Promise<void>((resolve) => {
  // Old browsers do not support paint timing.
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes('paint')) return resolve()
  const observer = new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length === 0) return
    observer.disconnect()
    resolve()
  })
  observer.observe({ type: 'paint', buffered: true })
})

/** The page's first paint, after half a second at the latest. */
export const firstPicture = (): Promise<void> => Promise.race([picture, pause(500)])

const idleMoment = (): Promise<void> =>
  new Promise((resolve) => {
    const done = () => resolve()
    // A hidden page draws nothing.
    setTimeout(done, 500)
    requestAnimationFrame(() => {
      // Safari has no `requestIdleCallback`.
      if (typeof requestIdleCallback === 'function') requestIdleCallback(done)
      else setTimeout(done, 50)
    })
  })

/** On a slow line one task must not delay the next for longer than this. */
const turnMs = 1_000

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Runs work that the first screen can do without after that screen is drawn, one after the other: together it would
 * block a slow phone.
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

export type LazyPart<Part> = {
  readonly part: Part | undefined
  readonly hasFailed: boolean
  readonly retry: () => void
}

const retryMs = 5_000
/** At these events, of the window or of anything in it, somebody needs the missing part now. */
const retryEvents = ['online', 'click', 'focus']

/**
 * A part of the page whose code is fetched on demand. Unlike with React's own lazy components a failed fetch throws
 * nothing: while the part is wanted it is fetched again. `load` is always the same function.
 */
export function useLazyPart<Part extends object>(load: () => Promise<Part>, isWanted = true): LazyPart<Part> {
  const [part, setPart] = useState<Part>()
  const [hasFailed, setHasFailed] = useState(false)
  const isUnderWay = useRef(false)
  const fetchPart = useCallback(() => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    load()
      .then(
        (loaded) => {
          setPart(loaded)
          setHasFailed(false)
        },
        () => setHasFailed(true),
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
    const timer = setInterval(fetchPart, retryMs)
    for (const event of retryEvents) globalThis.addEventListener(event, fetchPart, true)
    return () => {
      clearInterval(timer)
      for (const event of retryEvents) globalThis.removeEventListener(event, fetchPart, true)
    }
  }, [isMissing, hasFailed, fetchPart])
  return { part, hasFailed, retry: fetchPart }
}
