import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SIMULATED } from '#domain/market/sources.ts'
import type { Tick } from '#domain/market/tick.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/process/log.ts'
import { createFakeClock, type FakeClock } from '#testing/time/fake-clock.ts'
import { createTickLoop } from './tick-loop.ts'

const LIVE = 'pyth:a.example'
const BEGIN = 1_800_000_000

let clock: FakeClock
let seconds: number[]
let missing: Array<readonly [from: unknown, to: unknown]>
let stopped: AbortController
let loop: ReturnType<typeof createTickLoop>
let tracked: Promise<void>[]

beforeEach(() => {
  clock = createFakeClock(BEGIN * 1000)
  stopped = new AbortController()
  seconds = []
  missing = []
  tracked = []
  // Stands in for the one statement that a loop sends: the missing ticks of a downtime.
  const db: Pick<Database, 'query'> = {
    query(_, params = []) {
      missing.push([params[1], params[2]])
      return Promise.resolve({ rows: [], rowCount: 0 })
    },
  }
  loop = createTickLoop({
    db: db as Database,
    clock,
    log: createLog('silent'),
    signal: stopped.signal,
    track: (_, work) => void tracked.push(work),
    onTick: ({ second }) => void seconds.push(second),
  })
})
afterEach(() => stopped.abort())

const tickOf = (second: number): Promise<Tick> =>
  Promise.resolve({ source: SIMULATED, second, price: 1, quoteAtMs: second * 1000 })
const follow = (source: string, write: (second: number) => Promise<Tick | null> = tickOf) =>
  void loop.follow(source, BEGIN, 0, write)
const reached = (expected: readonly number[]) => vi.waitFor(() => expect(seconds).toEqual(expected))

test('each second once, in order, and none before its time', async () => {
  follow(SIMULATED)
  await reached([BEGIN])
  clock.advance(999)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(seconds).toEqual([BEGIN])
  clock.advance(2_001)
  await reached([BEGIN, BEGIN + 1, BEGIN + 2, BEGIN + 3])
})

test('after a long suspension goes on with the running second; live seconds between become missing ticks', async () => {
  follow(LIVE)
  await reached([BEGIN])
  clock.advance(60_000)
  await reached([BEGIN, BEGIN + 60])
  clock.advance(1_000)
  await reached([BEGIN, BEGIN + 60, BEGIN + 61])
  await Promise.all(tracked)
  expect(missing).toEqual([[BEGIN + 1, BEGIN + 59]])
})

test('after the clock was set back goes on with the running second', async () => {
  follow(SIMULATED)
  await reached([BEGIN])
  clock.set((BEGIN - 100) * 1000)
  clock.advance(1_000)
  await vi.waitFor(() => expect(seconds.at(-1)).toBeLessThan(BEGIN))
  expect(seconds.at(-1)).toBeGreaterThanOrEqual(BEGIN - 100)
})

test('nothing while the clock is unsure', async () => {
  clock.setSure(false)
  follow(SIMULATED)
  clock.advance(2_000)
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(seconds).toEqual([])
  clock.setSure(true)
  await reached([BEGIN, BEGIN + 1, BEGIN + 2])
})

test('a second whose write fails is tried again while it is young', async () => {
  let tries = 0
  follow(SIMULATED, (second) => (tries++ < 2 ? Promise.reject(new Error('away')) : tickOf(second)))
  await reached([BEGIN])
  expect(tries).toBe(3)
})
