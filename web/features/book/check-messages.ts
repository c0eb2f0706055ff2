import type { CheckedProof, CheckResult, StepProgress } from '#domain/book/check-book.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'

export type CheckRequest =
  | { readonly kind: 'round'; readonly round: string }
  | { readonly kind: 'rounds'; readonly count: number }
  | { readonly kind: 'proof'; readonly text: string }

export type ToWorker = { readonly start: CheckRequest; readonly known: readonly KeptLog[] } | 'stop'

export type CheckReport = Pick<CheckResult, 'state' | 'faults' | 'faultCount' | 'head' | 'settledBets'> & {
  readonly request: CheckRequest
  /** Null if the check ended before it had a log to read. */
  readonly summary: CheckResult['summary'] | null
  /** The key that verified the log's signatures. Null if the check ended before a key was trusted. */
  readonly vkey: string | null
  /** Null unless a proof was checked. */
  readonly proof: Pick<CheckedProof, 'index' | 'opening'> | null
}

/** A message from the worker. The last message is a `report` or a `failure`. */
export type FromWorker =
  | { readonly step: StepProgress }
  | { readonly report: CheckReport }
  /** `host`: the worker did not load, or the server gave no answer or an invalid one. `crash`: any other error. */
  | { readonly failure: 'host' | 'crash' }
