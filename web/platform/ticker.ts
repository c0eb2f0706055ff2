import { useCallback, useSyncExternalStore } from 'react'
import { dayAfter, dayOf, midnightBeforeMs, startOfDayMs } from '#domain/day.ts'
import { onServerTimeChanged, serverNowMs } from './server-time.ts'

/**
 * One timer, which follows the server's time, serves all listeners, so that the page wakes once and not once for each
 * listener. The ticker also looks for due listeners when the offset to the server's time changes, and when a hidden tab
 * is shown again, since the browser throttles the timers of hidden tabs.
 */

export type TickListener = (serverMs: number) => void

type Watch = {
  /** Returns the number whose change calls the listener: the current second, or how many given instants have passed. */
  readonly read: (nowMs: number) => number
  readonly nextMs: (nowMs: number) => number
  readonly listener: TickListener
  last: number
}

const watches = new Set<Watch>()
let timer: ReturnType<typeof setTimeout> | undefined
let dueMs = Number.POSITIVE_INFINITY
let stopFollowing: (() => void) | undefined

/** Timers may fire a moment early, so a second counts as begun this many ms before its boundary. */
const earlyMs = 5

/** A longer wait takes several timeouts: `setTimeout` overflows after 2^31 ms. */
const longestWaitMs = 60_000

function look(): void {
  const nowMs = serverNowMs()
  schedule(nowMs)
  // A watch that a listener removes during this loop is not called any more.
  for (const watch of watches) {
    const value = watch.read(nowMs)
    if (value === watch.last) continue
    watch.last = value
    watch.listener(nowMs)
  }
}

function schedule(nowMs: number): void {
  clearTimeout(timer)
  dueMs = Math.min(...Array.from(watches, (watch) => watch.nextMs(nowMs)))
  if (dueMs < Number.POSITIVE_INFINITY) timer = setTimeout(look, Math.min(Math.max(1, dueMs - nowMs), longestWaitMs))
}

function start(): void {
  const stopClock = onServerTimeChanged(look)
  const page = typeof document === 'undefined' ? undefined : document
  page?.addEventListener('visibilitychange', look)
  stopFollowing = () => {
    stopClock()
    page?.removeEventListener('visibilitychange', look)
  }
}

function watchTime({ read, nextMs, listener }: Omit<Watch, 'last'>): () => void {
  const nowMs = serverNowMs()
  const watch: Watch = { read, nextMs, listener, last: read(nowMs) }
  if (watches.size === 0) {
    dueMs = Number.POSITIVE_INFINITY
    start()
  }
  watches.add(watch)
  if (nextMs(nowMs) < dueMs) schedule(nowMs)
  return () => {
    if (!watches.delete(watch) || watches.size > 0) return
    clearTimeout(timer)
    stopFollowing?.()
  }
}

const secondOf = (nowMs: number) => Math.floor((nowMs + earlyMs) / 1000)

/** Calls the listener at the start of each second, first at the next one. */
export function onEachSecond(listener: TickListener): () => void {
  return watchTime({ read: secondOf, nextMs: (nowMs) => (secondOf(nowMs) + 1) * 1000 - earlyMs, listener })
}

const countPassed = (instantsMs: readonly number[], nowMs: number) => instantsMs.filter((at) => at <= nowMs).length

/**
 * Calls the listener when one of the instants (Unix ms, ascending) passes. Instants that have passed already cause no
 * call, unless a correction of the server's time puts one of them into the future.
 */
export function onInstants(instantsMs: readonly number[], listener: TickListener): () => void {
  return watchTime({
    read: (nowMs) => countPassed(instantsMs, nowMs),
    nextMs: (nowMs) => instantsMs.find((at) => at > nowMs) ?? Number.POSITIVE_INFINITY,
    listener,
  })
}

/** Returns how many of the instants (Unix ms, ascending) have passed by the server's time. */
export function usePassedInstants(instantsMs: readonly number[]): number {
  const key = instantsMs.join()
  const subscribe = useCallback(
    (listener: () => void) => onInstants(key === '' ? [] : key.split(',').map(Number), listener),
    [key],
  )
  return useSyncExternalStore(subscribe, () => countPassed(instantsMs, serverNowMs()))
}

export const useHasReached = (atMs: number | null): boolean => usePassedInstants(atMs === null ? [] : [atMs]) > 0

const onMidnight = (listener: TickListener) =>
  watchTime({ read: midnightBeforeMs, nextMs: (nowMs) => startOfDayMs(dayAfter(dayOf(nowMs))), listener })

/** Returns the beginning of the present day in Vietnam, by the server's time. At midnight "Hôm nay" means another day. */
export const useTodayMs = (): number => useSyncExternalStore(onMidnight, () => midnightBeforeMs(serverNowMs()))
