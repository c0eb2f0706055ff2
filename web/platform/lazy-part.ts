import { useCallback, useEffect, useState } from 'react'
import { pause } from './pause.ts'

/** Once everything that the page itself names is here. */
export const afterLoad = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve()
    else globalThis.addEventListener('load', () => resolve(), { once: true })
  })

/** What nobody waits for is fetched this long after the page was loaded, so that the screen and its data come first. */
export const afterPause =
  <Part>(pauseMs: number, load: () => Promise<Part>) =>
  async (): Promise<Part> => {
    await afterLoad()
    await pause(pauseMs)
    return load()
  }

const picture = new Promise<void>((resolve) => {
  // Old browsers don't tell.
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes('paint')) return resolve()
  const observer = new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length === 0) return
    observer.disconnect()
    resolve()
  })
  observer.observe({ type: 'paint', buffered: true })
})

/** Once the page's first picture is on the screen, after half a second at the latest: what is not in it comes after. */
export const firstPicture = (): Promise<void> => Promise.race([picture, pause(500)])

/** Once the browser has drawn what is due and has nothing better to do, after half a second at the latest. */
const idleMoment = (): Promise<void> =>
  new Promise((resolve) => {
    const done = () => resolve()
    // A page that is not looked at draws nothing.
    setTimeout(done, 500)
    requestAnimationFrame(() => {
      // Safari has none.
      if (typeof requestIdleCallback === 'function') requestIdleCallback(done)
      else setTimeout(done, 50)
    })
  })

/** On a slow line one work must not hold up the next for longer than this. */
const turnMs = 1_000

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Does what the first screen can do without once that stands, one work after the other: together they would hold up a
 * slow phone.
 */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const begun = lastTurn.then(firstPicture).then(idleMoment)
  const result = begun.then(work)
  const longest = begun.then(() => pause(turnMs))
  lastTurn = Promise.race([result.catch(() => {}), longest])
  return result
}

/** What is heavy and part of the screen is fetched once the rest of the screen stands, which can then be used. */
export const afterDrawing =
  <Part>(load: () => Promise<Part>) =>
  (): Promise<Part> =>
    inTurn(load)

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
