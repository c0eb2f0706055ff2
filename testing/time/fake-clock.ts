import type { Clock } from '#server/platform/process/clock.ts'

export interface FakeClock extends Clock {
  /** Moves time forward and wakes, in order, the waiters whose moment has come. */
  advance(byMs: number): void
  /** Sets the time, also backwards: that wakes every waiter, as the real clock does. */
  set(nowMs: number): void
  setSure(isSure: boolean): void
  setCanSettle(canSettle: boolean): void
}

/** A clock that stands still until a test moves it. */
export function createFakeClock(startMs: number = Date.UTC(2026, 5, 1)): FakeClock {
  let nowMs = startMs
  let isSure = true
  let canSettle = true
  const waiting = new Set<{ readonly atMs: number; readonly wake: () => void }>()

  const moveTo = (targetMs: number): void => {
    if (targetMs < nowMs) {
      nowMs = targetMs
      const woken = [...waiting]
      waiting.clear()
      for (const { wake } of woken) wake()
      return
    }
    for (;;) {
      const due = [...waiting].filter((waiter) => waiter.atMs <= targetMs).toSorted((a, b) => a.atMs - b.atMs)[0]
      if (due === undefined) break
      waiting.delete(due)
      nowMs = Math.max(nowMs, due.atMs)
      due.wake()
    }
    nowMs = targetMs
  }

  return {
    now: () => nowMs,
    isSure: () => isSure,
    canSettle: () => canSettle,
    callAt(atMs, wake) {
      const waiter = { atMs, wake }
      waiting.add(waiter)
      // Like a timer, it never calls `wake` before the caller has its return value.
      if (atMs <= nowMs) queueMicrotask(() => waiting.delete(waiter) && wake())
      return () => void waiting.delete(waiter)
    },
    advance: (byMs) => moveTo(nowMs + byMs),
    set: moveTo,
    setSure: (value) => void (isSure = value),
    setCanSettle: (value) => void (canSettle = value),
    stop: () => waiting.clear(),
  }
}
