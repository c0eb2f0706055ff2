import { build, type Histogram } from 'hdr-histogram-js'
import type { ActKind } from './schedule.ts'

/**
 * The calls and waits that are timed. The time of an act counts from when the act was due. `enter` begins when the
 * sign-in is answered, `refresh` when a hint of the server or the end of a countdown makes a screen refetch.
 */
export type Timed = ActKind | 'enter' | 'refresh'

export const TIMED: readonly Timed[] = ['sign in', 'enter', 'bet', 'message', 'look', 'refresh', 'reconnect']

/**
 * How an act ended: done; refused as the rules foresee, such as a bet on a round that is closing; not sent, because the
 * screen's button is disabled; or unexpected, with any other answer or none.
 */
export type Outcome = 'done' | 'refused' | 'not sent' | 'unexpected'

export interface Summary {
  readonly timed: Timed
  readonly count: number
  readonly meanMs: number
  /** The latency in ms at each of the `PERCENTILES`. */
  readonly percentiles: ReadonlyMap<number, number>
  readonly maxMs: number
  /** Pairs of a percentile and its ms, up to the highest percentile for which there are enough samples. */
  readonly distribution: ReadonlyArray<readonly [percentile: number, ms: number]>
}

/** One of the equal spans of time of a run: how much began, how much ended, and the latencies of what ended. */
export interface Window {
  readonly fromS: number
  readonly begun: ReadonlyMap<Timed, number>
  readonly ended: ReadonlyMap<Timed, number>
  readonly p99Ms: ReadonlyMap<Timed, number>
  readonly unexpected: number
  readonly ticks: number
}

export interface Count {
  readonly timed: Timed
  readonly outcome: Exclude<Outcome, 'done'>
  readonly code: string
  readonly count: number
}

export interface Seen {
  readonly windowS: number
  readonly windows: readonly Window[]
  readonly summaries: readonly Summary[]
  readonly counts: readonly Count[]
  readonly done: ReadonlyMap<Timed, number>
  readonly unexpected: number
  /** How late this program began acts that were due. The cause is this program's own machine, not the server. */
  readonly lateness: { readonly p99Ms: number; readonly maxMs: number }
  readonly ticks: number
  /** The number of lost connections, without those that were dropped on purpose. */
  readonly lost: number
}

export const PERCENTILES = [50, 90, 95, 99, 99.9] as const
/** The percentiles of a plot's points. Every two points, the share of samples above the percentile halves. */
const PLOTTED = Array.from({ length: 40 }, (_, n) => 100 - 100 * 2 ** (-n / 2))

/** Latencies are recorded in µs. A latency above this, an hour, counts as an hour. */
const LONGEST_US = 3_600_000_000
const histogram = (digits: 2 | 3): Histogram =>
  build({ lowestDiscernibleValue: 1, highestTrackableValue: LONGEST_US, numberOfSignificantValueDigits: digits })
const record = (into: Histogram, ms: number): void =>
  into.recordValue(Math.min(LONGEST_US, Math.max(1, Math.round(ms * 1000))))
const percentileMs = (of: Histogram, percentile: number): number =>
  of.totalCount === 0 ? Number.NaN : of.getValueAtPercentile(percentile) / 1000

export interface Measures {
  /** Notes that something that was due at `dueMs` begins now. */
  begin(timed: Timed, dueMs: number, nowMs: number): void
  /**
   * Notes that something timed has ended. `code` is the reason if the outcome is not `done`. An act that was not
   * sent has no latency.
   */
  end(timed: Timed, dueMs: number, nowMs: number, outcome: Outcome, code?: string): void
  /** Counts an unexpected answer to an attempt that will be repeated. The act has not ended yet. */
  stumble(timed: Timed, nowMs: number, code: string): void
  tick(nowMs: number): void
  lose(): void
  seen(): Seen
}

/** Collects the measurements of a run of `lastsS` seconds. All times are in ms after the start of the run. */
export function createMeasures(lastsS: number): Measures {
  const windowS = Math.max(1, Math.ceil(lastsS / 120))
  const whole = new Map<Timed, Histogram>()
  const done = new Map<Timed, number>()
  const counts = new Map<string, { timed: Timed; outcome: Exclude<Outcome, 'done'>; code: string; count: number }>()
  const lateness = histogram(3)
  let ticks = 0
  let lost = 0
  interface Open {
    readonly begun: Map<Timed, number>
    readonly ended: Map<Timed, number>
    readonly latencies: Map<Timed, Histogram>
    unexpected: number
    ticks: number
  }
  const windows: Open[] = []
  const windowAt = (nowMs: number): Open => {
    const at = Math.max(0, Math.floor(nowMs / 1000 / windowS))
    while (windows.length <= at)
      windows.push({ begun: new Map(), ended: new Map(), latencies: new Map(), unexpected: 0, ticks: 0 })
    return windows[at] as Open
  }
  const add = (to: Map<Timed, number>, timed: Timed) => void to.set(timed, (to.get(timed) ?? 0) + 1)
  const of = (among: Map<Timed, Histogram>, timed: Timed, digits: 2 | 3): Histogram => {
    const one = among.get(timed) ?? histogram(digits)
    among.set(timed, one)
    return one
  }
  const count = (timed: Timed, nowMs: number, outcome: Exclude<Outcome, 'done'>, code: string) => {
    const key = `${timed}\n${outcome}\n${code}`
    const known = counts.get(key) ?? { timed, outcome, code, count: 0 }
    known.count += 1
    counts.set(key, known)
    if (outcome === 'unexpected') windowAt(nowMs).unexpected += 1
  }
  return {
    begin(timed, dueMs, nowMs) {
      add(windowAt(nowMs).begun, timed)
      record(lateness, nowMs - dueMs)
    },
    end(timed, dueMs, nowMs, outcome, code = '') {
      if (outcome === 'done') add(done, timed)
      else count(timed, nowMs, outcome, code)
      if (outcome === 'not sent') return
      const window = windowAt(nowMs)
      add(window.ended, timed)
      record(of(whole, timed, 3), nowMs - dueMs)
      record(of(window.latencies, timed, 2), nowMs - dueMs)
    },
    stumble: (timed, nowMs, code) => count(timed, nowMs, 'unexpected', code),
    tick(nowMs) {
      ticks += 1
      windowAt(nowMs).ticks += 1
    },
    lose: () => void (lost += 1),
    seen: () => ({
      windowS,
      windows: windows.map(({ begun, ended, latencies, unexpected, ticks }, at) => ({
        fromS: at * windowS,
        begun,
        ended,
        p99Ms: new Map([...latencies].map(([timed, one]) => [timed, percentileMs(one, 99)])),
        unexpected,
        ticks,
      })),
      summaries: TIMED.flatMap((timed) => {
        const one = whole.get(timed)
        if (one === undefined) return []
        return {
          timed,
          count: one.totalCount,
          meanMs: one.mean / 1000,
          percentiles: new Map(PERCENTILES.map((percentile) => [percentile, percentileMs(one, percentile)])),
          maxMs: one.maxValue / 1000,
          // Above the percentile of the last sample, the plot would only repeat the maximum.
          distribution: PLOTTED.filter((percentile) => one.totalCount * (1 - percentile / 100) >= 0.5).map(
            (percentile) => [percentile, percentileMs(one, percentile)] as const,
          ),
        }
      }),
      counts: [...counts.values()].toSorted((a, b) => b.count - a.count),
      done,
      unexpected: [...counts.values()].reduce((sum, one) => sum + (one.outcome === 'unexpected' ? one.count : 0), 0),
      lateness: { p99Ms: percentileMs(lateness, 99), maxMs: lateness.maxValue / 1000 },
      ticks,
      lost,
    }),
  }
}
