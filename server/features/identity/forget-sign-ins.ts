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

/** Forgets failed attempts that no limit counts any more. Answers how many. */
export const forgetOldAttempts = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    `delete from password_attempts where id in (
       select id from password_attempts where at < clock_timestamp() - interval '1 hour'
        limit $1 for update skip locked)`,
  )

/** Forgets devices on which nobody signed in for half a year. Answers how many. */
export const forgetOldDevices = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    `delete from known_devices where (secret_hash, user_id) in (
       select secret_hash, user_id from known_devices where seen_at < clock_timestamp() - interval '180 days'
        limit $1 for update skip locked)`,
  )

/** Forgets all three each hour; answers what stops it. */
export const startForgettingSignIns = (db: Database, log: Logger): (() => Promise<void>) =>
  repeating(
    FORGET_EVERY_MS,
    async () => {
      await forgetOldAttempts(db)
      await forgetOldSessions(db)
      await forgetOldDevices(db)
    },
    (error) => log.warn({ err: error }, 'Old sign-ins could not be forgotten'),
  )
