import { useCallback, useEffect, useRef, useState } from 'react'
import { pause } from './pause.ts'

/** Resolves after the page's load event. */
export const afterLoad = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve()
    else globalThis.addEventListener('load', () => resolve(), { once: true })
  })

/**
 * Delays a fetch that no screen waits for until this long after the page's load, so that the screen and its data come
 * first.
 */
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

/**
 * Resolves after the page's first paint, after half a second at the latest. Work that the first paint does not need
 * waits for it.
 */
export const firstPicture = (): Promise<void> => Promise.race([picture, pause(500)])

/** Resolves after the browser has drawn the pending frame and is idle, after half a second at the latest. */
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
 * Runs tasks that the first screen can do without after it is drawn, one after the other: together they would block a
 * slow phone.
 */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const begun = lastTurn.then(firstPicture).then(idleMoment)
  const result = begun.then(work)
  const longest = begun.then(() => pause(turnMs))
  lastTurn = Promise.race([result.catch(() => {}), longest])
  return result
}

/** Fetches heavy parts of a screen once the rest of the screen is drawn and usable. */
export const afterDrawing =
  <Part>(load: () => Promise<Part>) =>
  (): Promise<Part> =>
    inTurn(load)

export type LazyPart<Part> = {
  /** Undefined until the code is loaded. */
  readonly part: Part | undefined
  readonly hasFailed: boolean
  readonly retry: () => void
}

/** While a wanted part is missing after a failed fetch, it is fetched again this often. */
const retryMs = 5_000
/** So it is at these events, of the window or of anything in it: whoever presses or comes back needs the part now. */
const retryEvents = ['online', 'click', 'focus']

/**
 * A part of the page whose code is fetched on demand. Unlike with React's own lazy components a failed fetch throws
 * nothing: while the part is wanted it is fetched again, so that no caller has to.
 * @param load always the same function
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
