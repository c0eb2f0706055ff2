import { forgetOldChallenges } from '#server/features/factors/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { deleteInBatches } from '#server/platform/database/delete-in-batches.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'

const FORGET_EVERY_MS = 3_600_000

/** Deletes sessions 90 days after they expired. Until then their IP addresses help to investigate an incident. */
export const forgetOldSessions = (db: Database): Promise<number> =>
  deleteInBatches(db, 'delete from sessions', 'id', `expires_at < clock_timestamp() - interval '90 days'`)

export const forgetOldAttempts = (db: Database): Promise<number> =>
  deleteInBatches(db, 'delete from password_attempts', 'id', `at < clock_timestamp() - interval '1 hour'`)

export const forgetOldDevices = (db: Database): Promise<number> =>
  deleteInBatches(
    db,
    'delete from known_devices',
    'secret_hash, user_id',
    `seen_at < clock_timestamp() - interval '180 days'`,
  )

export const startForgettingSignIns = (db: Database, log: Logger): Stop =>
  repeating(
    FORGET_EVERY_MS,
    async () => {
      for (const forget of [forgetOldAttempts, forgetOldSessions, forgetOldDevices, forgetOldChallenges])
        await forget(db)
    },
    logging(log, 'Old sign-ins could not be forgotten'),
  )
