import type { Proposal } from '#contract/proposals.ts'
import type { ProposalStatus } from '#domain/four-eyes/proposal.ts'
import type { Queryable } from '#server/platform/db.ts'
import type { Page } from '#server/platform/lists.ts'
import { collectParams, type Params } from '#server/platform/sql.ts'
import type { ProposalRow } from './rows.ts'

interface ListedRow extends ProposalRow {
  username: string
  summed: bigint
  proposed_by_name: string
  ended_by_name: string | null
  ended_at: Date | null
  end_reason: string | null
  balance: bigint
  reserved: bigint
  has_second: boolean
}

/** An open one whose time is over has expired, also before anybody wrote that down. */
const STATUS = `case when p.status = 'open' and p.expires_at <= clock_timestamp() then 'expired' else p.status end`

const SELECT = `select p.id, p.kind, p.owner_id, u.username, p.amount, p.request_id, p.dispute_id, p.reason, p.summed,
    p.proposed_by, b.username as proposed_by_name, p.proposed_at, p.expires_at, ${STATUS} as status, p.ended_by,
    e.username as ended_by_name, p.ended_at, p.end_reason, w.balance, r.balance as reserved,
    exists (select 1 from users s where s.role = 'admin' and 'money' = any(s.capabilities) and not s.is_frozen and s.deleted_at is null
      and s.id not in (p.proposed_by, p.owner_id)) as has_second
  from money_proposals p
  join users u on u.id = p.owner_id
  join users b on b.id = p.proposed_by
  join ledger_accounts w on w.owner_id = p.owner_id and w.kind = 'wallet'
  join ledger_accounts r on r.owner_id = p.owner_id and r.kind = 'reserved'
  left join users e on e.id = p.ended_by`

const toProposal = (row: ListedRow): Proposal => ({
  id: row.id,
  kind: row.kind,
  owner: { id: row.owner_id, username: row.username },
  amountMinor: row.amount,
  requestId: row.request_id,
  disputeId: row.dispute_id,
  reason: row.reason,
  summedMinor: row.summed,
  proposedBy: { id: row.proposed_by, username: row.proposed_by_name },
  proposedAtMs: row.proposed_at.getTime(),
  expiresAtMs: row.expires_at.getTime(),
  status: row.status,
  endedBy:
    row.ended_by === null || row.ended_by_name === null ? null : { id: row.ended_by, username: row.ended_by_name },
  endedAtMs: row.ended_at?.getTime() ?? null,
  endReason: row.end_reason,
  balanceMinor: row.balance,
  reservedMinor: row.reserved,
  hasSecondPerson: row.has_second,
})

export async function readProposal(q: Queryable, proposalId: string): Promise<Proposal | null> {
  const { rows } = await q.query<ListedRow>(`${SELECT} where p.id = $1`, [proposalId])
  return rows[0] === undefined ? null : toProposal(rows[0])
}

export interface ProposalFilter {
  readonly status: ProposalStatus | null
  readonly ownerId: string | null
  /** When set, only proposals with these ids. */
  readonly ids: readonly string[] | null
}

/** Columns by which the list can be sorted: the API's name and the column. */
export const PROPOSAL_SORTS = { createdAt: 'p.proposed_at' } as const
export type ProposalSort = keyof typeof PROPOSAL_SORTS

function conditions({ add }: Params, { status, ownerId, ids }: ProposalFilter): string {
  const parts: string[] = []
  if (status === 'open') parts.push(`p.status = 'open' and p.expires_at > clock_timestamp()`)
  else if (status !== null) parts.push(`${STATUS} = ${add(status)}`)
  if (ownerId !== null) parts.push(`p.owner_id = ${add(ownerId)}`)
  if (ids !== null) parts.push(`p.id = any(${add([...ids])}::uuid[])`)
  return parts.length === 0 ? '' : `where ${parts.join(' and ')}`
}

/** A page of proposals plus one more row, so that the caller knows whether a next page exists. */
export async function listProposals(
  q: Queryable,
  filter: ProposalFilter,
  sort: { readonly column: ProposalSort; readonly isDescending: boolean },
  { limit, offset }: Page,
): Promise<Proposal[]> {
  const params = collectParams()
  const direction = sort.isDescending ? 'desc' : 'asc'
  const order = `${PROPOSAL_SORTS[sort.column]} ${direction}, p.id ${direction}`
  // The ids of the page first, so that names and balances are read only for its rows.
  const { rows } = await q.query<ListedRow>(
    `${SELECT} where p.id = any(array(select p.id from money_proposals p ${conditions(params, filter)}
        order by ${order} limit ${params.add(limit + 1)} offset ${params.add(offset)}))
      order by ${order}`,
    params.values,
  )
  return rows.map(toProposal)
}

export async function countProposals(q: Queryable, filter: ProposalFilter, cap: number): Promise<number> {
  const params = collectParams()
  const text = conditions(params, filter)
  const { rows } = await q.query<{ n: bigint }>(
    `select count(*) as n from (select 1 from money_proposals p ${text} limit ${params.add(cap)}) counted`,
    params.values,
  )
  return Number(rows[0]?.n ?? 0n)
}
