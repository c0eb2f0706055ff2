import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { REFRESH_AFTER_COUNTDOWN_MS } from '#contract/limits.ts'
import { queryClient } from './query-client.ts'
import { onServerTimeChanged, serverNowMs } from './server-time.ts'

/**
 * The page's one timer by the server's time: everything that happens at an instant or once a second waits here, so the
 * page wakes once for all of it. It sleeps while nobody waits. When the offset to the server changes, and when a hidden
 * tab, whose timers the browser slows down, is shown again, whatever was missed is caught up with.
 */

export type TickListener = (serverMs: number) => void

type Watch = {
  /** A number that time alone changes: which second it is, or how many instants have passed. */
  readonly read: (nowMs: number) => number
  /** When it changes next, infinite for never. */
  readonly nextMs: (nowMs: number) => number
  readonly listener: TickListener
  last: number
}

const watches = new Set<Watch>()
let timer: ReturnType<typeof setTimeout> | undefined
let dueMs = Number.POSITIVE_INFINITY
let stopFollowing: (() => void) | undefined

/** Timers may fire a moment early; a second counts as begun this many ms before its boundary. */
const earlyMs = 5

/** What is far away is looked at this often at least: a longer timeout would overflow after 24 days. */
const longestWaitMs = 60_000

function look(): void {
  const nowMs = serverNowMs()
  schedule(nowMs)
  // A Set may be changed while it is walked: who leaves in between is not called any more.
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

/**
 * Calls `listener` with the server's time (ms since the epoch) at each second of it. It is not called at once: the
 * caller draws its first state itself. Returns the function that unsubscribes.
 */
export function onEachSecond(listener: TickListener): () => void {
  return watchTime({ read: secondOf, nextMs: (nowMs) => (secondOf(nowMs) + 1) * 1000 - earlyMs, listener })
}

const countPassed = (instantsMs: readonly number[], nowMs: number) => instantsMs.filter((at) => at <= nowMs).length

/**
 * Calls `listener` when the server's time passes one of these instants (ms since the epoch, ascending), and when it was
 * set back before one. What has passed already is not called for. Returns the function that unsubscribes.
 */
export function onInstants(instantsMs: readonly number[], listener: TickListener): () => void {
  return watchTime({
    read: (nowMs) => countPassed(instantsMs, nowMs),
    nextMs: (nowMs) => instantsMs.find((at) => at > nowMs) ?? Number.POSITIVE_INFINITY,
    listener,
  })
}

/**
 * How many of these instants (the server's time, ms since the epoch, ascending) have passed. The component renders again
 * when that changes and not in between.
 */
export function usePassedInstants(instantsMs: readonly number[]): number {
  const key = instantsMs.join()
  const subscribe = useCallback(
    (listener: () => void) => onInstants(key === '' ? [] : key.split(',').map(Number), listener),
    [key],
  )
  return useSyncExternalStore(subscribe, () => countPassed(instantsMs, serverNowMs()))
}

/** Whether the server's time has reached a moment (ms since the epoch); null is never reached. */
export function useHasReached(atMs: number | null): boolean {
  return usePassedInstants(atMs === null ? [] : [atMs]) > 0
}

/**
 * Asks again 1 s after a countdown has ended (spec §4, §9), at once where that has passed.
 * @param endsAtMs the server's time at which it ends; null while there is none
 * @param queryKey what is asked again
 */
export function useRefreshAfter(endsAtMs: number | null, queryKey: readonly string[]): void {
  const isDue = useHasReached(endsAtMs === null ? null : endsAtMs + REFRESH_AFTER_COUNTDOWN_MS)
  const endedAtMs = isDue ? endsAtMs : null
  const key = queryKey.join('/')
  useEffect(() => {
    if (endedAtMs !== null) void queryClient.invalidateQueries({ queryKey: key.split('/') })
  }, [endedAtMs, key])
}
