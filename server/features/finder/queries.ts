import type { Found } from '#contract/finder.ts'
import type { Question } from '#domain/finder/question.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { findUsers } from '#server/features/identity/index.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { isRefused } from '#server/platform/http/errors.ts'

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

const USER_SELECT = `select id, username, role, is_frozen as "isFrozen", deleted_at is not null as "isDeleted" from users`

/** Names that begin so in their order, the name itself first; then the newest accounts that have it anywhere else. */
async function usersNamed(db: Queryable, reader: Subject, name: string): Promise<User[]> {
  const { rows: users } = await db.query<User>(
    `${USER_SELECT} where username_key collate "C" like $1 order by username_key collate "C", id limit ${SHOWN}`,
    [`${name}%`],
  )
  if (users.length === SHOWN) return users
  const found = await findUsers(db, {
    reader,
    filter: { username: name, deleted: 'false' },
    sort: { column: 'createdAt', isDescending: true },
    page: { page: 1, limit: 2 * SHOWN, offset: 0 },
    isWhole: false,
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
  const { rows } = await db.query<User>(
    `${USER_SELECT} where id between $1 and $2 order by id desc limit ${SHOWN}`,
    [from, to],
    { name: 'find-users-by-id' },
  )
  return rows
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

/** A row of what has an owner; with `createdAt` where its creation is shown. */
type Owned<T> = Omit<T, 'owner' | 'createdAtMs'> & { ownerId: string; ownerName: string }
const OWNER = (id: string): string => `${id} as "ownerId", u.username as "ownerName"`

/** What staff hid is not in their lists, and not found. */
async function requestsWithId(db: Queryable, { from, to }: Ids): Promise<Found['requests']> {
  const { rows } = await db.query<Owned<Found['requests'][number]> & { createdAt: Date }>(
    `select c.id, ${OWNER('c.owner_id')}, c.kind, c.amount as "amountMinor", c.status, c.created_at as "createdAt"
       from cash_requests c join users u on u.id = c.owner_id
      where c.id between $1 and $2 and c.hidden_at is null order by c.id desc limit ${SHOWN}`,
    [from, to],
    { name: 'find-requests-by-id' },
  )
  return rows.map(({ ownerId: id, ownerName: username, createdAt, ...row }) => ({
    ...row,
    owner: { id, username },
    createdAtMs: createdAt.getTime(),
  }))
}

async function betsWithId(db: Queryable, { from, to }: Ids): Promise<Found['bets']> {
  const { rows } = await db.query<Owned<Found['bets'][number]> & { createdAt: Date }>(
    `select b.id, ${OWNER('b.user_id')}, b.direction, b.stake as "stakeMinor", b.status, b.accepted_at as "createdAt"
       from bets b join users u on u.id = b.user_id
      where b.id between $1 and $2 and b.hidden_at is null order by b.id desc limit ${SHOWN}`,
    [from, to],
    { name: 'find-bets-by-id' },
  )
  return rows.map(({ ownerId: id, ownerName: username, createdAt, ...row }) => ({
    ...row,
    owner: { id, username },
    createdAtMs: createdAt.getTime(),
  }))
}

/** Read backwards, a number that ends so begins so: the index banks_number_end is in that order. */
async function banksEndingWith(db: Queryable, digits: string): Promise<Found['banks']> {
  const { rows } = await db.query<Owned<Found['banks'][number]>>(
    `select b.id, ${OWNER('b.owner_id')}, b.account_number as "accountNumber",
            b.account_holder as "accountHolder", b.bank_name as "bankName"
       from banks b join users u on u.id = b.owner_id
      where reverse(b.account_number) collate "C" like $1
      order by reverse(b.account_number) collate "C", b.id limit ${SHOWN}`,
    [`${digits.split('').toReversed().join('')}%`],
  )
  return rows.map(({ ownerId: id, ownerName: username, ...row }) => ({ ...row, owner: { id, username } }))
}
