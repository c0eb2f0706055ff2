import { points } from '#domain/money.ts'
import { parseBareToken, type ParsedToken } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'

/** The round of every bet in a run. */
export const ROUND_ID = '01900000-0000-7000-9000-000000000001'
export const STAKE_POINTS = 10
/** The type of the rounds that are settled. */
export const SETTLED_TYPE = '60s'
const WELCOME_POINTS = 1000

const USER_PREFIX = '01900000-0000-7000-8000-'
const SESSION_PREFIX = '01900000-0000-7000-a000-'

/** Returns SQL that computes the id of player `n`, so that the yardstick needs no look-up that our side lacks. */
export const userIdSql = (n: string): string => `('${USER_PREFIX}' || lpad(to_hex(${n}), 12, '0'))::uuid`
export const sessionIdSql = (n: string): string => `('${SESSION_PREFIX}' || lpad(to_hex(${n}), 12, '0'))::uuid`
/** The secret half of a token repeats the ids of user and session, so that every player's token can be computed. */
export const secretHashSql = (n: string): string =>
  `sha256(uuid_send(${userIdSql(n)}) || uuid_send(${sessionIdSql(n)}))`

/** Returns the bearer token of player `n`, counted from 1. */
export function tokenOf(n: number): string {
  const digits = n.toString(16).padStart(12, '0')
  const ids = `${USER_PREFIX}${digits}${SESSION_PREFIX}${digits}`.replaceAll('-', '')
  return `kp1.${Buffer.from(ids + ids, 'hex').toString('base64url')}`
}

export function parsedTokenOf(n: number): ParsedToken {
  const token = parseBareToken(tokenOf(n))
  if (token === null) throw new Error('The benchmark made a token that nobody can read.')
  return token
}

/**
 * Returns the numbers 1 to `count` in a fixed order that looks random. Both sides of a comparison use a random order,
 * because bets on adjacent rows would be cheaper than in production.
 */
export function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  let state = 1
  for (let last = count - 1; last > 0; last--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = Math.floor((state / 2 ** 32) * (last + 1))
    const kept = numbers[last] as number
    numbers[last] = numbers[other] as number
    numbers[other] = kept
  }
  return numbers
}

/**
 * Makes players 1 to `count`, each signed in and with a welcome transfer, and a running round. Analyses all tables,
 * because a connection that plans a foreign key's check on an almost empty table keeps the sequential scan for ever.
 */
export async function makeWorld(db: Database, count: number): Promise<void> {
  // The embedded engine blocks the event loop while a statement runs, so its statements are smaller.
  const step = db.engine === 'embedded' ? 1_000 : 20_000
  for (let from = 1; from <= count; from += step) {
    const range = [from, Math.min(count, from + step - 1)]
    const numbers = 'generate_series($1::bigint, $2::bigint) n'
    await db.tx(async (tx) => {
      await tx.query(
        `insert into users (id, username, username_key, password_hash)
         select ${userIdSql('n')}, 'p' || lpad(n::text, 7, '0'), 'p' || lpad(n::text, 7, '0'), '-' from ${numbers}`,
        range,
      )
      await tx.query(
        `insert into sessions (id, user_id, secret_hash, expires_at)
         select ${sessionIdSql('n')}, ${userIdSql('n')}, ${secretHashSql('n')}, clock_timestamp() + interval '7 days'
           from ${numbers}`,
        range,
      )
      await tx.query(
        `with opened as (
           insert into ledger_accounts (owner_id, kind, balance, transfer_count)
           select ${userIdSql('n')}, kind, case kind when 'wallet' then $3::bigint else 0 end,
               case kind when 'wallet' then 1 else 0 end
             from ${numbers}
            cross join unnest(array['wallet', 'staked', 'reserved']) with ordinality as k (kind, place)
            order by n, place
           returning id, owner_id, kind
         ), granted as (
           insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, created_at,
               wallet_account, wallet_seq, wallet_delta, wallet_balance_after)
           select 'user:' || o.owner_id || ':welcome', g.id, o.id, $3, 'WELCOME', 'system', 'user:' || o.owner_id,
               clock_timestamp(), o.id, 1, $3, $3
             from opened o join ledger_accounts g on g.kind = 'grants' where o.kind = 'wallet'
           returning amount
         )
         update ledger_accounts a set balance = a.balance - t.total, transfer_count = a.transfer_count + t.n
           from (select sum(amount) as total, count(*) as n from granted) t where a.kind = 'grants'`,
        [...range, points(WELCOME_POINTS)],
      )
    })
  }
  await makeRunningRound(db, ROUND_ID)
  await db.query('analyze')
}

/** Makes a round that runs for a day and is in the open book, with an index outside the calendar. */
export async function makeRunningRound(db: Database, id: string): Promise<void> {
  await db.query(
    `insert into rounds (id, type, index, opens_at, locks_at, closes_at, price_source, book)
     select $1, '60s', 900000000 + count(*), now() - interval '5 s', now() + interval '1 day',
         date_trunc('second', now() + interval '1 day'), 'simulated', 'open' from rounds`,
    [id],
  )
}
