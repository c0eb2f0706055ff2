import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { usernameKey } from '#domain/identity/credentials.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import type { Database, Queryable, Row } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { addressKey } from '#server/platform/http/addresses.ts'
import { type Query, sql, sqlText, statement } from '#server/platform/database/sql.ts'
import { type Hasher, inPasswordTurn } from './passwords.ts'

/** This many failures on an account from one source (address, device, session) block the pair of both (rules §4.7). */
const PAIR_FAILURES = 10
const PAIR_WINDOW = sqlText(`interval '15 minutes'`)

/** Failures per hour that block an account or an address. Failures on known devices and in sessions do not count. */
const HOURLY_FAILURES = 100
const HOURLY_WINDOW = sqlText(`interval '1 hour'`)

/** A refusal is cached for this long, so that a client that keeps trying reaches neither the queue nor the database. */
const REMEMBERED_MS = 5_000
const SENT_AWAY_AFTER_MS = 1_000
const HELD_BACK_AT_MOST = 2_000
const REMEMBERED_AT_MOST = 10_000

export interface Attempt {
  readonly username: string
  readonly ip: string
  /** Name of the known device or session, whose failures are counted apart; null if there is neither. */
  readonly knownAs: string | null
}

export type Attempted<T> =
  /** The attempt counts as failed until the row with the id `attemptId` is deleted: see GIVE_BACK. */
  | { readonly is: 'right'; readonly value: T; readonly attemptId: string }
  | { readonly is: 'wrong' }
  | { readonly is: 'blocked'; readonly forS: number }

/** A CTE that deletes a counted attempt, because the password was right. */
export const GIVE_BACK = sql`given_back as (delete from password_attempts where id = ${'attemptId'}::uuid)`

const GIVE_BACK_ALONE = statement(sql`with ${GIVE_BACK} select 1`)

export const giveBack = async (db: Queryable, attemptId: string): Promise<void> =>
  void (await db.query(...GIVE_BACK_ALONE({ attemptId })))

export const READ_NOTHING: Query = statement(sql`select 1`)({})

interface Counted {
  readonly account: Uint8Array
  readonly source: string
  readonly isKnown: boolean
  /** For each limit that applies: the column of `RESERVE` with the time to wait, and a key for locks and refusals. */
  readonly limits: ReadonlyArray<readonly [column: keyof Waits, key: string]>
}

type Waits = { readonly pair_s: number | null; readonly account_s: number | null; readonly address_s: number | null }

export type PasswordLimits = ReturnType<typeof createPasswordLimits>

// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createPasswordLimits(db: Database) {
  const refusals = new Map<string, { readonly untilMs: number; readonly forgetAtMs: number }>()

  function rememberedWaitS({ limits }: Counted): number | null {
    const nowMs = monotonicMs()
    const waits = limits.flatMap(([, key]) => {
      const refusal = refusals.get(key)
      return refusal === undefined || refusal.forgetAtMs <= nowMs ? [] : [wholeSeconds(refusal.untilMs - nowMs)]
    })
    return waits.length === 0 ? null : Math.max(...waits)
  }

  function remember(key: string, waitS: number): void {
    const nowMs = monotonicMs()
    if (refusals.size >= REMEMBERED_AT_MOST) {
      for (const [one, { forgetAtMs }] of refusals) if (forgetAtMs <= nowMs) refusals.delete(one)
      if (refusals.size >= REMEMBERED_AT_MOST) refusals.clear()
    }
    const untilMs = nowMs + waitS * 1000
    refusals.set(key, { untilMs, forgetAtMs: Math.min(untilMs, nowMs + REMEMBERED_MS) })
  }

  function refusedFor({ limits }: Counted, waits: Waits): number {
    let longestS = 1
    for (const [column, key] of limits) {
      const waitS = waits[column] ?? 0
      if (waitS > 0) remember(key, waitS)
      longestS = Math.max(longestS, waitS)
    }
    return longestS
  }

  return {
    /**
     * Runs one attempt at a password or factor when its turn in the password queue comes. The attempt is counted as
     * failed before the check starts, so that simultaneous attempts, in any process, cannot exceed a limit.
     * @param read the query for the account's data that `check` needs; runs in the transaction that counts the attempt
     * @param check returns null if the password or factor is wrong
     * @throws Refused TOO_MANY_REQUESTS if too many attempts wait for their turn
     */
    async guard<R extends Row, T>(
      { username, ip, knownAs }: Attempt,
      read: Query,
      check: (hasher: Hasher, row: R | undefined) => Promise<T | null>,
    ): Promise<Attempted<T>> {
      const address = addressKey(ip)
      const account = accountOf(username)
      const name = Buffer.from(account).toString('hex')
      const isKnown = knownAs !== null
      const source = knownAs ?? address
      const pair = ['pair_s', `${name} ${source}`] as const
      const hourly = [['account_s', name] as const, ['address_s', source] as const]
      const counted = { account, source, isKnown, limits: isKnown ? [pair] : [pair, ...hourly] }

      const refusedS = rememberedWaitS(counted)
      if (refusedS !== null) return sentAway({ is: 'blocked', forS: refusedS }, isKnown)
      const attempted = await inPasswordTurn<Attempted<T>>({ isKnown, address, account: name }, async (hasher) => {
        const waitS = rememberedWaitS(counted)
        if (waitS !== null) return { is: 'blocked', forS: waitS }
        const attemptId = newId()
        const { reserved, row } = await reserve<R>(db, attemptId, counted, read)
        if (reserved?.is_reserved !== true) return { is: 'blocked', forS: refusedFor(counted, reserved ?? NO_WAITS) }
        const value = await check(hasher, row)
        return value === null ? { is: 'wrong' } : { is: 'right', value, attemptId }
      }).catch(async (refused: unknown) => {
        throw await sentAway(refused, isKnown)
      })
      return attempted.is === 'blocked' ? sentAway(attempted, isKnown) : attempted
    },
    giveBack: (attemptId: string) => giveBack(db, attemptId),
  }
}

let heldBack = 0

/**
 * Delays a refusal by a second, because clients that retry at once would keep the event loop busy. Known devices and
 * sessions get their answer without delay, and so do all others while HELD_BACK_AT_MOST answers are being delayed.
 */
async function sentAway<T>(answer: T, isKnown: boolean): Promise<T> {
  if (isKnown || heldBack >= HELD_BACK_AT_MOST) return answer
  heldBack++
  await sleep(SENT_AWAY_AFTER_MS, undefined, { ref: false })
  heldBack--
  return answer
}

/** Failures are also counted for names that no account has, so that a limit does not reveal which accounts exist. */
const accountOf = (username: string): Uint8Array => hash('sha256', usernameKey(username), 'buffer')

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

const lockOf = (key: string): bigint => hash('sha256', `password ${key}`, 'buffer').readBigInt64BE()

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

type Reserved = Waits & { readonly is_reserved: boolean }
const NO_WAITS: Waits = { pair_s: null, account_s: null, address_s: null }

/**
 * Counts one more failure unless a limit is reached, and runs the caller's query. All statements are sent together with
 * COMMIT, so that a process that is suspended meanwhile holds no lock. The commit does not wait for the disk, so a
 * crash of the database may lose the newest failures.
 */
async function reserve<R extends Row>(
  db: Database,
  attemptId: string,
  { account, source, isKnown, limits }: Counted,
  read: Query,
): Promise<{ reserved: Reserved | undefined; row: R | undefined }> {
  // The locks are taken in sorted order, so that two attempts can't deadlock.
  const locks = limits.map(([, key]) => lockOf(key)).toSorted(ascending)
  return db.tx(async (tx) => {
    const [, reserved, found] = await Promise.all([
      tx.query(...LOCK_ATTEMPTS({ locks })),
      // A statement of its own: its snapshot has the attempts that were committed while LOCK_ATTEMPTS waited for locks.
      tx.query<Reserved>(...RESERVE({ attemptId, account, source, isKnown })),
      tx.commitWith<R>(...read),
    ])
    return { reserved: reserved.rows[0], row: found.rows[0] }
  })
}

const LOCK_ATTEMPTS = statement(
  sql`select set_config('synchronous_commit', 'off', true),
             (select count(pg_advisory_xact_lock(k)) from unnest(${'locks'}::bigint[]) k)`,
  { name: 'lock-attempts' },
)

/**
 * Inserts an attempt unless a limit is reached, and returns for each limit the seconds until the limit admits an
 * attempt. `PAIR_FAILURES` failures of a pair within `PAIR_WINDOW` block the pair for `PAIR_WINDOW` after the last
 * failure. An hourly limit blocks while `HOURLY_FAILURES` failures are younger than `HOURLY_WINDOW`.
 */
const RESERVE = statement(
  sql`
  with pair as (
    select at from password_attempts where source = ${'source'} and account = ${'account'} and is_known = ${'isKnown'}
     order by at desc limit ${PAIR_FAILURES}
  ), free as (
    select
      (select case when count(*) = ${PAIR_FAILURES} and max(at) - min(at) < ${PAIR_WINDOW} then max(at) + ${PAIR_WINDOW} end
         from pair) as pair_at,
      (select at + ${HOURLY_WINDOW} from password_attempts where account = ${'account'} and not is_known and not ${'isKnown'}
        order by at desc offset ${HOURLY_FAILURES - 1} limit 1) as account_at,
      (select at + ${HOURLY_WINDOW} from password_attempts where source = ${'source'} and not is_known and not ${'isKnown'}
        order by at desc offset ${HOURLY_FAILURES - 1} limit 1) as address_at
  ), reserved as (
    insert into password_attempts (id, account, source, is_known)
    select ${'attemptId'}::uuid, ${'account'}::bytea, ${'source'}::text, ${'isKnown'}::boolean from free
     where coalesce(greatest(pair_at, account_at, address_at) <= clock_timestamp(), true)
    returning id
  )
  select exists (select from reserved) as is_reserved,
         ceil(extract(epoch from pair_at - clock_timestamp()))::int as pair_s,
         ceil(extract(epoch from account_at - clock_timestamp()))::int as account_s,
         ceil(extract(epoch from address_at - clock_timestamp()))::int as address_s
    from free`,
  { name: 'reserve-attempt' },
)
