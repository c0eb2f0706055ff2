import type { Found } from '#contract/finder.ts'
import type { Question } from '#domain/finder/question.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { findUsers } from '#server/features/identity/index.ts'
import type { Queryable, Row } from '#server/platform/db.ts'
import { isRefused } from '#server/platform/errors.ts'

/** Of each kind. Whoever does not find theirs among them types another letter. */
const SHOWN = 6

type User = Found['users'][number]

/** What a question may mean. Every reading has its own index, so that none reads more rows than it answers. */
export async function find(db: Queryable, reader: Subject, question: Question): Promise<Found> {
  const { name, ids, round, accountEnd } = question
  const [named, identified, rounds, requests, bets, banks] = await Promise.all([
    name === null ? [] : usersNamed(db, reader, name),
    ids === null ? [] : usersWithId(db, ids),
    findRounds(db, ids, round),
    ids === null ? [] : requestsWithId(db, ids),
    ids === null ? [] : betsWithId(db, ids),
    accountEnd === null ? [] : banksEndingWith(db, accountEnd),
  ])
  return { users: [...named, ...identified].slice(0, SHOWN), rounds, requests, bets, banks }
}

interface UserRow extends Row {
  id: string
  username: string
  role: User['role']
  is_frozen: boolean
  is_deleted: boolean
}

const USER_SELECT = `select id, username, role, is_frozen, deleted_at is not null as is_deleted from users`

const toUser = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  role: row.role,
  isFrozen: row.is_frozen,
  isDeleted: row.is_deleted,
})

/** Names that begin so in their order, the name itself first; then the newest accounts that have it anywhere else. */
async function usersNamed(db: Queryable, reader: Subject, name: string): Promise<User[]> {
  const { rows } = await db.query<UserRow>(
    `${USER_SELECT} where username_key collate "C" like $1 order by username_key collate "C", id limit ${SHOWN}`,
    [`${name}%`],
  )
  const users = rows.map(toUser)
  if (users.length === SHOWN) return users
  const found = await findUsers(db, {
    reader,
    filter: { username: name, isDeleted: false, userId: null, only: null },
    sort: { column: 'createdAt', isDescending: true },
    page: { page: 1, limit: 2 * SHOWN, offset: 0 },
  })
  // Only an order by totals may have to wait for them.
  const anywhere = isRefused(found) ? [] : found.users
  const others = anywhere.filter(({ id }) => !users.some((one) => one.id === id))
  return [
    ...users,
    ...others.map(({ id, username, role, isFrozen }) => ({ id, username, role, isFrozen, isDeleted: false })),
  ].slice(0, SHOWN)
}

type Ids = NonNullable<Question['ids']>

async function usersWithId(db: Queryable, { from, to }: Ids): Promise<User[]> {
  const { rows } = await db.query<UserRow>(
    `${USER_SELECT} where id between $1 and $2 order by id desc limit ${SHOWN}`,
    [from, to],
    { name: 'find-users-by-id' },
  )
  return rows.map(toUser)
}

interface RoundRow extends Row {
  id: string
  type: RoundType
  index: bigint
  opens_at: Date
}

const toRound = (row: RoundRow): Found['rounds'][number] => ({
  id: row.id,
  roundNumber: Number(row.index) + 1,
  type: row.type,
  opensAtMs: row.opens_at.getTime(),
})

/** A number names one round of each type, and after a delete its later attempts, too. */
async function findRounds(db: Queryable, ids: Question['ids'], round: Question['round']): Promise<Found['rounds']> {
  const select = 'select id, type, index, opens_at from rounds where hidden_at is null'
  const [numbered, identified] = await Promise.all([
    round === null
      ? null
      : db.query<RoundRow>(
          `${select} and type = any($1::text[]) and index = $2 order by opens_at desc, attempt desc limit ${SHOWN}`,
          [[...round.types], BigInt(round.roundNumber - 1)],
          { name: 'find-rounds-by-number' },
        ),
    ids === null
      ? null
      : db.query<RoundRow>(`${select} and id between $1 and $2 order by id desc limit ${SHOWN}`, [ids.from, ids.to], {
          name: 'find-rounds-by-id',
        }),
  ])
  return [...(numbered?.rows ?? []), ...(identified?.rows ?? [])].slice(0, SHOWN).map(toRound)
}

interface OwnedRow extends Row {
  id: string
  owner_id: string
  owner_name: string
}

const ownerOf = (row: OwnedRow) => ({ id: row.owner_id, username: row.owner_name })

interface RequestRow extends OwnedRow {
  kind: Found['requests'][number]['kind']
  amount: bigint
  status: Found['requests'][number]['status']
  created_at: Date
}

/** What staff hid is not in their lists, and not found. */
async function requestsWithId(db: Queryable, { from, to }: Ids): Promise<Found['requests']> {
  const { rows } = await db.query<RequestRow>(
    `select c.id, c.owner_id, u.username as owner_name, c.kind, c.amount, c.status, c.created_at
       from cash_requests c join users u on u.id = c.owner_id
      where c.id between $1 and $2 and c.hidden_at is null order by c.id desc limit ${SHOWN}`,
    [from, to],
    { name: 'find-requests-by-id' },
  )
  return rows.map((row) => ({
    id: row.id,
    owner: ownerOf(row),
    kind: row.kind,
    amountMinor: row.amount,
    status: row.status,
    createdAtMs: row.created_at.getTime(),
  }))
}

interface BetRow extends OwnedRow {
  direction: Found['bets'][number]['direction']
  stake: bigint
  status: Found['bets'][number]['status']
  accepted_at: Date
}

async function betsWithId(db: Queryable, { from, to }: Ids): Promise<Found['bets']> {
  const { rows } = await db.query<BetRow>(
    `select b.id, b.user_id as owner_id, u.username as owner_name, b.direction, b.stake, b.status, b.accepted_at
       from bets b join users u on u.id = b.user_id
      where b.id between $1 and $2 and b.hidden_at is null order by b.id desc limit ${SHOWN}`,
    [from, to],
    { name: 'find-bets-by-id' },
  )
  return rows.map((row) => ({
    id: row.id,
    owner: ownerOf(row),
    direction: row.direction,
    stakeMinor: row.stake,
    status: row.status,
    createdAtMs: row.accepted_at.getTime(),
  }))
}

interface BankRow extends OwnedRow {
  account_number: string
  account_holder: string
  bank_name: string
}

/** Read backwards, a number that ends so begins so: the index banks_number_end is in that order. */
async function banksEndingWith(db: Queryable, digits: string): Promise<Found['banks']> {
  const { rows } = await db.query<BankRow>(
    `select b.id, b.owner_id, u.username as owner_name, b.account_number, b.account_holder, b.bank_name
       from banks b join users u on u.id = b.owner_id
      where reverse(b.account_number) collate "C" like $1
      order by reverse(b.account_number) collate "C", b.id limit ${SHOWN}`,
    [`${digits.split('').toReversed().join('')}%`],
  )
  return rows.map((row) => ({
    id: row.id,
    owner: ownerOf(row),
    accountNumber: row.account_number,
    accountHolder: row.account_holder,
    bankName: row.bank_name,
  }))
}
