import type { Notice } from '#contract/notices.ts'
import { dayOf } from '#domain/day.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'

/*
 * Only notices that could not be read from other tables later are stored, each in the transaction of its event. All
 * other notices are read from the rows of bets, requests, disputes, transfers and messages (queries.ts).
 */

async function insertAll(
  db: Queryable,
  kind: 'limit' | 'round',
  things: ReadonlyArray<{ readonly userId: string; readonly ref: string }>,
  nowMs: number,
): Promise<string[]> {
  if (things.length === 0) return []
  const { rows } = await db.query<{ user_id: string }>(
    `insert into notices (id, user_id, kind, ref, created_at)
     select id, user_id, $3, ref, $5 from unnest($1::uuid[], $2::uuid[], $4::text[]) as n (id, user_id, ref)
     on conflict on constraint one_notice_of_a_thing do nothing returning user_id`,
    [things.map(newId), things.map(({ userId }) => userId), kind, things.map(({ ref }) => ref), new Date(nowMs)],
  )
  return rows.map((row) => row.user_id)
}

/** Stores a notice for each user who reached a limit, one per limit and day. Returns the users with a new notice. */
export async function recordLimitsReached(
  db: Queryable,
  reached: ReadonlyArray<{ readonly userId: string; readonly limit: 'stake' | 'loss' }>,
  nowMs: number,
): Promise<readonly string[]> {
  const things = reached.map(({ userId, limit }) => ({ userId, ref: `${limit}:${dayOf(nowMs)}` }))
  return insertAll(db, 'limit', things, nowMs)
}

/**
 * Stores a notice for each user with an open bet in a round whose result staff have announced. The caller has locked
 * the round, so that no bet is added meanwhile. Returns the users who got a new notice.
 */
export async function recordRoundResult(db: Queryable, roundId: string, nowMs: number): Promise<readonly string[]> {
  const { rows } = await db.query<{ userId: string; ref: string }>(
    `select user_id as "userId", id::text as ref from bets where round_id = $1 and status = 'open'`,
    [roundId],
  )
  return insertAll(db, 'round', rows, nowMs)
}

export const recordNewDevice = (db: Queryable, userId: string, sessionId: string): Promise<void> =>
  insertNow(db, userId, 'device', sessionId)

export type FactorChange = NonNullable<Notice['factor']>['change']

export const recordFactorChange = (db: Queryable, userId: string, change: FactorChange, name: string): Promise<void> =>
  insertNow(db, userId, 'factor', `${change}:${newId()}:${name}`)

/**
 * Cuts the time to whole milliseconds, because pages and read marks compare whole milliseconds. Otherwise they could
 * pass over one of two notices of the same millisecond.
 */
async function insertNow(db: Queryable, userId: string, kind: 'device' | 'factor', ref: string): Promise<void> {
  await db.query(
    `insert into notices (id, user_id, kind, ref, created_at)
     values ($1, $2, $3, $4, date_trunc('milliseconds', clock_timestamp()))
     on conflict on constraint one_notice_of_a_thing do nothing`,
    [newId(), userId, kind, ref],
  )
}
