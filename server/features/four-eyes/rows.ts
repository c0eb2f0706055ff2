import type { ProposalKind, ProposalStatus } from '#domain/four-eyes/proposal.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'

export interface ProposalRow extends Row {
  id: string
  kind: ProposalKind
  owner_id: string
  amount: bigint
  request_id: string | null
  dispute_id: string | null
  reason: string | null
  proposed_by: string
  proposed_at: Date
  expires_at: Date
  status: ProposalStatus
  ended_by: string | null
}

const COLUMNS = `id, kind, owner_id, amount, request_id, dispute_id, reason, proposed_by, proposed_at, expires_at, status,
  ended_by`

export async function readRow(q: Queryable, proposalId: string): Promise<ProposalRow | null> {
  const { rows } = await q.query<ProposalRow>(`select ${COLUMNS} from money_proposals where id = $1`, [proposalId])
  return rows[0] ?? null
}

/** Locks a proposal: after users, requests, disputes and accounts, before the audit log's tip (rules §3.9). */
export async function lockRow(q: Queryable, proposalId: string): Promise<ProposalRow | null> {
  const { rows } = await q.query<ProposalRow>(`select ${COLUMNS} from money_proposals where id = $1 for update`, [
    proposalId,
  ])
  return rows[0] ?? null
}

export const standingOf = (row: ProposalRow) => ({
  status: row.status,
  expiresAtMs: row.expires_at.getTime(),
  proposedBy: row.proposed_by,
  endedBy: row.ended_by,
  ownerId: row.owner_id,
})

/** The target of a proposal: a request, a dispute, or an account, with one proposed adjustment at a time. */
export type ProposalTarget =
  | { readonly requestId: string }
  | { readonly disputeId: string }
  | { readonly adjusted: string }

/** Locks the open proposal about this, also one whose time is over. */
export async function lockOpen(q: Queryable, target: ProposalTarget): Promise<ProposalRow | null> {
  const [condition, value] =
    'requestId' in target
      ? ['request_id = $1', target.requestId]
      : 'disputeId' in target
        ? ['dispute_id = $1', target.disputeId]
        : [`owner_id = $1 and kind = 'adjustment'`, target.adjusted]
  const { rows } = await q.query<ProposalRow>(
    `select ${COLUMNS} from money_proposals where ${condition} and status = 'open' for update`,
    [value],
  )
  return rows[0] ?? null
}

/** Columns that a list of requests or disputes joins, to show which of them wait for a second person. */
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
