import type { CheckedProof, CheckResult, StepProgress } from '#domain/book/check-book.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'

export type CheckRequest =
  | { readonly kind: 'round'; readonly round: string }
  | { readonly kind: 'rounds'; readonly count: number }
  | { readonly kind: 'proof'; readonly text: string }

export type ToWorker = { readonly start: CheckRequest; readonly known: readonly KeptLog[] } | 'stop'

export type CheckReport = Pick<CheckResult, 'state' | 'faults' | 'faultCount' | 'head' | 'settledBets'> & {
  readonly request: CheckRequest
  /** Null where there was no log to read. */
  readonly summary: CheckResult['summary'] | null
  /** The key that verified the signatures; null where none is to be trusted. */
  readonly vkey: string | null
  /** Null for other requests than a proof's. */
  readonly proof: Pick<CheckedProof, 'index' | 'opening'> | null
}

/** Nothing follows `report` or `failure`. */
export type FromWorker =
  | { readonly step: StepProgress }
  | { readonly report: CheckReport }
  /** `host`: no answer, or none of a log. `crash`: an error of our own. */
  | { readonly failure: 'host' | 'crash' }
