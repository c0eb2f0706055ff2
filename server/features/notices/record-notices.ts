import type { Notice } from '#contract/notices.ts'
import { dayOf } from '#domain/day.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'

/*
 * Writes only notices that have no row elsewhere, in the transaction of the event itself. Settled bets, decided
 * requests, adjustments and unread replies are read from their own rows (queries.ts).
 */

/** A player's own limit that has just been used up. */
export interface LimitReached {
  readonly userId: string
  readonly limit: 'stake' | 'loss'
}

const INSERT = `insert into notices (id, user_id, kind, ref, created_at)
  select id, user_id, $3, ref, $5 from unnest($1::uuid[], $2::uuid[], $4::text[]) as n (id, user_id, ref)
  on conflict on constraint one_notice_of_a_thing do nothing returning user_id`

/**
 * Records notices for players whose own limit is used up: one for each limit and day, also when a voided stake frees it
 * in between.
 */
export async function recordLimitsReached(
  db: Queryable,
  reached: readonly LimitReached[],
  nowMs: number,
): Promise<readonly string[]> {
  if (reached.length === 0) return []
  const refs = reached.map(({ limit }) => `${limit}:${dayOf(nowMs)}`)
  const userIds = reached.map(({ userId }) => userId)
  const values = [reached.map(newId), userIds, 'limit', refs, new Date(nowMs)]
  const { rows } = await db.query<{ user_id: string }>(INSERT, values)
  return rows.map((row) => row.user_id)
}

/**
 * Records a notice for everybody with an open bet in a round whose result staff have announced. To be called under the
 * round's lock, so that no bet can join meanwhile. Returns the users who get one.
 */
export async function recordRoundResult(db: Queryable, roundId: string, nowMs: number): Promise<readonly string[]> {
  const { rows: held } = await db.query<{ id: string; user_id: string }>(
    `select id, user_id from bets where round_id = $1 and status = 'open'`,
    [roundId],
  )
  if (held.length === 0) return []
  const { rows } = await db.query<{ user_id: string }>(INSERT, [
    held.map(newId),
    held.map((row) => row.user_id),
    'round',
    held.map((row) => row.id),
    new Date(nowMs),
  ])
  return rows.map((row) => row.user_id)
}

/** Records a notice for a user of a sign-in on a device that was new to the account, by the session that it opened. */
export const recordNewDevice = (db: Queryable, userId: string, sessionId: string): Promise<void> =>
  insertNow(db, userId, 'device', sessionId)

export type FactorChange = NonNullable<Notice['factor']>['change']

/** Records a notice for a user of a change of the account's second factors, for every change. */
export const recordFactorChange = (db: Queryable, userId: string, change: FactorChange, name: string): Promise<void> =>
  insertNow(db, userId, 'factor', `${change}:${newId()}:${name}`)

async function insertNow(db: Queryable, userId: string, kind: 'device' | 'factor', ref: string): Promise<void> {
  await db.query(
    `insert into notices (id, user_id, kind, ref, created_at) values ($1, $2, $3, $4, clock_timestamp())
     on conflict on constraint one_notice_of_a_thing do nothing`,
    [newId(), userId, kind, ref],
  )
}
