import { forgetOldChallenges } from '#server/features/factors/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { deleteInBatches } from '#server/platform/database/delete-in-batches.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'

const FORGET_EVERY_MS = 3_600_000

/**
 * Deletes sessions, with their addresses and browsers, 90 days after their token expired. That is long enough to
 * investigate an incident on an account; after it the origin of a sign-in is no longer needed. Returns their number.
 */
export const forgetOldSessions = (db: Database): Promise<number> =>
  deleteInBatches(db, 'delete from sessions', 'id', `expires_at < clock_timestamp() - interval '90 days'`)

/** Deletes failed attempts that no limit counts any more. Returns their number. */
export const forgetOldAttempts = (db: Database): Promise<number> =>
  deleteInBatches(db, 'delete from password_attempts', 'id', `at < clock_timestamp() - interval '1 hour'`)

/** Deletes devices without a sign-in for half a year. Returns their number. */
export const forgetOldDevices = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    'delete from known_devices',
    'secret_hash, user_id',
    `seen_at < clock_timestamp() - interval '180 days'`,
  )

/** Runs all four deletions each hour; returns a function that stops it. */
export const startForgettingSignIns = (db: Database, log: Logger): Stop =>
  repeating(
    FORGET_EVERY_MS,
    async () => {
      for (const forget of [forgetOldAttempts, forgetOldSessions, forgetOldDevices, forgetOldChallenges])
        await forget(db)
    },
    logging(log, 'Old sign-ins could not be forgotten'),
  )
