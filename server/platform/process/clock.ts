import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from './log.ts'

/** The database's time, in Unix ms (rules §2.1). */
export interface Clock {
  now(): number
  /** After a start or a jump of the clock, false until enough samples agree. Meanwhile bets get 503 CLOCK_UNSURE. */
  isSure(): boolean
  /** False before the first usable sample, and after 30 s without one. Settlement then waits. */
  canSettle(): boolean
  /**
   * Calls `wake` once: when now() has reached `atMs`, or soon after the clock was set back by more than MOVE_LIMIT_MS,
   * because the caller then has to decide anew. Returns a function that cancels the call.
   */
  callAt(atMs: number, wake: () => void): () => void
  stop(): void
}

/** The number of kept samples. Of these, the sample with the shortest round trip gives the offset. */
const WINDOW = 10
/** A sample with a longer round trip is dropped: it does not show exactly when the database read its clock. */
const ROUND_TRIP_LIMIT_MS = 100
export const MOVE_LIMIT_MS = 250
/** The clock becomes sure when AGREEING_SAMPLES samples in a row differ by no more than AGREEMENT_MS. */
const AGREEING_SAMPLES = 5
const AGREEMENT_MS = 50
const SILENCE_LIMIT_MS = 30_000

const SAMPLE_EVERY_MS = 1_000
const SAMPLE_EVERY_WHILE_UNSURE_MS = 50
/** A longer wait is split into timers of this length, because the offset may change meanwhile. */
const LONGEST_TIMER_MS = 1_000

export interface ClockSample {
  /** The database's clock minus this process's monotonic clock, in ms. */
  readonly offsetMs: number
  readonly roundTripMs: number
  readonly takenAtMs: number
}

export interface ClockState {
  readonly samples: readonly ClockSample[]
  readonly offsetMs: number | null
  readonly isSure: boolean
}

export const unknownClock: ClockState = { samples: [], offsetMs: null, isSure: false }

export function reduceClock(state: ClockState, sample: ClockSample): ClockState {
  if (sample.roundTripMs > ROUND_TRIP_LIMIT_MS) return state
  const hasMoved = state.offsetMs !== null && Math.abs(sample.offsetMs - state.offsetMs) > MOVE_LIMIT_MS
  const isSure = state.isSure && !hasMoved
  // Older samples are discarded after a jump of the clock and, while the clock is unsure, after a sample that differs
  // too much from them.
  const isAnew = hasMoved || (!isSure && spreadMs([...state.samples, sample]) > AGREEMENT_MS)
  const samples = isAnew ? [sample] : [...state.samples, sample].slice(-WINDOW)
  const best = samples.reduce((least, other) => (other.roundTripMs <= least.roundTripMs ? other : least))
  return { samples, offsetMs: best.offsetMs, isSure: isSure || samples.length >= AGREEING_SAMPLES }
}

function spreadMs(samples: readonly ClockSample[]): number {
  const offsets = samples.map((sample) => sample.offsetMs)
  return Math.max(...offsets) - Math.min(...offsets)
}

export function isHeard(state: ClockState, monotonicNowMs: number): boolean {
  const newest = state.samples.at(-1)
  return newest !== undefined && monotonicNowMs - newest.takenAtMs < SILENCE_LIMIT_MS
}

export function monotonicMs(): number {
  return performance.now()
}

export interface LocalTime {
  readonly wallMs: () => number
  readonly monotonicMs: () => number
}

const localTime: LocalTime = { wallMs: () => Date.now(), monotonicMs }

/**
 * Follows the database's clock until stop(). Resolves once the clock is sure, or after `settleWithinMs` even if it is
 * not. On PostgreSQL, `db` must be used for nothing else, because a sample must not wait for a connection.
 */
export async function createClock(
  db: Database,
  { log, settleWithinMs = 2_000, local = localTime }: ClockOptions = {},
): Promise<Clock> {
  let state = unknownClock
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const observe = (sample: ClockSample): void => {
    const before = state
    state = reduceClock(state, sample)
    if (before.isSure && !state.isSure)
      log?.warn({ movedMs: Math.round(sample.offsetMs - (before.offsetMs ?? 0)) }, 'the clock moved: bets are refused')
    if (!before.isSure && state.isSure) log?.info('the clock is sure')
  }
  const takeSample = async (): Promise<void> => {
    try {
      observe(db.engine === 'embedded' ? sampleWall(local) : await sampleServer(db, local))
    } catch (error) {
      log?.warn({ err: error }, 'the database’s time could not be read')
    }
  }
  const sampleForEver = (): void => {
    timer = setTimeout(
      () => void takeSample().then(() => (isStopped ? undefined : sampleForEver())),
      state.isSure ? SAMPLE_EVERY_MS : SAMPLE_EVERY_WHILE_UNSURE_MS,
    ).unref()
  }

  const deadlineMs = local.monotonicMs() + settleWithinMs
  while (!state.isSure && local.monotonicMs() < deadlineMs) {
    await takeSample()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  sampleForEver()

  const now = (): number =>
    db.engine === 'embedded' || state.offsetMs === null ? local.wallMs() : local.monotonicMs() + state.offsetMs

  return {
    now,
    isSure() {
      // On the embedded engine, a sample costs nothing. So even the first bet after a jump of the clock notices it.
      if (db.engine === 'embedded' && state.isSure) {
        const sample = sampleWall(local)
        if (Math.abs(sample.offsetMs - (state.offsetMs ?? 0)) > MOVE_LIMIT_MS) observe(sample)
      }
      return state.isSure
    },
    canSettle: () => isHeard(state, local.monotonicMs()),
    callAt: (atMs, wake) => callAt(now, atMs, wake),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function callAt(now: () => number, atMs: number, wake: () => void): () => void {
  let waiting: NodeJS.Timeout | undefined
  let lastLeftMs = atMs - now()
  const wait = (): void => {
    const leftMs = atMs - now()
    const wasSetBack = leftMs > lastLeftMs + MOVE_LIMIT_MS
    lastLeftMs = leftMs
    if (leftMs <= 0 || wasSetBack) wake()
    // A timer may fire a fraction of a ms early. It is then started once more.
    else waiting = setTimeout(wait, Math.min(Math.ceil(leftMs), LONGEST_TIMER_MS))
  }
  waiting = setTimeout(wait, 0)
  return () => clearTimeout(waiting)
}

/** The embedded engine reads this machine's clock, so a sample needs no statement. */
function sampleWall(local: LocalTime): ClockSample {
  const takenAtMs = local.monotonicMs()
  return { offsetMs: local.wallMs() - takenAtMs, roundTripMs: 0, takenAtMs }
}

async function sampleServer(db: Database, local: LocalTime): Promise<ClockSample> {
  const askedAtMs = local.monotonicMs()
  const { rows } = await db.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    [],
    { name: 'clock' },
  )
  const takenAtMs = local.monotonicMs()
  const roundTripMs = takenAtMs - askedAtMs
  return { offsetMs: (rows[0]?.ms ?? Number.NaN) - (askedAtMs + roundTripMs / 2), roundTripMs, takenAtMs }
}

export interface ClockOptions {
  readonly log?: Logger
  readonly settleWithinMs?: number
  readonly local?: LocalTime
}

/** Resolves with true when the clock reaches `atMs` (see `Clock.callAt`), or with false if `signal` aborts before. */
export async function sleepUntil(clock: Clock, atMs: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted === true) return false
  return await new Promise((resolve) => {
    const onAbort = (): void => {
      takeBack()
      resolve(false)
    }
    const takeBack = clock.callAt(atMs, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve(true)
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
