import type { Subject } from '#domain/identity/permissions.ts'
import type { ProposalKind } from '#domain/four-eyes/proposal.ts'
import type { Minor } from '#domain/money.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Refused } from '#server/platform/http/errors.ts'
import type { RefusalBy } from '#contract/endpoints.ts'

export interface ProposalHints {
  proposalChanged(proposalId: string): void
}

export interface FourEyes {
  /**
   * If the points moved in 24 h for one player, or by one admin, reach this sum, a second person is needed. Null if
   * four eyes are off.
   */
  readonly fromMinor: Minor | null
  readonly hints: ProposalHints
}

export interface ProposalToExecute {
  readonly id: string
  readonly kind: ProposalKind
  readonly ownerId: string
  readonly amountMinor: Minor
  readonly requestId: string | null
  readonly disputeId: string | null
  readonly reason: string | null
  readonly proposer: { readonly id: string; readonly username: string }
}

export type ConfirmRefusal = Refused<RefusalBy<'confirmProposal'>>

/** The result of `admit`: null if the act may be executed, `repeated` if it was executed before, else the refusal. */
export type Admission = ConfirmRefusal | 'repeated' | null

export type Unfit = 'NOT_FOUND' | 'USER_DELETED' | 'AMOUNT_LIMIT'

/**
 * Executes a proposal that is being confirmed. An implementation locks its rows and the owner's accounts, checks the
 * act again, and then calls `admit`, which locks and judges the proposal. The implementation writes nothing before
 * `admit`. Once `admit` has returned null, the implementation may not refuse any more.
 */
export type Execute = (
  tx: Tx,
  proposal: ProposalToExecute,
  confirmer: Subject,
  admit: () => Promise<Admission>,
) => Promise<Admission | Unfit>

export type Executors = Readonly<Record<ProposalKind, Execute>>
