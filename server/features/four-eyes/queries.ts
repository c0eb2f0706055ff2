import { type Proposal, proposalList } from '#contract/proposals.ts'
import { type Candidate, secondPeople } from '#domain/four-eyes/proposal.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { collectParams } from '#server/platform/database/sql.ts'
import { type AskedPage, equals, type FilterOf, tableSql } from '#server/platform/http/lists.ts'
import type { ProposalRow } from './rows.ts'
import { CANDIDATES } from './second-people.ts'

interface ListedRow extends ProposalRow {
  username: string
  summed: bigint
  summed_by_admin: bigint | null
  confirmer_since: Date | null
  proposed_by_name: string
  ended_by_name: string | null
  ended_at: Date | null
  end_reason: string | null
  balance: bigint
  reserved: bigint
  candidates: Candidate[]
  now: Date
}

/** An open one whose time is over has expired, also before anybody wrote that down. */
const STATUS = `case when p.status = 'open' and p.expires_at <= clock_timestamp() then 'expired' else p.status end`

const SELECT = `select p.id, p.kind, p.owner_id, u.username, p.amount, p.request_id, p.dispute_id, p.reason, p.summed, p.summed_by_admin,
    p.confirmer_since, p.proposed_by, b.username as proposed_by_name, p.proposed_at, p.expires_at, ${STATUS} as status, p.ended_by,
    e.username as ended_by_name, p.ended_at, p.end_reason, w.balance, r.balance as reserved,
    case when p.status = 'open' then ${CANDIDATES} else '[]' end as candidates, clock_timestamp() as now
  from money_proposals p
  join users u on u.id = p.owner_id
  join users b on b.id = p.proposed_by
  join ledger_accounts w on w.owner_id = p.owner_id and w.kind = 'wallet'
  join ledger_accounts r on r.owner_id = p.owner_id and r.kind = 'reserved'
  left join users e on e.id = p.ended_by`

function toProposal(row: ListedRow): Proposal {
  const people = secondPeople(row.proposed_at.getTime(), row.candidates)
  return {
    id: row.id,
    kind: row.kind,
    owner: { id: row.owner_id, username: row.username },
    amountMinor: row.amount,
    requestId: row.request_id,
    disputeId: row.dispute_id,
    reason: row.reason,
    summedMinor: row.summed,
    adminSummedMinor: row.summed_by_admin,
    confirmerSinceMs: row.confirmer_since?.getTime() ?? null,
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
    secondPeople: people,
    hasSecondPerson: people.some(({ fromMs }) => fromMs <= row.now.getTime()),
  }
}

export async function readProposal(q: Queryable, proposalId: string): Promise<Proposal | null> {
  const { rows } = await q.query<ListedRow>(`${SELECT} where p.id = $1`, [proposalId])
  return rows[0] === undefined ? null : toProposal(rows[0])
}

export const PROPOSALS = tableSql(proposalList, {
  table: 'money_proposals p',
  id: 'p.id',
  sorts: { createdAt: 'p.proposed_at' },
  filters: {
    status: (status, add) =>
      status === 'open' ? `p.status = 'open' and p.expires_at > clock_timestamp()` : `${STATUS} = ${add(status)}`,
    userId: equals('p.owner_id'),
  },
})

export async function listProposals(
  q: Queryable,
  asked: AskedPage<FilterOf<typeof proposalList>>,
): Promise<Proposal[]> {
  const params = collectParams()
  const { rows } = await q.query<ListedRow>(`${SELECT} ${PROPOSALS.page(params, asked)}`, params.values)
  return rows.map(toProposal)
}
