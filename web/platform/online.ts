import { useSyncExternalStore } from 'react'
import { createSignal } from './signal.ts'

/**
 * The reasons that keep this page from its server, and the signs that the server is back. It is in a file of its own
 * because the first load needs it: the socket and the calls, which are loaded later, report to it.
 */

/** `server-away`: the network is there, but the socket has not connected for several tries (rules §6.7). */
export type Reach = 'reachable' | 'offline' | 'server-away'

const changed = createSignal()
const answered = createSignal()

/** Tries to connect at once, while the server is away; null while it is not. */
let tryAgain: (() => void) | null = null

/** Reports that the server is away, with a function that tries again at once; null when it is back. */
export function reportServerAway(retry: (() => void) | null): void {
  if (tryAgain === retry) return
  tryAgain = retry
  changed.tell()
}

/** Tries at once to connect to a server that is away. */
export function tryServerNow(): void {
  tryAgain?.()
}

/** When the data on screen was last answered, in words; null while unknown. */
let lastKnown: string | null = null

/** Reports when the data on screen was last answered, in words. */
export function reportLastKnown(text: string | null): void {
  if (lastKnown === text) return
  lastKnown = text
  changed.tell()
}

export function useLastKnown(): string | null {
  return useSyncExternalStore(subscribe, () => lastKnown)
}

/** When the browser last said that the network is gone, by the device's clock. */
let goneAtMs = Number.NEGATIVE_INFINITY
/** Whether the server has answered a call that was sent since then: browsers are wrong about some networks. */
let hasAnsweredSince = false

/** Whether the server can be reached: the browser says so, or an answer came although the browser denies it. */
export const hasNetwork = (): boolean => navigator.onLine || hasAnsweredSince

/**
 * Reports that a call succeeded.
 * @param sentAtMs when it was sent, by the device's clock
 */
export function reportAnswer(sentAtMs: number): void {
  if (!hasNetwork() && sentAtMs > goneAtMs) {
    hasAnsweredSince = true
    changed.tell()
  }
  answered.tell()
}

/** Calls back after each call that succeeded. */
export const onAnswer = answered.listen

function subscribe(listener: () => void): () => void {
  const stop = changed.listen(listener)
  const handleLoss = () => {
    goneAtMs = Date.now()
    hasAnsweredSince = false
    listener()
  }
  globalThis.addEventListener('online', listener)
  globalThis.addEventListener('offline', handleLoss)
  return () => {
    stop()
    globalThis.removeEventListener('online', listener)
    globalThis.removeEventListener('offline', handleLoss)
  }
}

/** Whether the server can be reached, as far as this page knows. */
export function useReach(): Reach {
  return useSyncExternalStore(subscribe, () =>
    hasNetwork() ? (tryAgain === null ? 'reachable' : 'server-away') : 'offline',
  )
}

/** Whether the device has a network, as far as this page knows. */
export function useIsOnline(): boolean {
  return useReach() !== 'offline'
}
