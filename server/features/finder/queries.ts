import type { Found } from '#contract/finder.ts'
import { type Question, ROUND_DIGITS_MAX } from '#domain/finder/question.ts'
import type { Minor } from '#domain/money.ts'
import { newestNamed } from '#server/features/identity/index.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'

/** At most this many results of each kind are shown. */
const SHOWN = 6

/** Finds what a typed text may mean (rules §6.14). */
export async function find(db: Queryable, question: Question, address: string | null): Promise<Found> {
  const { name, ids, round, amountMinor, accountEnd } = question
  const [named, identified, signedIn, rounds, identifiedRequests, ofAmount, adjustments, bets, banks] =
    await Promise.all([
      name === null ? [] : usersNamed(db, name),
      ids === null ? [] : usersWithId(db, ids),
      address === null ? [] : signInsFrom(db, address),
      findRounds(db, ids, round),
      ids === null ? [] : requestsWithId(db, ids),
      amountMinor === null ? [] : requestsOf(db, amountMinor),
      amountMinor === null ? [] : adjustmentsOf(db, amountMinor),
      ids === null ? [] : betsWithId(db, ids),
      accountEnd === null ? [] : banksEndingWith(db, accountEnd),
    ])
  const users = await readUsers(db, [...named, ...identified, ...signedIn.map(({ id }) => id)])
  const requests = [...new Map([...identifiedRequests, ...ofAmount].map((one) => [one.id, one])).values()]
  return {
    users: users.map((user) => ({ ...user, signedInAtMs: signedIn.find(({ id }) => id === user.id)?.atMs ?? null })),
    rounds,
    requests: requests.slice(0, SHOWN),
    adjustments,
    bets,
    banks,
  }
}

async function readUsers(db: Queryable, ids: readonly string[]): Promise<Found['users']> {
  if (ids.length === 0) return []
  const { rows } = await db.query<Found['users'][number]>(
    `select u.id, u.username, u.role, u.is_frozen as "isFrozen", u.deleted_at is not null as "isDeleted",
            a.balance as "balanceMinor",
            (select count(*)::integer from cash_requests c where c.owner_id = u.id and c.status = 'pending')
              as "waitingRequests"
       from users u join ledger_accounts a on a.owner_id = u.id and a.kind = 'wallet'
      where u.id = any($1::uuid[]) order by array_position($1::uuid[], u.id)`,
    [[...new Set(ids)].slice(0, SHOWN)],
    { name: 'find-read-users' },
  )
  return rows
}

interface Identified extends Row {
  id: string
}
const idsOf = (rows: readonly Identified[]): string[] => rows.map(({ id }) => id)

/** Returns users whose names begin with this text, by name, then the newest users whose names contain this text. */
async function usersNamed(db: Queryable, name: string): Promise<string[]> {
  const { rows } = await db.query<Identified>(
    `select id from users where username_key collate "C" like $1 order by username_key collate "C", id limit ${SHOWN}`,
    [`${name}%`],
  )
  if (rows.length === SHOWN) return idsOf(rows)
  return [...idsOf(rows), ...(await newestNamed(db, name, 2 * SHOWN))]
}

type Ids = NonNullable<Question['ids']>

async function usersWithId(db: Queryable, { from, to }: Ids): Promise<string[]> {
  const { rows } = await db.query<Identified>(
    `select id from users where id between $1 and $2 order by id desc limit ${SHOWN}`,
    [from, to],
    { name: 'find-users-by-id' },
  )
  return idsOf(rows)
}

/** Only this many of the newest sign-ins from an address are read: a whole office or town may share one address. */
const SIGN_INS_LOOKED_AT = 500

/** Returns users with a session from this address, latest first, then other users whose last known address this is. */
async function signInsFrom(db: Queryable, address: string) {
  const { rows } = await db.query<{ id: string; atMs: number | null }>(
    `select id, ${msSql('max(at)')} as "atMs" from (
       (select user_id as id, created_at as at from sessions where ip = $1 order by created_at desc limit ${SIGN_INS_LOOKED_AT})
       union all
       (select id, null from users where ip = $1 limit ${SHOWN})) s
      group by id order by max(at) desc nulls last, id limit ${SHOWN}`,
    [address],
    { name: 'find-sign-ins-by-address' },
  )
  return rows
}

type FoundRound = Found['rounds'][number]

const ROUND_COLUMNS = `id, (index + 1)::float8 as "roundNumber", type, ${msSql('opens_at')} as "opensAtMs"`

async function findRounds(db: Queryable, ids: Question['ids'], round: Question['round']): Promise<Found['rounds']> {
  const [numbered, identified] = await Promise.all([
    round === null ? [] : roundsNumbered(db, round),
    ids === null
      ? null
      : db.query<FoundRound>(
          `select ${ROUND_COLUMNS} from rounds where hidden_at is null and id between $1 and $2
            order by id desc limit ${SHOWN}`,
          [ids.from, ids.to],
          { name: 'find-rounds-by-id' },
        ),
  ])
  const found = new Map([...numbered, ...(identified?.rows ?? [])].map((row) => [row.id, row]))
  return [...found.values()].slice(0, SHOWN)
}

/** Per type, this many of the latest round numbers with the typed ending are looked up; some may have no round. */
const ENDINGS_LOOKED_AT = 20

/**
 * Returns the rounds with the number `roundNumber` first. Then rounds whose number begins with the digits `part`
 * alternate with rounds whose number ends with these digits, newest first. Beginnings are looked up as ranges of
 * numbers, endings as single numbers, so that the index rounds_by_type serves both.
 */
async function roundsNumbered(db: Queryable, { roundNumber, part, types }: NonNullable<Question['round']>) {
  const wanted = (numbers: string): string =>
    `cross join lateral (select id, type, index, opens_at, attempt from rounds
        where type = t.type and hidden_at is null and ${numbers} order by index desc, attempt desc limit ${SHOWN}) r`
  const endsAgain = part === null ? null : 10n ** BigInt(part.length)
  const missing = part === null || part.startsWith('0') ? 0 : ROUND_DIGITS_MAX - part.length
  const { rows } = await db.query<FoundRound>(
    `with types as materialized (
       select type, (select index + 1 from rounds r where r.type = a.type order by index desc limit 1) as latest
         from unnest($1::text[]) a (type)),
     found as (
       select 0 as way, r.* from types t ${wanted('index = $2::bigint - 1')}
       union all
       select 1, r.* from types t cross join generate_series(1, $5::int) more
         ${wanted('index >= $3::bigint * (10 ^ more)::bigint - 1 and index < ($3::bigint + 1) * (10 ^ more)::bigint - 1')}
       union all
       select 2, r.* from types t cross join generate_series(0, ${ENDINGS_LOOKED_AT - 1}) before
         ${wanted('index = t.latest - 1 - (t.latest - $3::bigint) % $4::bigint - before * $4::bigint')}
        where t.latest > $3::bigint)
     select ${ROUND_COLUMNS} from (
       select *, row_number() over (partition by way order by opens_at desc, attempt desc) as place from found) f
      order by way > 0, place, way limit ${2 * SHOWN}`,
    [[...types], ...[roundNumber, part].map((number) => (number === null ? null : BigInt(number))), endsAgain, missing],
    { name: 'find-rounds-by-number' },
  )
  return rows
}

const OWNER = (id: string): string => `json_build_object('id', ${id}, 'username', u.username) as owner`

/** Each query that uses this adds `hidden_at is null`, since requests that staff have hidden must not be found. */
const REQUEST_SELECT = `select c.id, ${OWNER('c.owner_id')}, c.kind, c.amount as "amountMinor", c.status,
    ${msSql('c.created_at')} as "createdAtMs"
    from cash_requests c join users u on u.id = c.owner_id`

type FoundRequest = Found['requests'][number]

async function requestsWithId(db: Queryable, { from, to }: Ids): Promise<Found['requests']> {
  const { rows } = await db.query<FoundRequest>(
    `${REQUEST_SELECT} where c.id between $1 and $2 and c.hidden_at is null order by c.id desc limit ${SHOWN}`,
    [from, to],
    { name: 'find-requests-by-id' },
  )
  return rows
}

/** Returns requests of this amount, pending ones first, and the newest first in either group: ids grow with time. */
async function requestsOf(db: Queryable, amountMinor: Minor): Promise<Found['requests']> {
  const newest = (more = '') =>
    `(select id from cash_requests where amount = $1 and hidden_at is null ${more} order by id desc limit ${SHOWN})`
  const { rows } = await db.query<FoundRequest>(
    `${REQUEST_SELECT} where c.id in (${newest(`and status = 'pending'`)} union ${newest()})
      order by c.status = 'pending' desc, c.id desc limit ${SHOWN}`,
    [amountMinor],
    { name: 'find-requests-by-amount' },
  )
  return rows
}

type Adjustment = NonNullable<Found['adjustments']>[number]

async function adjustmentsOf(db: Queryable, amountMinor: Minor): Promise<Adjustment[]> {
  const { rows } = await db.query<Adjustment>(
    `select t.id, ${OWNER('u.id')}, t.wallet_delta as "deltaMinor", ${msSql('t.created_at')} as "createdAtMs"
       from ledger_transfers t join ledger_accounts a on a.id = t.wallet_account join users u on u.id = a.owner_id
      where t.reason = 'ADJUSTMENT' and t.amount = $1 order by t.seq desc limit ${SHOWN}`,
    [amountMinor],
    { name: 'find-adjustments-by-amount' },
  )
  return rows
}

async function betsWithId(db: Queryable, { from, to }: Ids): Promise<Found['bets']> {
  const { rows } = await db.query<Found['bets'][number]>(
    `select b.id, ${OWNER('b.user_id')}, b.direction, b.stake as "stakeMinor", b.status,
            ${msSql('b.accepted_at')} as "createdAtMs"
       from bets b join users u on u.id = b.user_id
      where b.id between $1 and $2 and b.hidden_at is null order by b.id desc limit ${SHOWN}`,
    [from, to],
    { name: 'find-bets-by-id' },
  )
  return rows
}

/** Compares the numbers backwards: their ending is then a beginning, which the index banks_number_end can find. */
async function banksEndingWith(db: Queryable, digits: string): Promise<Found['banks']> {
  const { rows } = await db.query<Found['banks'][number]>(
    `select b.id, ${OWNER('b.owner_id')}, b.account_number as "accountNumber",
            b.account_holder as "accountHolder", b.bank_name as "bankName"
       from banks b join users u on u.id = b.owner_id
      where reverse(b.account_number) collate "C" like $1
      order by reverse(b.account_number) collate "C", b.id limit ${SHOWN}`,
    [`${digits.split('').toReversed().join('')}%`],
  )
  return rows
}
