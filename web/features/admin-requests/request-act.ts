import type { ReactNode } from 'react'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import type { CashRequest } from './api.ts'

/** The act of the open dialog. `seen` and `requests` hold the requests as they were when the dialog opened. */
export type RequestAct =
  | { readonly kind: 'approve' | 'reject' | 'remove' | 'details'; readonly seen: CashRequest }
  /** The approval of `seen` is a proposal that waits for a second person. The screen draws the proposal's dialog. */
  | { readonly kind: 'proposal'; readonly seen: CashRequest; readonly proposalId: string }
  | { readonly kind: 'bulk'; readonly verdict: 'approved' | 'rejected'; readonly requests: readonly CashRequest[] }

/** Draws an open proposal's dialog. `aside` has the buttons that lead to the neighbouring requests (rules §3.11). */
export type ProposalDialog = (
  proposalId: string,
  onClose: () => void,
  onDone: () => void,
  aside: ReactNode,
) => ReactNode

/** Returns the act that approves a request. If the approval is already proposed, the act shows the proposal. */
export const approvalOf = (request: CashRequest): RequestAct =>
  request.proposal == null
    ? { kind: 'approve', seen: request }
    : { kind: 'proposal', seen: request, proposalId: request.proposal.id }

export const approveLabel = ({ proposal }: CashRequest): string =>
  proposal == null ? texts.approve : texts.confirmProposal
