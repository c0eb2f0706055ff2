import type { BetPromise } from '#contract/book.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'
import type { OwnBet, SealJudgement } from './judge-seal.ts'

/** The messages between the page and the worker. `postMessage` has to be able to clone their values. */

export type SealJob = { readonly known: readonly KeptLog[] } & (
  | { readonly ask: 'promise'; readonly bet: OwnBet; readonly promise: BetPromise }
  | { readonly ask: 'proof'; readonly bet: OwnBet; readonly proof: string; readonly closesAtMs: number | null }
  /** Asks whether the log of this origin ends with a `beat` entry that is later than `ms`, in Unix ms. */
  | { readonly ask: 'beat-after'; readonly origin: string; readonly ms: number }
)

/** `away`: the worker did not load, or the job failed, for example because the server gave no answer. */
export type SealAnswer = SealJudgement | { readonly is: 'beat-after'; readonly isSo: boolean } | { readonly is: 'away' }
