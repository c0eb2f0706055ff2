import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import type { FileStorage } from './storage.ts'
import { SENDABLE_HOURS } from './store-upload.ts'

const SWEEP_EVERY_MS = 10 * 60_000
const AT_ONCE = 200

/**
 * Deletes uploads that were not sent in time, and returns their number. If a file cannot be removed, its row stays for
 * the next sweep, and an error is thrown after the other files are done. The storage may be slow, so no lock is held.
 * Instead, an upload is deleted ten minutes after `useUpload` begins to refuse it, or later, so that transactions of
 * `useUpload` have time to commit.
 */
export async function sweepUploads(db: Database, storage: FileStorage, signal?: AbortSignal): Promise<number> {
  const failures: unknown[] = []
  let removed = 0
  while (signal?.aborted !== true) {
    // Rows whose file could not be removed come first again, so `offset` skips them.
    const { rows } = await db.query<{ storage_key: string }>(
      `select storage_key from uploads
        where used_at is null and created_at < clock_timestamp() - interval '${SENDABLE_HOURS} hours 10 minutes'
        order by created_at, id limit ${AT_ONCE} offset $1`,
      [failures.length],
    )
    const keys: string[] = []
    for (const { storage_key: key } of rows)
      await storage.remove(key).then(
        () => keys.push(key),
        (error: unknown) => failures.push(error),
      )
    await db.query('delete from uploads where storage_key = any($1::text[])', [keys])
    removed += keys.length
    if (rows.length < AT_ONCE) break
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${failures.length + removed} files could not be removed`, {
      cause: failures[0],
    })
  return removed
}

export const startUploadSweep = (db: Database, storage: FileStorage, log: Logger): Stop =>
  repeating(
    SWEEP_EVERY_MS,
    (signal) => sweepUploads(db, storage, signal),
    logging(log, 'Unsent uploads could not be swept'),
  )
