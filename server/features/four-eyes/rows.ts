import type { ProposalKind, ProposalStatus } from '#domain/four-eyes/proposal.ts'
import type { Queryable } from '#server/platform/database/db.ts'

export type ProposalRow = {
  id: string
  kind: ProposalKind
  ownerId: string
  amountMinor: bigint
  requestId: string | null
  disputeId: string | null
  reason: string | null
  proposedBy: string
  proposedAt: Date
  expiresAt: Date
  status: ProposalStatus
  endedBy: string | null
}

const PROPOSAL_ROWS = `select id, kind, owner_id as "ownerId", amount as "amountMinor", request_id as "requestId",
    dispute_id as "disputeId", reason, proposed_by as "proposedBy", proposed_at as "proposedAt",
    expires_at as "expiresAt", status, ended_by as "endedBy"
  from money_proposals`

/** @param lock to be taken after the locks on users, requests, disputes and accounts (rules §3.9) */
export async function readRow(
  q: Queryable,
  proposalId: string,
  lock: '' | 'for update' | 'for update skip locked' = '',
): Promise<ProposalRow | null> {
  const { rows } = await q.query<ProposalRow>(`${PROPOSAL_ROWS} where id = $1 ${lock}`, [proposalId])
  return rows[0] ?? null
}

export const standingOf = (row: ProposalRow) => ({ ...row, expiresAtMs: row.expiresAt.getTime() })

/** The subject of a proposal: a request, a dispute, or the balance of a user. Each has at most one open proposal. */
export type ProposalTarget =
  | { readonly requestId: string }
  | { readonly disputeId: string }
  | { readonly adjusted: string }

/** Locks and returns the proposal of a target with the stored status `open`, even if the proposal's time is over. */
export async function lockOpen(q: Queryable, target: ProposalTarget): Promise<ProposalRow | null> {
  const [condition, value] =
    'requestId' in target
      ? ['request_id = $1', target.requestId]
      : 'disputeId' in target
        ? ['dispute_id = $1', target.disputeId]
        : [`owner_id = $1 and kind = 'adjustment'`, target.adjusted]
  const { rows } = await q.query<ProposalRow>(`${PROPOSAL_ROWS} where ${condition} and status = 'open' for update`, [
    value,
  ])
  return rows[0] ?? null
}

/** Columns with which a list of requests or disputes shows the open proposal of each row; null without a proposal. */
export interface OpenProposalColumns {
  readonly proposal_id: string | null
  readonly proposed_by: string | null
  readonly proposed_by_name: string | null
  readonly proposal_expires_at: Date | null
}

export function openProposalOf({
  proposal_id: id,
  proposed_by: by,
  proposed_by_name: username,
  proposal_expires_at: expiresAt,
}: OpenProposalColumns): { id: string; by: { id: string; username: string }; expiresAtMs: number } | null {
  if (id === null || by === null || username === null || expiresAt === null) return null
  return { id, by: { id: by, username }, expiresAtMs: expiresAt.getTime() }
}
