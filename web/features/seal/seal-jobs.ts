import type { BetPromise } from '#contract/book.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'
import type { OwnBet, SealJudgement } from './judge-seal.ts'

/** The messages between page and worker. Everything can be cloned. */

export type SealJob = { readonly known: readonly KeptLog[] } & (
  | { readonly ask: 'promise'; readonly bet: OwnBet; readonly promise: BetPromise }
  /** `closesAtMs` is the parameter of judgeProof. */
  | { readonly ask: 'proof'; readonly bet: OwnBet; readonly proof: string; readonly closesAtMs: number | null }
  /** Whether the log of this origin has a beat after that time, Unix ms. */
  | { readonly ask: 'beat-after'; readonly origin: string; readonly ms: number }
)

/** `away`: the host did not answer, or not with a log: nothing is known. */
export type SealAnswer = SealJudgement | { readonly is: 'beat-after'; readonly isSo: boolean } | { readonly is: 'away' }
