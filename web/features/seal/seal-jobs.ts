import type { BetPromise } from '#contract/book.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'
import type { OwnBet, SealJudgement } from './judge-seal.ts'

/** The messages between the page and the worker. They hold only values that `postMessage` can clone. */

export type SealJob = { readonly known: readonly KeptLog[] } & (
  | { readonly ask: 'promise'; readonly bet: OwnBet; readonly promise: BetPromise }
  /** `closesAtMs` is passed to `judgeProof`. */
  | { readonly ask: 'proof'; readonly bet: OwnBet; readonly proof: string; readonly closesAtMs: number | null }
  /** Asks whether the log of this origin ends with a `beat` entry after the time `ms`, in Unix ms. */
  | { readonly ask: 'beat-after'; readonly origin: string; readonly ms: number }
)

/** `away`: the worker did not load, or the server gave no answer, or one that is no part of a log. */
export type SealAnswer = SealJudgement | { readonly is: 'beat-after'; readonly isSo: boolean } | { readonly is: 'away' }
