import type { CheckedProof, CheckResult, StepProgress } from '#domain/book/check-book.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'

/** What a person asked to check. */
export type CheckRequest =
  | { readonly kind: 'round'; readonly round: string }
  | { readonly kind: 'rounds'; readonly count: number }
  | { readonly kind: 'proof'; readonly text: string }

/** What the page sends to the worker. */
export type ToWorker = { readonly start: CheckRequest; readonly known: readonly KeptLog[] } | 'stop'

/** What came out of a check. */
export type CheckReport = Pick<CheckResult, 'state' | 'faults' | 'faultCount' | 'head' | 'settledBets'> & {
  readonly request: CheckRequest
  /** Null where there was no log to read. */
  readonly summary: CheckResult['summary'] | null
  /** The key whose signatures were verified; null where there was none to trust. */
  readonly vkey: string | null
  /** What a proof says; null for other requests. */
  readonly proof: Pick<CheckedProof, 'index' | 'opening'> | null
}

/** What the worker sends to the page; after `report` or `failure` nothing more comes. */
export type FromWorker =
  | { readonly step: StepProgress }
  | { readonly report: CheckReport }
  /** `host`: no answer, or none of a log. `crash`: an error of our own. */
  | { readonly failure: 'host' | 'crash' }
