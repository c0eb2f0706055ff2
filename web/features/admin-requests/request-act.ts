import { adminRequestTexts as texts } from './admin-request-texts.ts'
import type { CashRequest } from './api.ts'

/** The open dialog's act, with each request as it was when the dialog opened. */
export type RequestAct =
  | { readonly kind: 'approve' | 'reject' | 'remove' | 'details'; readonly seen: CashRequest }
  /** The proposal about it, whose dialog the screen gives. */
  | { readonly kind: 'proposal'; readonly seen: CashRequest; readonly proposalId: string }
  | { readonly kind: 'bulk'; readonly verdict: 'approved' | 'rejected'; readonly requests: readonly CashRequest[] }

/** Approving, or, if the approval became a proposal that waits for a second person, that proposal. */
export const approvalOf = (request: CashRequest): RequestAct =>
  request.proposal == null
    ? { kind: 'approve', seen: request }
    : { kind: 'proposal', seen: request, proposalId: request.proposal.id }

export const approveLabel = ({ proposal }: CashRequest): string =>
  proposal == null ? texts.approve : texts.confirmProposal
