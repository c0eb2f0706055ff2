import { useSyncExternalStore } from 'react'
import { createSignal } from './signal.ts'

/** `server-away`: there is a network, but five attempts to connect the socket have failed (rules §6.7). */
export type Reach = 'reachable' | 'offline' | 'server-away'

const changed = createSignal()
const answered = createSignal()

let tryAgain: (() => void) | null = null

/** Reports that the server can't be reached; `retry` tries to connect at once. Null reports that the server is back. */
export function reportServerAway(retry: (() => void) | null): void {
  if (tryAgain === retry) return
  tryAgain = retry
  changed.tell()
}

export const tryServerNow = (): void => tryAgain?.()

let lastKnown: string | null = null

/** Reports the sentence that says when the data on screen was fetched; null for none. */
export function reportLastKnown(text: string | null): void {
  if (lastKnown === text) return
  lastKnown = text
  changed.tell()
}

export const useLastKnown = (): string | null => useSyncExternalStore(subscribe, () => lastKnown)

let goneAtMs = Number.NEGATIVE_INFINITY
/** True if the server answered a call that was sent after the browser reported a lost network (rules §6.7). */
let hasAnsweredSince = false

export const hasNetwork = (): boolean => navigator.onLine || hasAnsweredSince

export function reportAnswer(sentAtMs: number): void {
  if (!hasNetwork() && sentAtMs > goneAtMs) {
    hasAnsweredSince = true
    changed.tell()
  }
  answered.tell()
}

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

export const readReach = (): Reach => (hasNetwork() ? (tryAgain === null ? 'reachable' : 'server-away') : 'offline')

export const useReach = (): Reach => useSyncExternalStore(subscribe, readReach)

export const useIsOnline = (): boolean => useReach() !== 'offline'
