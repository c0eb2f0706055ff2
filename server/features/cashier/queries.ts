import { type CashRequest, requestList } from '#contract/cashier.ts'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import type { RequestTotals } from '#contract/staff-requests.ts'
import { FILINGS_PER_HOUR, type RequestKind, type RequestStatus } from '#domain/cashier/request.ts'
import {
  type FourEyes,
  foretellSecondPerson,
  type OpenProposalColumns,
  openProposalOf,
} from '#server/features/four-eyes/index.ts'
import type { Queryable, Row, Tx } from '#server/platform/database/db.ts'
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

export interface RequestRow extends Row, OpenProposalColumns {
  id: string
  owner_id: string
  username: string
  kind: RequestKind
  amount: bigint
  deposit_memo: string | null
  withdrawal_note: string | null
  bank_id: string
  account_number: string
  account_holder: string
  bank_name: string
  status: RequestStatus
  rejection_reason: string | null
  decided_by: string | null
  decided_by_name: string | null
  decided_at: Date | null
  created_at: Date
}

const SELECT = `select c.id, c.owner_id, u.username, c.kind, c.amount, c.deposit_memo, c.withdrawal_note, c.bank_id,
    c.account_number, c.account_holder, c.bank_name, c.status, c.rejection_reason, c.decided_by, d.username as decided_by_name,
    c.decided_at, c.created_at, p.id as proposal_id, p.proposed_by, b.username as proposed_by_name,
    p.expires_at as proposal_expires_at
  from cash_requests c join users u on u.id = c.owner_id left join users d on d.id = c.decided_by
  left join money_proposals p on p.request_id = c.id and p.status = 'open' and p.expires_at > clock_timestamp()
  left join users b on b.id = p.proposed_by`

const toRequest = (row: RequestRow): CashRequest => ({
  id: row.id,
  owner: { id: row.owner_id, username: row.username },
  kind: row.kind,
  amountMinor: row.amount,
  memoOrReason: row.rejection_reason ?? row.deposit_memo ?? '',
  depositMemo: row.deposit_memo,
  rejectionReason: row.rejection_reason,
  withdrawalNote: row.withdrawal_note,
  status: row.status,
  bank: {
    id: row.bank_id,
    accountNumber: row.account_number,
    accountHolder: row.account_holder,
    bankName: row.bank_name,
    ownerId: row.owner_id,
  },
  decidedBy:
    row.decided_by === null || row.decided_by_name === null
      ? null
      : { id: row.decided_by, username: row.decided_by_name },
  decidedAtMs: row.decided_at === null ? null : row.decided_at.getTime(),
  createdAtMs: row.created_at.getTime(),
  proposal: openProposalOf(row),
})

/** A withdrawal that waits for a second person only shows as being processed. */
const withoutProposal = (request: CashRequest): CashRequest => ({ ...request, proposal: null })

export async function readRequest(db: Queryable, requestId: string): Promise<CashRequest | null> {
  const { rows } = await db.query<RequestRow>(`${SELECT} where c.id = $1`, [requestId])
  return rows[0] === undefined ? null : toRequest(rows[0])
}

export type RequestFilter = FilterOf<typeof requestList> & {
  readonly isForStaff: boolean
}

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
 * A search among banks: by the end of an account number, for which an index holds the digits backwards, or by the
 * beginning of a name. Separators between digits are dropped, since people group them.
 */
function bankSql(search: string, add: Params['add']): string | null {
  if (search.trim() === '') return null
  const digits = search.replaceAll(/[\s.-]/g, '')
  return /^\d+$/.test(digits)
    ? `reverse(c.account_number) collate "C" like reverse(${add(digits)}) || '%'`
    : `lower(c.bank_name) collate "C" like lower(${add(likePrefix(search.trim()))})`
}

/** One more than the page holds. */
export async function listRequests(db: Queryable, asked: AskedPage<RequestFilter>): Promise<CashRequest[]> {
  const params = collectParams()
  const { rows } = await db.query<RequestRow>(`${SELECT} ${REQUESTS.page(params, asked)}`, params.values)
  return rows.map(toRequest)
}

export const listOwnRequests = async (db: Queryable, asked: AskedPage<RequestFilter>): Promise<CashRequest[]> =>
  (await listRequests(db, asked)).map(withoutProposal)

/** A request says so where one admin's approval would leave it to a second person. */
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

interface TotalsRow extends Row {
  kind: RequestKind
  status: RequestStatus
  n: bigint
  amount: bigint
  seen: bigint
}

/** Of the newest 10,000 requests of a filter. */
export async function sumRequests(db: Queryable, filter: RequestFilter): Promise<RequestTotals> {
  const params = collectParams()
  const { rows } = await db.query<TotalsRow>(
    `select kind, status, count(*) filter (where place <= ${TOTAL_COUNTED_TO}) as n,
            coalesce(sum(amount) filter (where place <= ${TOTAL_COUNTED_TO}), 0)::bigint as amount, count(*) as seen
       from (select kind, status, amount, row_number() over (order by created_at desc, id desc) as place
               from (select c.kind, c.status, c.amount, c.created_at, c.id from cash_requests c ${REQUESTS.where(params, filter)}
                      order by c.created_at desc, c.id desc limit ${params.add(COUNT_CAP)}) newest) placed
      group by kind, status order by kind, status`,
    params.values,
  )
  return {
    groups: rows
      .filter(({ n }) => n > 0n)
      .map(({ kind, status, n, amount }) => ({ kind, status, requests: Number(n), amountMinor: amount })),
    isCapped: rows.reduce((sum, { seen }) => sum + Number(seen), 0) > TOTAL_COUNTED_TO,
  }
}

/** Read under the account's lock. */
export async function readFilings(
  tx: Tx,
  ownerId: string,
): Promise<{
  readonly pendingCount: number
  readonly pendingDepositsMinor: bigint
  readonly filedLastHour: number
  /** When the oldest of the filings that fill the hour leaves it; now when the hour is not full. */
  readonly nextFilingAtMs: number
  readonly now: Date
}> {
  const { rows } = await tx.query<{
    pending: bigint
    deposits: bigint
    filed: bigint
    filling_at: Date | null
    now: Date
  }>(
    `select p.pending, p.deposits, h.filed, h.filling_at, date_trunc('milliseconds', clock_timestamp()) as now
       from (select count(*) as pending, coalesce(sum(amount) filter (where kind = 'deposit'), 0)::bigint as deposits
               from cash_requests where owner_id = $1 and status = 'pending') p,
            (select count(*) as filed, min(created_at) as filling_at
               from (select created_at from cash_requests
                      where owner_id = $1 and created_at > clock_timestamp() - interval '1 hour'
                      order by created_at desc, id desc limit ${FILINGS_PER_HOUR}) newest) h`,
    [ownerId],
  )
  const row = rows[0]
  if (row === undefined) throw new Error('A count without a row.')
  const filedLastHour = Number(row.filed)
  return {
    pendingCount: Number(row.pending),
    pendingDepositsMinor: row.deposits,
    filedLastHour,
    nextFilingAtMs:
      filedLastHour < FILINGS_PER_HOUR || row.filling_at === null
        ? row.now.getTime()
        : row.filling_at.getTime() + HOUR_MS,
    now: row.now,
  }
}

const HOUR_MS = 3_600_000

export async function readPending(
  db: Queryable,
): Promise<{ pendingRequests: number; oldestPendingAtMs: number | null }> {
  const { rows } = await db.query<{ n: bigint; oldest: Date | null }>(
    `select count(*) as n, min(created_at) as oldest from cash_requests where status = 'pending' and hidden_at is null`,
  )
  return { pendingRequests: Number(rows[0]?.n ?? 0n), oldestPendingAtMs: rows[0]?.oldest?.getTime() ?? null }
}
