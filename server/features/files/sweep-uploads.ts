import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import type { FileStorage } from './storage.ts'
import { SENDABLE_HOURS } from './store-upload.ts'

const SWEEP_EVERY_MS = 10 * 60_000
const AT_ONCE = 200

/**
 * Deletes uploads that were not sent in time, and returns their number. A row goes after its file: what could not be removed
 * is tried again at the next turn. Rejects when there was such a file, after all others.
 *
 * No lock is held meanwhile, since storage may be slow: `useUpload` refuses these uploads, and ten minutes later no
 * message that took one in time is still uncommitted.
 */
export async function sweepUploads(db: Database, storage: FileStorage): Promise<number> {
  const { rows } = await db.query<{ storage_key: string }>(
    `select storage_key from uploads
      where used_at is null and created_at < clock_timestamp() - interval '${SENDABLE_HOURS} hours 10 minutes'
      order by created_at limit ${AT_ONCE}`,
  )
  const removed: string[] = []
  const failures: unknown[] = []
  for (const { storage_key: key } of rows)
    await storage.remove(key).then(
      () => removed.push(key),
      (error: unknown) => failures.push(error),
    )
  await db.query('delete from uploads where storage_key = any($1::text[])', [removed])
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${rows.length} files could not be removed`, { cause: failures[0] })
  return removed.length
}

/** Starts a periodic sweep; returns a function that stops it. */
export const startUploadSweep = (db: Database, storage: FileStorage, log: Logger): Stop =>
  repeating(
    SWEEP_EVERY_MS,
    async (signal) => {
      while (!signal.aborted && (await sweepUploads(db, storage)) === AT_ONCE);
    },
    logging(log, 'Unsent uploads could not be swept'),
  )
