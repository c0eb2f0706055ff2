import type { Me, UserConfig } from '#contract/identity.ts'
import type { StaffUser, userList } from '#contract/staff-users.ts'
import { PRESET_STAKES } from '#domain/game/bet.ts'
import { RATE_PERCENT } from '#domain/game/calendar.ts'
import { usernameParts } from '#domain/identity/credentials.ts'
import type { Capability, Subject } from '#domain/identity/permissions.ts'
import { readTotalsAtMs } from '#server/features/wallet/index.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { COUNT_CAP, countRows, type FilterOf, type Page, type Sort, WHOLE_LIST } from '#server/platform/http/lists.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { collectParams, type Params } from '#server/platform/database/sql.ts'
import { foldForSearch } from '#domain/search-text.ts'

export type UserRow = Omit<StaffUser, 'capabilities' | 'version'> &
  Pick<Me, 'passwordResetAtMs'> & { capabilities: Capability[]; rowVersion: bigint; walletVersion: bigint }

const USER_SELECT = `select u.id, u.username, u.avatar, u.role, u.capabilities, a.balance as "balanceMinor",
    (select s.balance from ledger_accounts s where s.owner_id = u.id and s.kind = 'staked') as "stakedMinor",
    u.credit_score as "creditScore", u.vip, u.is_frozen as "isFrozen", u.scripted_outcome as "scriptedOutcome",
    u.row_version as "rowVersion", a.transfer_count as "walletVersion", u.must_change_password as "mustChangePassword",
    ${msSql('u.password_reset_at')} as "passwordResetAtMs", u.ip, ${msSql('u.created_at')} as "createdAtMs",
    ${msSql('u.deleted_at')} as "deletedAtMs", coalesce((
      select json_agg(json_build_object('id', b.id, 'accountNumber', b.account_number, 'accountHolder', b.account_holder,
          'bankName', b.bank_name, 'ownerId', b.owner_id) order by b.created_at, b.id)
        from banks b where b.owner_id = u.id), '[]') as banks
  from users u join ledger_accounts a on a.owner_id = u.id and a.kind = 'wallet'`

export async function readUser(db: Queryable, userId: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(`${USER_SELECT} where u.id = $1`, [userId], { name: 'read-user' })
  return rows[0] ?? null
}

export async function readStaffUser(db: Queryable, userId: string, reader: Reader): Promise<StaffUser | null> {
  const row = await readUser(db, userId)
  return row === null ? null : toStaffUser(row, reader)
}

/** The result has more fields than `Me`, such as the IP address, which the contract's codec does not send. */
export const toMe = (row: UserRow) => ({ ...row, version: `${row.rowVersion}.${row.walletVersion}` })

type Reader = Pick<Subject, 'capabilities'>

/** Returns a user as an admin may see it. Only admins with the capability `users` get the IP address (rules §4.5). */
export const toStaffUser = (row: UserRow, { capabilities }: Reader): StaffUser => ({
  ...toMe(row),
  ip: capabilities.includes('users') ? row.ip : null,
})

export const toUserConfig = (row: UserRow, serverTimeMs: number): UserConfig => ({
  ...row,
  rates: RATE_PERCENT,
  presetStakes: [...PRESET_STAKES],
  serverTimeMs,
})

/** SQL columns for sorting. `t` is account_totals, whose values may be older than the balances shown. */
const USER_SORTS = {
  createdAt: 'u.created_at',
  username: 'u.username_key collate "C"',
  credit: 'u.credit_score',
  balance: 't.balance',
  staked: 't.staked',
} as const satisfies Readonly<Record<UserSort, string>>
type UserSort = (typeof userList.sorts)[number]

/** If `deleted` is undefined, a filter matches deleted users, too. */
type UserFilter = FilterOf<typeof userList>

/** These conditions are spelled like those of partial indexes in the migrations, so PostgreSQL can use the indexes. */
const ONLY = { admins: `u.role = 'admin'`, frozen: 'u.is_frozen', scripted: 'u.scripted_outcome is not null' } as const

const keyOf = ({ username }: UserFilter): string => (username === undefined ? '' : foldForSearch(username))

/**
 * @param isByParts true to search by the index of name parts. `is true` is then added to the conditions for `deleted`
 *   and `only`, so that PostgreSQL cannot use an index for these instead
 */
function conditions({ add }: Params, filter: UserFilter, isByParts = false): string {
  const { deleted, userId, ids, only } = filter
  const key = keyOf(filter)
  const parts: string[] = []
  const said = (condition: string) => parts.push(isByParts ? `(${condition}) is true` : condition)
  if (deleted !== undefined) said(deleted === 'true' ? 'u.deleted_at is not null' : 'u.deleted_at is null')
  if (userId !== undefined) parts.push(`u.id = ${add(userId)}`)
  if (ids !== undefined) parts.push(`u.id = any(${add([...ids])}::uuid[])`)
  if (only !== undefined) said(ONLY[only])
  if (key !== '') {
    if (isByParts) parts.push(`name_parts(u.username_key) @> ${add(usernameParts(key))}::text[]`)
    parts.push(`u.username_key like '%' || ${add(key)} || '%'`)
  }
  return parts.length === 0 ? 'true' : parts.join(' and ')
}

export interface UserSearch {
  readonly reader: Reader
  readonly filter: UserFilter
  readonly sort: Sort<UserSort>
  readonly page: Page
  readonly isWhole: boolean
}

const isByTotals = (sort: UserSort): sort is 'balance' | 'staked' => sort === 'balance' || sort === 'staked'

/** Number of newest users in a sample. If a tenth of this number match, the search is assumed to match many users. */
const SAMPLE_ROWS = 2_000

/**
 * Returns a page of users. A search with few matches finds them by the index of name parts and sorts them. A search
 * with many matches reads users in the list's order until the page is full, since sorting them all would take longer.
 * Sorting by totals is refused until the totals have been computed.
 */
export async function findUsers(
  db: Queryable,
  { filter, sort, page, reader, isWhole }: UserSearch,
): Promise<
  | { orderedAtMs: number | null; users: StaffUser[]; counted: number; ids: string[] | undefined }
  | RefusedBy<'listUsers'>
> {
  const isTotals = isByTotals(sort.column)
  const orderedAtMs = isTotals ? await readTotalsAtMs(db) : null
  if (isTotals && orderedAtMs === null) return refuse('TOTALS_NOT_READY')
  const found = await findIds(db, filter, sort, page)
  const ids = isWhole ? [...(await findIds(db, filter, sort, WHOLE_LIST)).ids] : undefined
  return { orderedAtMs, counted: found.counted, users: await readUsers(db, found.ids, reader), ids }
}

interface FoundIds {
  readonly ids: readonly string[]
  readonly counted: number
}

async function findIds(db: Queryable, filter: UserFilter, sort: UserSearch['sort'], page: Page): Promise<FoundIds> {
  const key = keyOf(filter)
  // Usernames have only Latin letters and digits, so a key with any other character matches nothing.
  if (!/^[a-z0-9]*$/.test(key)) return { ids: [], counted: 0 }
  const isDense = key === '' || (await isMatchedByMany(db, filter))
  if (!isDense) {
    const found = await searchByParts(db, filter, sort, page)
    if (found.counted < COUNT_CAP) return found
  }
  const params = collectParams()
  const [counted, ids] = await Promise.all([
    isDense
      ? countRows(db, (own) => `select 1 from users u where ${conditions(own, filter)} limit ${COUNT_CAP}`)
      : COUNT_CAP,
    db.query<{ id: string }>(
      `select u.id ${tablesOf(sort, 'users')} where ${conditions(params, filter)} order by ${orderOf(sort)}
        limit ${params.add(page.limit + 1)} offset ${params.add(page.offset)}`,
      params.values,
    ),
  ])
  return { ids: ids.rows.map(({ id }) => id), counted }
}

/** Users with equal values are sorted by id in the same direction, so that an index can be read in this order. */
function orderOf({ column, isDescending }: UserSearch['sort']): string {
  const direction = isDescending ? 'desc' : 'asc'
  return `${USER_SORTS[column]} ${direction}, ${isByTotals(column) ? 't.user_id' : 'u.id'} ${direction}`
}

const tablesOf = ({ column }: UserSearch['sort'], users: string): string =>
  `from ${users} u${isByTotals(column) ? ' join account_totals t on t.user_id = u.id' : ''}`

async function isMatchedByMany(db: Queryable, filter: UserFilter): Promise<boolean> {
  const params = collectParams()
  const { rows } = await db.query<{ n: bigint }>(
    `select count(*) as n from (select * from users where deleted_at is null
        order by created_at desc, id desc limit ${SAMPLE_ROWS}) u where ${conditions(params, { username: filter.username })}`,
    params.values,
  )
  return Number(rows[0]?.n ?? 0n) * 10 >= SAMPLE_ROWS
}

/** Counts matches up to COUNT_CAP and reads the ids of a page, which are right only if the count is below this cap. */
async function searchByParts(db: Queryable, filter: UserFilter, sort: UserSearch['sort'], page: Page) {
  const params = collectParams()
  const { rows } = await db.query<{ n: bigint; ids: string[] }>(
    `with found as materialized (
       select u.id, u.username_key, u.created_at, u.credit_score from users u where ${conditions(params, filter, true)} limit ${COUNT_CAP})
     select (select count(*) from found) as n,
            array(select u.id::text ${tablesOf(sort, 'found')} order by ${orderOf(sort)}
              limit ${params.add(page.limit + 1)} offset ${params.add(page.offset)}) as ids`,
    params.values,
  )
  return { ids: rows[0]?.ids ?? [], counted: Number(rows[0]?.n ?? 0n) }
}

/** Number of newest users searched first. The index of name parts is read only if too few of these users match. */
const NEWEST_READ = 5_000

/**
 * Returns ids of undeleted users whose names contain `key`, newest first. Reads COUNT_CAP matches at most, so that some
 * of the newest users may be left out if more match.
 */
export async function newestNamed(db: Queryable, key: string, limit: number): Promise<string[]> {
  const among = async (users: string, params: Params) => {
    const { rows } = await db.query<{ id: string }>(
      `with found as materialized (${users}) select id from found order by created_at desc, id desc limit ${params.add(limit)}`,
      params.values,
    )
    return rows.map(({ id }) => id)
  }
  const newest = collectParams()
  const found = await among(
    `select id, created_at from (select id, created_at, username_key from users where deleted_at is null
       order by created_at desc, id desc limit ${NEWEST_READ}) u where username_key like '%' || ${newest.add(key)} || '%'`,
    newest,
  )
  if (found.length === limit) return found
  const params = collectParams()
  const filter = conditions(params, { username: key, deleted: 'false' }, true)
  return among(`select u.id, u.created_at from users u where ${filter} limit ${COUNT_CAP}`, params)
}

async function readUsers(db: Queryable, ids: readonly string[], reader: Reader): Promise<StaffUser[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<UserRow>(
    `${USER_SELECT} where u.id = any($1::uuid[]) order by array_position($1::uuid[], u.id)`,
    [ids],
  )
  return rows.map((row) => toStaffUser(row, reader))
}
