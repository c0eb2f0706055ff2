import type { PushState } from '#contract/push.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { DEFAULT_PREFERENCES, decidePreferences, type PushPreferences } from '#domain/push/push.ts'
import { acting } from '#server/platform/http/acting.ts'
import type { Database, Queryable, Row } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'

/** The columns of `push_preferences`, all null for a user without a row. */
export interface PreferencesRow extends Row {
  request_decided: boolean | null
  care_replied: boolean | null
  points_adjusted: boolean | null
  quiet_from: number | null
  quiet_to: number | null
  may_offer: boolean | null
}

export const PREFERENCES_COLUMNS = `p.request_decided, p.care_replied, p.points_adjusted, p.quiet_from, p.quiet_to,
  p.may_offer`

export function toPreferences(row: PreferencesRow): PushPreferences {
  const { request_decided: decided, care_replied: replied, points_adjusted: adjusted, may_offer: mayOffer } = row
  if (decided === null || replied === null || adjusted === null || mayOffer === null) return DEFAULT_PREFERENCES
  const { quiet_from: fromMinute, quiet_to: toMinute } = row
  return {
    kinds: { 'request-decided': decided, 'care-replied': replied, 'points-adjusted': adjusted },
    quiet: fromMinute === null || toMinute === null ? null : { fromMinute, toMinute },
    mayOffer,
  }
}

export async function readPushState(
  db: Queryable,
  { userId, sessionId }: Subject,
  publicKey: string,
): Promise<PushState> {
  const { rows } = await db.query<PreferencesRow & { endpoint: string | null }>(
    `select ${PREFERENCES_COLUMNS},
        (select s.endpoint from push_subscriptions s where s.session_id = $2) as endpoint
       from users u left join push_preferences p on p.user_id = u.id where u.id = $1`,
    [userId, sessionId],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The signed-in user is not there.')
  return { ...toPreferences(row), publicKey, endpoint: row.endpoint }
}

export async function setPreferences(
  db: Database,
  subject: Subject,
  wish: PushPreferences,
): Promise<RefusedBy<'setPush'> | null> {
  const refusal = decidePreferences(wish)
  if (refusal === 'QUIET_HOURS_EMPTY') return refuse(refusal)
  return acting(db, subject, 'player', async (tx) => {
    await tx.query(
      `insert into push_preferences (user_id, request_decided, care_replied, points_adjusted, quiet_from, quiet_to,
         may_offer)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (user_id) do update set request_decided = excluded.request_decided,
         care_replied = excluded.care_replied, points_adjusted = excluded.points_adjusted,
         quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, may_offer = excluded.may_offer`,
      [
        subject.userId,
        wish.kinds['request-decided'],
        wish.kinds['care-replied'],
        wish.kinds['points-adjusted'],
        wish.quiet?.fromMinute ?? null,
        wish.quiet?.toMinute ?? null,
        wish.mayOffer,
      ],
    )
    // Pushes that the old quiet hours hold back become due in 10 s at the latest: the new choices are applied then.
    await tx.query(
      `update push_queue set due_at = least(due_at, clock_timestamp() + interval '10 s') where attempts = 0
         and session_id in (select session_id from push_subscriptions where user_id = $1)`,
      [subject.userId],
    )
    return null
  })
}
