import { type Proposal, proposalList } from '#contract/proposals.ts'
import { type Candidate, secondPeople } from '#domain/four-eyes/proposal.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { collectParams } from '#server/platform/database/sql.ts'
import { type AskedPage, equals, type FilterOf, tableSql } from '#server/platform/http/lists.ts'
import { CANDIDATES } from './second-people.ts'

type ListedRow = Omit<Proposal, 'secondPeople' | 'hasSecondPerson'> & { candidates: Candidate[]; now: Date }

/** SQL for the status: an open proposal whose time is over counts as expired. */
const STATUS = `case when p.status = 'open' and p.expires_at <= clock_timestamp() then 'expired' else p.status end`

const PERSON = (alias: string) => `json_build_object('id', ${alias}.id, 'username', ${alias}.username)`

const SELECT = `select p.id, p.kind, ${PERSON('u')} as owner, p.amount as "amountMinor", p.request_id as "requestId",
    p.dispute_id as "disputeId", p.reason, p.summed as "summedMinor", p.summed_by_admin as "adminSummedMinor",
    ${msSql('p.confirmer_since')} as "confirmerSinceMs", ${PERSON('b')} as "proposedBy",
    ${msSql('p.proposed_at')} as "proposedAtMs", ${msSql('p.expires_at')} as "expiresAtMs", ${STATUS} as status,
    case when e.id is not null then ${PERSON('e')} end as "endedBy", ${msSql('p.ended_at')} as "endedAtMs",
    p.end_reason as "endReason", w.balance as "balanceMinor", r.balance as "reservedMinor",
    case when p.status = 'open' then ${CANDIDATES} else '[]' end as candidates, clock_timestamp() as now
  from money_proposals p
  join users u on u.id = p.owner_id
  join users b on b.id = p.proposed_by
  join ledger_accounts w on w.owner_id = p.owner_id and w.kind = 'wallet'
  join ledger_accounts r on r.owner_id = p.owner_id and r.kind = 'reserved'
  left join users e on e.id = p.ended_by`

function toProposal({ candidates, now, ...row }: ListedRow): Proposal {
  const people = secondPeople(row.proposedAtMs, candidates)
  return { ...row, secondPeople: people, hasSecondPerson: people.some(({ fromMs }) => fromMs <= now.getTime()) }
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
