import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordServerTime, resetServerTime } from './server-time.ts'
import { onEachSecond, onInstants } from './ticker.ts'

const start = Date.UTC(2026, 10, 21, 8, 0, 0)

beforeEach(() => {
  vi.useFakeTimers({ now: start + 300 })
})

afterEach(() => {
  resetServerTime()
  vi.useRealTimers()
})

test('it calls all listeners together when a second of the server begins', () => {
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

test('a listener that unsubscribes during its call does not affect the others', () => {
  const stay = vi.fn()
  const stopLeaver = onEachSecond(() => stopLeaver())
  const stopStay = onEachSecond(stay)
  vi.advanceTimersByTime(2_000)
  expect(stay).toHaveBeenCalledTimes(2)
  stopStay()
  stopStay()
  expect(vi.getTimerCount()).toBe(0)
})

test('a timer that fires late skips the missed seconds and calls once for the last', () => {
  const heard = vi.fn()
  const stop = onEachSecond(heard)
  vi.setSystemTime(start + 7_200)
  vi.advanceTimersByTime(700)
  expect(heard).toHaveBeenCalledTimes(1)
  expect(heard.mock.calls[0]?.[0]).toBeGreaterThanOrEqual(start + 7_000)
  stop()
})

test('an instant causes one call, when it passes, from the shared timer', () => {
  const [passed, heard] = [vi.fn(), vi.fn()]
  const stops = [onInstants([start, start + 1_500, start + 2_500], passed), onEachSecond(heard)]
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(1_199)
  expect(passed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(passed).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1_000)
  expect(passed).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(10_000)
  expect(passed).toHaveBeenCalledTimes(2)
  expect(heard).toHaveBeenCalledTimes(12)
  for (const stop of stops) stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('no timer fires before an instant is due, nor for one that has passed', () => {
  const passed = vi.fn()
  const stop = onInstants([start + 30_300], passed)
  vi.advanceTimersByTime(29_999)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(passed).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
  stop()
})

test('an instant follows the server’s clock, forwards and back', () => {
  const passed = vi.fn()
  const stop = onInstants([start + 60_000], passed)
  const answer = (aheadMs: number) =>
    recordServerTime({ serverTimeMs: Date.now() + aheadMs, sentAtMs: Date.now(), receivedAtMs: Date.now() })
  answer(90_000)
  expect(passed).toHaveBeenCalledTimes(1)
  answer(0)
  expect(passed).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(60_000)
  expect(passed).toHaveBeenCalledTimes(3)
  stop()
})

test('an instant beyond the longest timeout does not cause an early call', () => {
  const passed = vi.fn()
  const stop = onInstants([start + 40 * 86_400_000], passed)
  vi.advanceTimersByTime(3_600_000)
  expect(passed).not.toHaveBeenCalled()
  stop()
})
