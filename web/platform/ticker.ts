import { onServerTimeChanged, serverNowMs } from './server-time.ts'

/**
 * The page's one ticker: it calls every subscriber once when a second of the server's time begins.
 *
 * One timer serves every countdown and age on the page, so they change together and the page wakes once a second at
 * most. It sleeps while nobody listens. Browsers slow the timers of a hidden tab, hence the catch-up when it is shown.
 */

export type TickListener = (serverMs: number) => void

const listeners = new Set<TickListener>()
let timer: ReturnType<typeof setTimeout> | undefined
let lastSecond = Number.NaN
let stopFollowing: (() => void) | undefined

/** Timers may fire a moment early; a second counts as begun this many ms before its boundary. */
const earlyMs = 5

function tick(): void {
  const nowMs = serverNowMs()
  const second = Math.floor((nowMs + earlyMs) / 1000)
  schedule(nowMs)
  if (second === lastSecond) return
  lastSecond = second
  // A Set may be changed while it is walked: who leaves in between is not called any more.
  for (const listener of listeners) listener(nowMs)
}

function schedule(nowMs: number): void {
  clearTimeout(timer)
  if (listeners.size === 0) return
  const intoSecondMs = (((nowMs + earlyMs) % 1000) + 1000) % 1000
  timer = setTimeout(tick, 1000 - intoSecondMs)
}

function start(): void {
  lastSecond = Math.floor((serverNowMs() + earlyMs) / 1000)
  const stopClock = onServerTimeChanged(tick)
  const page = typeof document === 'undefined' ? undefined : document
  page?.addEventListener('visibilitychange', tick)
  stopFollowing = () => {
    stopClock()
    page?.removeEventListener('visibilitychange', tick)
  }
  schedule(serverNowMs())
}

/**
 * Calls `listener` with the server's time (ms since the epoch) at each second of it. It is not called at once: the
 * caller draws its first state itself. Returns the function that unsubscribes.
 */
export function onEachSecond(listener: TickListener): () => void {
  listeners.add(listener)
  if (listeners.size === 1) start()
  return () => {
    if (!listeners.delete(listener) || listeners.size > 0) return
    clearTimeout(timer)
    stopFollowing?.()
  }
}
