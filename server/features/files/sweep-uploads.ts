import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import type { FileStorage } from './storage.ts'

const SWEEP_EVERY_MS = 10 * 60_000
const AT_ONCE = 200

/** Deletes uploads that were not sent within a day. Returns their number. */
export async function sweepUploads(db: Database, storage: FileStorage): Promise<number> {
  const { rows } = await db.query<{ storage_key: string }>(
    `delete from uploads where id in (
       select id from uploads where used_at is null and created_at < clock_timestamp() - interval '24 hours'
        order by created_at limit ${AT_ONCE} for update skip locked)
       and used_at is null returning storage_key`,
  )
  for (const { storage_key: key } of rows) await storage.remove(key)
  return rows.length
}

/** Starts a periodic sweep; returns a function that stops it. */
export const startUploadSweep = (db: Database, storage: FileStorage, log: Logger): Stop =>
  repeating(SWEEP_EVERY_MS, () => sweepUploads(db, storage), logging(log, 'Unsent uploads could not be swept'))
