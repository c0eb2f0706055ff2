import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '#server/platform/database/db.ts'
import { writeAndSync } from '#server/platform/process/durable-file.ts'

/** File in DATA_DIR that a successful rehearsal of a restore writes. Its modification time is the rehearsal's time. */
const DONE = 'restore-rehearsed'
const FAILED = 'restore-rehearsal-failed'
export const REHEARSAL_FILES = [DONE, FAILED] as const

/** The times of the last successful and the last failed rehearsal of a restore, in Unix ms; null if none is known. */
export interface Rehearsal {
  readonly doneAtMs: number | null
  readonly failedAtMs: number | null
}

function write(dataDir: string, name: string, text: string): void {
  // A machine that only rehearses restores may have no DATA_DIR yet.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeAndSync(join(dataDir, name), text)
}

export function noteRehearsal(dataDir: string, takenAtMs: number): void {
  write(dataDir, DONE, `${JSON.stringify({ takenAtMs })}\n`)
  rmSync(join(dataDir, FAILED), { force: true })
}

export const noteFailedRehearsal = (dataDir: string): void => write(dataDir, FAILED, '')

const writtenAtMs = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null

export const readRehearsal = (dataDir: string): Rehearsal => ({
  doneAtMs: writtenAtMs(join(dataDir, DONE)),
  failedAtMs: writtenAtMs(join(dataDir, FAILED)),
})

/** Reads the times that the backup jobs of PostgreSQL noted in the database (docs/operations/backup.md). */
export async function readNoted(db: Database) {
  const { rows } = await db.query<Record<'backed_up_at' | 'rehearsed_at' | 'rehearsal_failed_at', Date | null>>(
    'select backed_up_at, rehearsed_at, rehearsal_failed_at from installation',
  )
  const ms = (at: Date | null | undefined) => at?.getTime() ?? null
  return {
    backedUpAtMs: ms(rows[0]?.backed_up_at),
    rehearsal: { doneAtMs: ms(rows[0]?.rehearsed_at), failedAtMs: ms(rows[0]?.rehearsal_failed_at) },
  }
}
