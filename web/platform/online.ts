import { useSyncExternalStore } from 'react'
import { createSignal } from './signal.ts'

/** Keeps whether the server can be reached. The code that sends calls and opens the socket is loaded later. */

/** `server-away`: there is a network, but several attempts to connect the socket have failed (rules §6.7). */
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

/** Reports, in words, when the data on screen was last fetched; null if that is unknown. */
export function reportLastKnown(text: string | null): void {
  if (lastKnown === text) return
  lastKnown = text
  changed.tell()
}

export const useLastKnown = (): string | null => useSyncExternalStore(subscribe, () => lastKnown)

let goneAtMs = Number.NEGATIVE_INFINITY
/** True if a call was answered that was sent after the browser reported a lost network: that report was wrong. */
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

export function useReach(): Reach {
  return useSyncExternalStore(subscribe, () =>
    hasNetwork() ? (tryAgain === null ? 'reachable' : 'server-away') : 'offline',
  )
}

export const useIsOnline = (): boolean => useReach() !== 'offline'
