import type { Clock } from '#server/platform/process/clock.ts'
import type { Metrics } from '#server/platform/process/metrics.ts'

export interface SettlementWatch {
  /** Unix ms; the commit is acknowledged. */
  settled(closedAtMs: number): void
  /** The end of the oldest round that has ended and is not settled yet; null when there is none. */
  waiting(closedAtMs: number | null): void
}

/** Two seconds are the objective (docs/alerts.md). */
const LAG_BUCKETS_S = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300]

/**
 * The histogram has only rounds that were settled, each once, by the process that did it; a round that never is shows
 * in the gauge.
 */
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
