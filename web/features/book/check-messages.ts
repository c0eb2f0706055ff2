import type { CheckedProof, CheckResult, StepProgress } from '#domain/book/check-book.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'

export type CheckRequest =
  | { readonly kind: 'round'; readonly round: string }
  | { readonly kind: 'rounds'; readonly count: number }
  | { readonly kind: 'proof'; readonly text: string }

export type ToWorker = { readonly start: CheckRequest; readonly known: readonly KeptLog[] } | 'stop'

export type CheckReport = Pick<CheckResult, 'state' | 'faults' | 'faultCount' | 'head' | 'settledBets'> & {
  readonly request: CheckRequest
  /** Null if no log could be read. */
  readonly summary: CheckResult['summary'] | null
  /** The key that verified the signatures, or null if none could be trusted. */
  readonly vkey: string | null
  /** Null unless a proof was checked. */
  readonly proof: Pick<CheckedProof, 'index' | 'opening'> | null
}

/** The messages of the worker. `report` or `failure` is the last one. */
export type FromWorker =
  | { readonly step: StepProgress }
  | { readonly report: CheckReport }
  /** `host`: the server gave no answer, or one that is not part of a log. `crash`: an error in this program. */
  | { readonly failure: 'host' | 'crash' }
