import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onServerTimeChanged, recordServerDate, recordServerTime, resetServerTime, serverNowMs } from './server-time.ts'

const start = Date.UTC(2026, 10, 21, 8, 0, 0)

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date', 'performance'] })
})

afterEach(() => {
  resetServerTime()
  vi.useRealTimers()
})

/** An answer whose request left `roundTripMs` ago, from a server that was `aheadMs` ahead at the middle of the trip. */
function answer(aheadMs: number, roundTripMs: number): void {
  const receivedAtMs = Date.now()
  const sentAtMs = receivedAtMs - roundTripMs
  recordServerTime({ serverTimeMs: sentAtMs + roundTripMs / 2 + aheadMs, sentAtMs, receivedAtMs })
}

test('before any answer the device’s clock is used', () => {
  expect(serverNowMs()).toBe(start)
})

test('the offset is taken at the middle of the trip', () => {
  answer(5_000, 200)
  expect(serverNowMs()).toBe(start + 5_000)
})

test('the shortest trip of the last ten wins, and older ones are dropped', () => {
  answer(1_000, 20)
  answer(1_400, 900)
  expect(serverNowMs()).toBe(start + 1_000)
  for (let count = 0; count < 10; count += 1) answer(1_100, 100)
  expect(serverNowMs()).toBe(start + 1_100)
})

test('a device clock that was set, or slept, invalidates earlier samples', () => {
  answer(1_000, 20)
  vi.setSystemTime(start - 3_600_000)
  answer(3_601_000, 400)
  expect(serverNowMs()).toBe(start + 1_000)
})

test('a server whose clock was set is followed from its next answer, however long its trip', () => {
  answer(1_000, 20)
  answer(-59_000, 800)
  expect(serverNowMs()).toBe(start - 59_000)
  answer(1_000, 500)
  expect(serverNowMs()).toBe(start + 1_000)
})

test('a Date mends a clock that is plainly wrong, until an answer tells the time itself', () => {
  const dated = (aheadMs: number) =>
    recordServerDate({ serverTimeMs: Date.now() - 50 + aheadMs, sentAtMs: Date.now() - 100, receivedAtMs: Date.now() })
  dated(900)
  dated(Number.NaN)
  expect(serverNowMs()).toBe(start)
  dated(-86_400_000)
  expect(serverNowMs()).toBe(start - 86_400_000)
  answer(-86_399_400, 20)
  dated(-86_400_000)
  dated(5_000_000)
  expect(serverNowMs()).toBe(start - 86_399_400)
  // The device's clock was put right, and no answer has told the time since.
  vi.setSystemTime(start - 86_400_000)
  dated(0)
  expect(serverNowMs()).toBe(start - 86_400_000)
})

test('impossible samples are ignored', () => {
  recordServerTime({ serverTimeMs: Number.NaN, sentAtMs: start, receivedAtMs: start })
  recordServerTime({ serverTimeMs: start + 9_000, sentAtMs: start, receivedAtMs: start - 50 })
  expect(serverNowMs()).toBe(start)
})

test('listeners are called once per change until they unsubscribe', () => {
  const heard = vi.fn()
  const stop = onServerTimeChanged(heard)
  answer(700, 20)
  answer(700, 20)
  expect(heard).toHaveBeenCalledTimes(1)
  stop()
  answer(50, 10)
  expect(heard).toHaveBeenCalledTimes(1)
})
