import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordServerTime, resetServerTime } from './server-time.ts'
import { onEachSecond } from './ticker.ts'

const start = Date.UTC(2026, 10, 21, 8, 0, 0)

beforeEach(() => {
  vi.useFakeTimers({ now: start + 300 })
})

afterEach(() => {
  resetServerTime()
  vi.useRealTimers()
})

test('it calls when a second of the server begins, for everybody at once', () => {
  const [first, second] = [vi.fn(), vi.fn()]
  const stops = [onEachSecond(first), onEachSecond(second)]
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(690)
  expect(first).not.toHaveBeenCalled()
  vi.advanceTimersByTime(20)
  expect(first).toHaveBeenCalledTimes(1)
  expect(second).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(5_000)
  expect(first).toHaveBeenCalledTimes(6)
  for (const [ms] of first.mock.calls as [number][]) expect(((ms + 5) % 1000) - 5).toBeLessThanOrEqual(5)
  for (const stop of stops) stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('it follows the server, not the device', () => {
  const heard = vi.fn()
  const stop = onEachSecond(heard)
  // The server is 450 ms ahead, so its next second begins in 250 ms.
  recordServerTime({ serverTimeMs: Date.now() + 450, sentAtMs: Date.now(), receivedAtMs: Date.now() })
  vi.advanceTimersByTime(240)
  expect(heard).not.toHaveBeenCalled()
  vi.advanceTimersByTime(15)
  expect(heard).toHaveBeenCalledTimes(1)
  stop()
})

test('a listener that leaves while being called disturbs nobody', () => {
  const stay = vi.fn()
  const stopLeaver = onEachSecond(() => stopLeaver())
  const stopStay = onEachSecond(stay)
  vi.advanceTimersByTime(2_000)
  expect(stay).toHaveBeenCalledTimes(2)
  stopStay()
  stopStay()
  expect(vi.getTimerCount()).toBe(0)
})

test('a timer that fires late skips the seconds it slept through and tells the last', () => {
  const heard = vi.fn()
  const stop = onEachSecond(heard)
  vi.setSystemTime(start + 7_200)
  vi.advanceTimersByTime(700)
  expect(heard).toHaveBeenCalledTimes(1)
  expect(heard.mock.calls[0]?.[0]).toBeGreaterThanOrEqual(start + 7_000)
  stop()
})
