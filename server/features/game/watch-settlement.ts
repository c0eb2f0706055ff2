import type { Clock } from '#server/platform/process/clock.ts'
import type { Metrics } from '#server/platform/process/metrics.ts'

export interface SettlementWatch {
  /** Called with a round's end (Unix ms) after the commit that settled the round. Deleted rounds are not reported. */
  settled(closedAtMs: number): void
  /** Called with the end of the oldest round that is over but not settled, Unix ms; null if there is no such round. */
  waiting(closedAtMs: number | null): void
}

/** Bounds of the histogram, around the objective of two seconds (docs/alerts.md). */
const LAG_BUCKETS_S = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300]

/** Measures how late rounds are settled. A round that is not settled yet appears only in the gauge. */
export function measureSettlement(metrics: Metrics, clock: Pick<Clock, 'now'>): SettlementWatch {
  let waitingSinceMs: number | null = null
  const sinceS = (closedAtMs: number): number => Math.max(0, clock.now() - closedAtMs) / 1000
  const observe = metrics.histogram(
    'settlement_lag_seconds',
    'Time from the end of a round to the commit that settled it',
    LAG_BUCKETS_S,
  )
  metrics.gauge(
    'settlement_waiting_seconds',
    'Since the oldest round ended that is not settled yet; 0 without one',
    () => (waitingSinceMs === null ? 0 : sinceS(waitingSinceMs)),
  )
  return {
    settled: (closedAtMs) => observe(sinceS(closedAtMs)),
    waiting: (closedAtMs) => void (waitingSinceMs = closedAtMs),
  }
}
