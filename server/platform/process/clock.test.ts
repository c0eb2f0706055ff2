import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClock, isHeard, reduceClock, sleepUntil, unknownClock } from './clock.ts'
import type { Clock, ClockSample, ClockState } from './clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'

const sample = (offsetMs: number, roundTripMs = 1, takenAtMs = 0): ClockSample => ({ offsetMs, roundTripMs, takenAtMs })
const after = (samples: readonly ClockSample[], from: ClockState = unknownClock) => samples.reduce(reduceClock, from)
const sureAt = (offsetMs: number) => after(Array.from({ length: 5 }, () => sample(offsetMs)))

describe('samples of the clock', () => {
  test('the clock is sure after five that agree', () => {
    expect(after([0, 10, 20, 30].map((offset) => sample(offset))).isSure).toBe(false)
    expect(after([0, 10, 20, 30, 50].map((offset) => sample(offset))).isSure).toBe(true)
  })

  test('one that disagrees while unsure begins the count anew', () => {
    const disturbed = after([0, 0, 0, 0, 60, 60, 60, 60].map((offset) => sample(offset)))
    expect(disturbed).toMatchObject({ isSure: false, offsetMs: 60 })
    expect(reduceClock(disturbed, sample(60)).isSure).toBe(true)
  })

  test('the shortest round trip of the last ten gives the offset', () => {
    const state = after([sample(40, 2), sample(0, 30), sample(10, 20)], sureAt(20))
    expect(state.offsetMs).toBe(20)
    const later = after(
      Array.from({ length: 10 }, (_, index) => sample(index, 50 - index)),
      state,
    )
    expect(later.samples).toHaveLength(10)
    expect(later.offsetMs).toBe(9)
  })

  test('slow samples are ignored altogether', () => {
    const state = sureAt(0)
    expect(reduceClock(state, sample(10_000, 101))).toBe(state)
    expect(after([sample(5, 100)]).offsetMs).toBe(5)
  })

  test('a move of 250 ms is followed, more makes it unsure until five agree', () => {
    expect(reduceClock(sureAt(0), sample(250, 0)).isSure).toBe(true)
    const moved = reduceClock(sureAt(0), sample(-251))
    expect(moved).toMatchObject({ isSure: false, offsetMs: -251 })
    expect(moved.samples).toHaveLength(1)
    const still = after([sample(-250), sample(-240), sample(-230)], moved)
    expect(still.isSure).toBe(false)
    expect(reduceClock(still, sample(-260)).isSure).toBe(true)
  })

  test('nothing may be settled without a good sample in the last 30 s', () => {
    expect(isHeard(unknownClock, 0)).toBe(false)
    const state = after([sample(0, 1, 1_000)])
    expect(isHeard(state, 30_999)).toBe(true)
    expect(isHeard(state, 31_000)).toBe(false)
    expect(isHeard(reduceClock(state, sample(0, 500, 31_000)), 31_000)).toBe(false)
  })
})

describe.each(testEngines)('%s', (engine) => {
  const db = useDatabase(engine, { areReset: false })
  let clock: Clock | undefined
  afterEach(() => clock?.stop())

  test('knows the database’s time as soon as the database answers', async () => {
    clock = await createClock(db)
    expect([clock.isSure(), clock.canSettle()]).toEqual([true, true])
    const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now')
    expect(Math.abs(clock.now() - Number(rows[0]?.now))).toBeLessThan(100)
  })

  test('a monotonic clock that started elsewhere changes nothing', async () => {
    const local = { wallMs: () => Date.now(), monotonicMs: () => performance.now() + 1e9 }
    clock = await createClock(db, { local })
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000)
  })

  test('sleeps until a moment, not shorter', async () => {
    clock = await createClock(db)
    const atMs = clock.now() + 30
    expect(await sleepUntil(clock, atMs)).toBe(true)
    expect(clock.now()).toBeGreaterThanOrEqual(atMs)
    expect(await sleepUntil(clock, atMs - 1_000)).toBe(true)
  })

  test('sleep ends early when it is called off', async () => {
    clock = await createClock(db)
    const calledOff = new AbortController()
    const sleep = sleepUntil(clock, clock.now() + 60_000, calledOff.signal)
    calledOff.abort()
    expect(await sleep).toBe(false)
    expect(await sleepUntil(clock, 0, calledOff.signal)).toBe(false)
  })
})

test('embedded: setting the wall clock is noticed at once and forgotten after five agreeing samples', async () => {
  const db = { engine: 'embedded' } as Database
  let jumpMs = 0
  const local = { wallMs: () => Date.now() + jumpMs, monotonicMs: () => performance.now() }
  const clock = await createClock(db, { local })
  expect(clock.isSure()).toBe(true)
  jumpMs = 3_600_000
  expect(clock.isSure()).toBe(false)
  expect(clock.now() - Date.now()).toBeGreaterThan(3_599_000)
  await vi.waitFor(() => expect(clock.isSure()).toBe(true), { timeout: 3_000, interval: 20 })
  clock.stop()
})

test('a waiter is woken when the clock is set back, to check again', async () => {
  let jumpMs = 0
  const local = { wallMs: () => Date.now() + jumpMs, monotonicMs: () => performance.now() }
  const clock = await createClock({ engine: 'embedded' } as Database, { local })
  const sleep = sleepUntil(clock, clock.now() + 900)
  jumpMs = -3_600_000
  const atMs = performance.now()
  expect(await sleep).toBe(true)
  expect(performance.now() - atMs).toBeLessThan(1_200)
  clock.stop()
})

test('native: a database that does not answer leaves the clock unsure and stops settlement', async () => {
  const db = { engine: 'native', query: async () => Promise.reject(new Error('gone')) } as unknown as Database
  const clock = await createClock(db, { settleWithinMs: 20 })
  expect([clock.isSure(), clock.canSettle()]).toEqual([false, false])
  clock.stop()
})

test('the tests’ clock wakes sleepers in their order', async () => {
  const clock = createFakeClock(1_000)
  const order: number[] = []
  for (const atMs of [1_030, 1_010, 1_020]) clock.callAt(atMs, () => order.push(clock.now()))
  const slept = sleepUntil(clock, 1_025)
  clock.advance(25)
  expect(await slept).toBe(true)
  expect(order).toEqual([1_010, 1_020])
  expect(clock.now()).toBe(1_025)
  expect(await sleepUntil(clock, 1_025)).toBe(true)
  const waiting = sleepUntil(clock, 9_000)
  clock.set(500)
  expect(await waiting).toBe(true)
})
