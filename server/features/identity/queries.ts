import type { BankAccount } from '#contract/banks.ts'
import type { Me, StaffUser, UserConfig } from '#contract/identity.ts'
import { PRESET_STAKES, type ScriptedOutcome } from '#domain/game/bet.ts'
import { RATE_PERCENT } from '#domain/game/calendar.ts'
import { usernameSearchKey } from '#domain/identity/credentials.ts'
import type { Role } from '#domain/identity/permissions.ts'
import type { Queryable, Row } from '#server/platform/db.ts'
import { COUNT_CAP, type Page } from '#server/platform/lists.ts'
import { collectParams, type Params } from '#server/platform/sql.ts'

export interface UserRow extends Row {
  id: string
  username: string
  avatar: string | null
  role: Role
  balance: bigint
  transfer_count: bigint
  credit_score: number
  vip: number | null
  is_frozen: boolean
  scripted_outcome: ScriptedOutcome | null
  row_version: bigint
  must_change_password: boolean
  password_reset_at: Date | null
  ip: string | null
  created_at: Date
  deleted_at: Date | null
  banks: BankAccount[]
}

const USER_SELECT = `select u.id, u.username, u.avatar, u.role, a.balance, a.transfer_count, u.credit_score, u.vip,
    u.is_frozen, u.scripted_outcome, u.row_version, u.must_change_password, u.password_reset_at, u.ip, u.created_at,
    u.deleted_at, coalesce((
      select json_agg(json_build_object('id', b.id, 'accountNumber', b.account_number, 'accountHolder', b.account_holder,
          'bankName', b.bank_name, 'ownerId', b.owner_id) order by b.created_at, b.id)
        from banks b where b.owner_id = u.id), '[]') as banks
  from users u join ledger_accounts a on a.owner_id = u.id and a.kind = 'wallet'`

/** A user with balance and banks from the same snapshot; null when no user has this id. */
export async function readUser(db: Queryable, userId: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(`${USER_SELECT} where u.id = $1`, [userId], { name: 'read-user' })
  return rows[0] ?? null
}

const toUser = (row: UserRow) => ({
  id: row.id,
  username: row.username,
  avatar: row.avatar,
  role: row.role,
  balanceMinor: row.balance,
  creditScore: row.credit_score,
  vip: row.vip,
  isFrozen: row.is_frozen,
  scriptedOutcome: row.scripted_outcome,
  banks: row.banks,
  version: `${row.row_version}.${row.transfer_count}`,
  createdAtMs: row.created_at.getTime(),
  mustChangePassword: row.must_change_password,
})

/** A user as its own account sees it. */
export const toMe = (row: UserRow): Me => ({
  ...toUser(row),
  passwordResetAtMs: row.password_reset_at?.getTime() ?? null,
})

/** A user as staff see it (rules §4). */
export const toStaffUser = (row: UserRow): StaffUser => ({
  ...toUser(row),
  ip: row.ip,
  deletedAtMs: row.deleted_at?.getTime() ?? null,
})

/** The data that the game screen needs (rules §6). */
export const toUserConfig = (row: UserRow, serverTimeMs: number): UserConfig => ({
  balanceMinor: row.balance,
  creditScore: row.credit_score,
  vip: row.vip,
  isFrozen: row.is_frozen,
  scriptedOutcome: row.scripted_outcome,
  banks: row.banks,
  rates: RATE_PERCENT,
  presetStakes: [...PRESET_STAKES],
  serverTimeMs,
})

/** Columns by which the list can be sorted: the API's name and the column. */
export const USER_SORTS = { createdAt: 'u.created_at', username: 'u.username_key collate "C"' } as const
export type UserSort = keyof typeof USER_SORTS

export interface UserFilter {
  readonly username: string | null
  /** Null matches both. */
  readonly isDeleted: boolean | null
  readonly userId: string | null
  readonly only: 'admins' | 'frozen' | 'scripted' | null
}

/** Written like the conditions of the partial indexes in the migrations, so that those are used. */
const ONLY = { admins: `u.role = 'admin'`, frozen: 'u.is_frozen', scripted: 'u.scripted_outcome is not null' } as const

/** Longest part of a name that is indexed, in characters (name_parts of the migrations). */
const PART_LETTERS = 3

/** The indexed parts of any name that contains `key`; a shorter key is a part itself. */
const partsOf = (key: string): string[] =>
  Array.from({ length: Math.max(1, key.length - PART_LETTERS + 1) }, (_, at) => key.slice(at, at + PART_LETTERS))

/**
 * Matches the search text anywhere in the name; null when no name can contain it.
 * @param isByParts makes the search use the index of name parts and no other one
 */
function conditions(
  { username, isDeleted, userId, only }: UserFilter,
  isByParts = false,
): { text: string; params: Params; isSearch: boolean } | null {
  const key = username === null ? '' : usernameSearchKey(username)
  if (!/^[a-z0-9]*$/.test(key)) return null
  const params = collectParams()
  const parts: string[] = []
  const said = (condition: string) => parts.push(isByParts ? `(${condition}) is true` : condition)
  if (isDeleted !== null) said(isDeleted ? 'u.deleted_at is not null' : 'u.deleted_at is null')
  if (userId !== null) parts.push(`u.id = ${params.add(userId)}`)
  if (only !== null) said(ONLY[only])
  if (key !== '') {
    if (isByParts) parts.push(`name_parts(u.username_key) @> ${params.add(partsOf(key))}::text[]`)
    parts.push(`u.username_key like '%' || ${params.add(key)} || '%'`)
  }
  return { text: parts.length === 0 ? 'true' : parts.join(' and '), params, isSearch: key !== '' }
}

export interface UserSearch {
  readonly filter: UserFilter
  readonly sort: { readonly column: UserSort; readonly isDescending: boolean }
  readonly page: Page
}

export interface FoundUsers {
  /** One more than the page holds. */
  readonly users: StaffUser[]
  /** Number of matching users, counted only up to COUNT_CAP. */
  readonly counted: number
}

/** The newest users, this many, serve as a sample: does the search match at least a tenth of all names? */
const SAMPLE_ROWS = 2_000

/**
 * A page of users. A search with few matches reads the index of name parts and sorts the result. A search with many
 * matches reads in the list's order until the page is full. The other way round, each would read all users.
 */
export async function findUsers(db: Queryable, { filter, sort, page }: UserSearch): Promise<FoundUsers> {
  const walked = conditions(filter)
  if (walked === null) return { users: [], counted: 0 }
  const direction = sort.isDescending ? 'desc' : 'asc'
  const order = `${USER_SORTS[sort.column]} ${direction}, u.id ${direction}`
  const isDense = !walked.isSearch || (await isMatchedByMany(db, filter))
  if (!isDense) {
    const found = await searchByParts(db, filter, order, page)
    if (found.counted < COUNT_CAP) return { users: await readUsers(db, found.ids, order), counted: found.counted }
  }
  const { text, params } = walked
  const [counted, ids] = await Promise.all([
    isDense ? countUsers(db, filter) : COUNT_CAP,
    db.query<{ id: string }>(
      `select u.id from users u where ${text} order by ${order}
        limit ${params.add(page.limit + 1)} offset ${params.add(page.offset)}`,
      params.values,
    ),
  ])
  return {
    users: await readUsers(
      db,
      ids.rows.map(({ id }) => id),
      order,
    ),
    counted,
  }
}

async function isMatchedByMany(db: Queryable, filter: UserFilter): Promise<boolean> {
  const like = conditions({ ...filter, isDeleted: null, userId: null, only: null })
  if (like === null) return false
  const { rows } = await db.query<{ n: bigint }>(
    `select count(*) as n from (select * from users where deleted_at is null
        order by created_at desc, id desc limit ${SAMPLE_ROWS}) u where ${like.text}`,
    like.params.values,
  )
  return Number(rows[0]?.n ?? 0n) * 10 >= SAMPLE_ROWS
}

/** Counts, sorts and cuts the page in one pass over the matches. The ids are valid when the count is below its cap. */
async function searchByParts(
  db: Queryable,
  filter: UserFilter,
  order: string,
  page: Page,
): Promise<{ ids: string[]; counted: number }> {
  const found = conditions(filter, true)
  if (found === null) return { ids: [], counted: 0 }
  const { text, params } = found
  const { rows } = await db.query<{ n: bigint; ids: string[] }>(
    `with u as materialized (
       select u.id, u.username_key, u.created_at from users u where ${text} limit ${COUNT_CAP})
     select (select count(*) from u) as n,
            array(select u.id::text from u order by ${order}
              limit ${params.add(page.limit + 1)} offset ${params.add(page.offset)}) as ids`,
    params.values,
  )
  return { ids: rows[0]?.ids ?? [], counted: Number(rows[0]?.n ?? 0n) }
}

async function countUsers(db: Queryable, filter: UserFilter): Promise<number> {
  const found = conditions(filter)
  if (found === null) return 0
  const { rows } = await db.query<{ n: bigint }>(
    `select count(*) as n from (select 1 from users u where ${found.text} limit ${COUNT_CAP}) counted`,
    found.params.values,
  )
  return Number(rows[0]?.n ?? 0n)
}

/** Balances and banks are looked up only for the rows of the page, however deep it lies. */
async function readUsers(db: Queryable, ids: readonly string[], order: string): Promise<StaffUser[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<UserRow>(`${USER_SELECT} where u.id = any($1::uuid[]) order by ${order}`, [ids])
  return rows.map(toStaffUser)
}
