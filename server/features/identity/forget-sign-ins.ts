import { forgetOldChallenges } from '#server/features/factors/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { deleteInBatches } from '#server/platform/database/delete-in-batches.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'

const FORGET_EVERY_MS = 3_600_000

/**
 * Deletes sessions, with their addresses and browsers, 90 days after their token expired. That is long enough to
 * investigate what happened on an account; after it the origin of a sign-in is no longer needed. Answers their number.
 */
export const forgetOldSessions = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    `delete from sessions where id in (
       select id from sessions where expires_at < clock_timestamp() - interval '90 days'
        limit $1 for update skip locked)`,
  )

/** Deletes failed attempts that no limit counts any more. Answers their number. */
export const forgetOldAttempts = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    `delete from password_attempts where id in (
       select id from password_attempts where at < clock_timestamp() - interval '1 hour'
        limit $1 for update skip locked)`,
  )

/** Deletes devices without a sign-in for half a year. Answers their number. */
export const forgetOldDevices = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    `delete from known_devices where (secret_hash, user_id) in (
       select secret_hash, user_id from known_devices where seen_at < clock_timestamp() - interval '180 days'
        limit $1 for update skip locked)`,
  )

/** Runs all four deletions each hour; answers a function that stops it. */
export const startForgettingSignIns = (db: Database, log: Logger): Stop =>
  repeating(
    FORGET_EVERY_MS,
    async () => {
      await forgetOldAttempts(db)
      await forgetOldSessions(db)
      await forgetOldDevices(db)
      await forgetOldChallenges(db)
    },
    logging(log, 'Old sign-ins could not be forgotten'),
  )
