import type { Database } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
import { repeating } from '#server/platform/repeating.ts'

const FORGET_EVERY_MS = 3_600_000
/** Long enough to look into what happened on an account; after it nobody needs to know from where someone came. */
const KEPT_DAYS = 90
/** Rows per statement: what else happens on the embedded engine waits while one runs. */
const AT_ONCE = 2_000

/** Forgets sessions, with their addresses and browsers, 90 days after their token ran out. Answers how many. */
export async function forgetOldSessions(db: Database): Promise<number> {
  for (let forgotten = 0; ;) {
    const { rowCount } = await db.query(
      `delete from sessions where id in (
         select id from sessions where expires_at < clock_timestamp() - $1::int * interval '1 day'
          limit $2 for update skip locked)`,
      [KEPT_DAYS, AT_ONCE],
    )
    forgotten += rowCount
    if (rowCount < AT_ONCE) return forgotten
  }
}

/** Forgets them each hour; answers what stops it. */
export const startForgettingSessions = (db: Database, log: Logger): (() => Promise<void>) =>
  repeating(
    FORGET_EVERY_MS,
    () => forgetOldSessions(db),
    (error) => log.warn({ err: error }, 'Old sessions could not be forgotten'),
  )
