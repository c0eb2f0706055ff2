import { type CashRequest, requestList } from '#contract/cashier.ts'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import type { RequestTotals } from '#contract/staff-requests.ts'
import { FILINGS_PER_HOUR } from '#domain/cashier/request.ts'
import {
  type FourEyes,
  foretellSecondPerson,
  type OpenProposalColumns,
  openProposalOf,
} from '#server/features/four-eyes/index.ts'
import type { Queryable, Tx } from '#server/platform/database/db.ts'
import {
  type AskedPage,
  COUNT_CAP,
  equals,
  type FilterOf,
  inAmount,
  inTime,
  tableSql,
} from '#server/platform/http/lists.ts'
import { idByNameSql, idsByNameSql, likePrefix } from '#server/platform/database/name-search.ts'
import { collectParams, type Params } from '#server/platform/database/sql.ts'
import { msSql, onlyRow } from '#server/platform/database/rows.ts'

type RequestRow = Omit<CashRequest, 'proposal'> & Pick<OpenProposalColumns, keyof OpenProposalColumns>

const SELECT = `select c.id, json_build_object('id', c.owner_id, 'username', u.username) as owner, c.kind,
    c.amount as "amountMinor", coalesce(c.rejection_reason, c.deposit_memo, '') as "memoOrReason",
    c.deposit_memo as "depositMemo", c.rejection_reason as "rejectionReason", c.withdrawal_note as "withdrawalNote",
    c.status, json_build_object('id', c.bank_id, 'accountNumber', c.account_number, 'accountHolder', c.account_holder,
      'bankName', c.bank_name, 'ownerId', c.owner_id) as bank,
    case when d.id is not null then json_build_object('id', d.id, 'username', d.username) end as "decidedBy",
    ${msSql('c.decided_at')} as "decidedAtMs", ${msSql('c.created_at')} as "createdAtMs", p.id as proposal_id,
    p.proposed_by, b.username as proposed_by_name, p.expires_at as proposal_expires_at
  from cash_requests c join users u on u.id = c.owner_id left join users d on d.id = c.decided_by
  left join money_proposals p on p.request_id = c.id and p.status = 'open' and p.expires_at > clock_timestamp()
  left join users b on b.id = p.proposed_by`

const toRequest = ({ proposal_id, proposed_by, proposed_by_name, proposal_expires_at, ...request }: RequestRow) => ({
  ...request,
  proposal: openProposalOf({ proposal_id, proposed_by, proposed_by_name, proposal_expires_at }),
})

/** Removes the proposal: the owner of a request that waits for a second person sees the request as simply pending. */
const withoutProposal = (request: CashRequest): CashRequest => ({ ...request, proposal: null })

export async function readRequest(db: Queryable, requestId: string): Promise<CashRequest | null> {
  const { rows } = await db.query<RequestRow>(`${SELECT} where c.id = $1`, [requestId])
  return rows[0] === undefined ? null : toRequest(rows[0])
}

export type RequestFilter = FilterOf<typeof requestList> & { readonly isForStaff: boolean }

const REQUEST_SORTS = { createdAt: 'c.created_at', money: 'c.amount' } as const

export const REQUESTS = tableSql<typeof requestList, RequestFilter>(requestList, {
  table: 'cash_requests c',
  id: 'c.id',
  sorts: REQUEST_SORTS,
  filters: {
    isForStaff: (isForStaff) => (isForStaff ? 'c.hidden_at is null' : null),
    userId: equals('c.owner_id'),
    status: equals('c.status'),
    type: equals('c.kind'),
    ...inTime('c.created_at'),
    ...inAmount('c.amount'),
    bank: bankSql,
    by: (name, add) => `c.decided_by = ${idByNameSql(name, add)}`,
    username: (name, add) => `c.owner_id = any(${idsByNameSql(name, add)})`,
  },
})

/**
 * Returns the SQL condition of a search for a bank; null for a blank search. Digits, also with separators, match the
 * end of an account number; any other text matches the beginning of a bank's name.
 */
function bankSql(search: string, add: Params['add']): string | null {
  if (search.trim() === '') return null
  const digits = search.replaceAll(/[\s.-]/g, '')
  return /^\d+$/.test(digits)
    ? `reverse(c.account_number) collate "C" like reverse(${add(digits)}) || '%'`
    : `lower(c.bank_name) collate "C" like lower(${add(likePrefix(search.trim()))})`
}

/** Lists one page of requests, and one request more if another page follows. */
export async function listRequests(db: Queryable, asked: AskedPage<RequestFilter>): Promise<CashRequest[]> {
  const params = collectParams()
  const { rows } = await db.query<RequestRow>(`${SELECT} ${REQUESTS.page(params, asked)}`, params.values)
  return rows.map(toRequest)
}

export const listOwnRequests = async (db: Queryable, asked: AskedPage<RequestFilter>): Promise<CashRequest[]> =>
  (await listRequests(db, asked)).map(withoutProposal)

/** Lists requests. `secondPerson` says why an approval by this admin would be a proposal, or is null (rules §3.10). */
export const listForStaff =
  (fourEyes: Pick<FourEyes, 'fromMinor'>, adminId: string) =>
  async (db: Queryable, asked: AskedPage<RequestFilter>): Promise<CashRequest[]> => {
    const requests = await listRequests(db, asked)
    const isUndecided = ({ status, proposal }: CashRequest) => status === 'pending' && proposal == null
    const owners = requests.filter(isUndecided).map(({ owner }) => owner.id)
    const whyOf = await foretellSecondPerson(db, fourEyes, adminId, owners)
    return requests.map((request) =>
      isUndecided(request) ? { ...request, secondPerson: whyOf(request.owner.id, request.amountMinor) } : request,
    )
  }

/** Counts and sums the newest `TOTAL_COUNTED_TO` requests that match the filter, by kind and status. */
export async function sumRequests(db: Queryable, filter: RequestFilter): Promise<RequestTotals> {
  const params = collectParams()
  const { rows } = await db.query<RequestTotals['groups'][number] & { seen: number }>(
    `select kind, status, (count(*) filter (where place <= ${TOTAL_COUNTED_TO}))::integer as requests,
            coalesce(sum(amount) filter (where place <= ${TOTAL_COUNTED_TO}), 0)::bigint as "amountMinor",
            count(*)::integer as seen
       from (select kind, status, amount, row_number() over (order by created_at desc, id desc) as place
               from (select c.kind, c.status, c.amount, c.created_at, c.id from cash_requests c ${REQUESTS.where(params, filter)}
                      order by c.created_at desc, c.id desc limit ${params.add(COUNT_CAP)}) newest) placed
      group by kind, status order by kind, status`,
    params.values,
  )
  return {
    groups: rows.filter(({ requests }) => requests > 0).map(({ seen: _, ...group }) => group),
    isCapped: rows.reduce((sum, { seen }) => sum + seen, 0) > TOTAL_COUNTED_TO,
  }
}

/** Reads the figures that limit the owner's next filing. The caller has locked the owner's accounts. */
export async function readFilings(tx: Tx, ownerId: string) {
  const { fillingAtMs, ...filings } = onlyRow(
    await tx.query<{
      pendingCount: number
      pendingDepositsMinor: bigint
      filedLastHour: number
      fillingAtMs: number | null
      now: Date
    }>(
      `select p.*, h.*, date_trunc('milliseconds', clock_timestamp()) as now
         from (select count(*)::integer as "pendingCount",
                      coalesce(sum(amount) filter (where kind = 'deposit'), 0)::bigint as "pendingDepositsMinor"
                 from cash_requests where owner_id = $1 and status = 'pending') p,
              (select count(*)::integer as "filedLastHour", ${msSql('min(created_at)')} as "fillingAtMs"
                 from (select created_at from cash_requests
                        where owner_id = $1 and created_at > clock_timestamp() - interval '1 hour'
                        order by created_at desc, id desc limit ${FILINGS_PER_HOUR}) newest) h`,
      [ownerId],
    ),
  )
  const isFull = filings.filedLastHour >= FILINGS_PER_HOUR && fillingAtMs !== null
  return { ...filings, nextFilingAtMs: isFull ? fillingAtMs + HOUR_MS : filings.now.getTime() }
}

const HOUR_MS = 3_600_000

export const readPending = async (db: Queryable) =>
  onlyRow(
    await db.query<{ pendingRequests: number; oldestPendingAtMs: number | null }>(
      `select count(*)::integer as "pendingRequests", ${msSql('min(created_at)')} as "oldestPendingAtMs"
         from cash_requests where status = 'pending' and hidden_at is null`,
    ),
  )
