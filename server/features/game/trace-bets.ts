import { sqlState } from '#server/platform/database/transaction.ts'
import type { Span } from '#server/platform/process/tracing.ts'

/**
 * Starts the spans of a batch. The batch's steps are recorded in the trace of the first traced bet. Each other trace
 * gets one span for the batch, which links to the batch span of that first bet.
 */
export function startBatchTrace(calls: ReadonlyArray<{ readonly span?: Span | null }>, isRetry: boolean) {
  const [first, ...others] = calls.flatMap(({ span }) => span ?? [])
  if (first === undefined) return null
  const batch = first.begin('bet.batch', others)
  const batches = [batch, ...others.map((span) => span.begin('bet.batch', [batch]))]
  for (const span of batches) {
    span.note('bet.count', calls.length)
    span.note('bet.retry', isRetry)
  }
  let running = batch.begin('bet.connection')
  return {
    step(name: 'bet.locks' | 'bet.decide' | 'bet.write' | 'bet.commit' | 'bet.promise'): void {
      running.end()
      running = batch.begin(name)
    },
    fail(error: unknown): void {
      const type = sqlState(error) ?? (error instanceof Error ? error.name : 'unknown')
      for (const span of [running, ...batches]) span.fail(type)
    },
    end(): void {
      running.end()
      for (const span of batches) span.end()
    },
  }
}
