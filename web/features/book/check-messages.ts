import type { CheckedProof, CheckResult, StepProgress } from '#domain/book/check-book.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'

/** The check that a person asked for. */
export type CheckRequest =
  | { readonly kind: 'round'; readonly round: string }
  | { readonly kind: 'rounds'; readonly count: number }
  | { readonly kind: 'proof'; readonly text: string }

/** Messages from the page to the worker. */
export type ToWorker = { readonly start: CheckRequest; readonly known: readonly KeptLog[] } | 'stop'

/** The result of a check. */
export type CheckReport = Pick<CheckResult, 'state' | 'faults' | 'faultCount' | 'head' | 'settledBets'> & {
  readonly request: CheckRequest
  /** Null where there was no log to read. */
  readonly summary: CheckResult['summary'] | null
  /** The key whose signatures were verified; null where there was none to trust. */
  readonly vkey: string | null
  /** The content of a proof; null for other requests. */
  readonly proof: Pick<CheckedProof, 'index' | 'opening'> | null
}

/** Messages from the worker to the page; after `report` or `failure` nothing more comes. */
export type FromWorker =
  | { readonly step: StepProgress }
  | { readonly report: CheckReport }
  /** `host`: no answer, or none of a log. `crash`: an error of our own. */
  | { readonly failure: 'host' | 'crash' }
