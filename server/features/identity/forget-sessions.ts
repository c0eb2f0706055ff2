import type { Database } from '#server/platform/db.ts'
import { deleteInBatches } from '#server/platform/delete-in-batches.ts'
import type { Logger } from '#server/platform/log.ts'
import { repeating } from '#server/platform/repeating.ts'

const FORGET_EVERY_MS = 3_600_000

/**
 * Forgets sessions, with their addresses and browsers, 90 days after their token ran out: long enough to look into what
 * happened on an account, and after it nobody needs to know from where someone came. Answers how many.
 */
export const forgetOldSessions = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    `delete from sessions where id in (
       select id from sessions where expires_at < clock_timestamp() - interval '90 days'
        limit $1 for update skip locked)`,
  )

/** Forgets them each hour; answers what stops it. */
export const startForgettingSessions = (db: Database, log: Logger): (() => Promise<void>) =>
  repeating(
    FORGET_EVERY_MS,
    () => forgetOldSessions(db),
    (error) => log.warn({ err: error }, 'Old sessions could not be forgotten'),
  )
