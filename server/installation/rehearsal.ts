import { statSync } from 'node:fs'
import { join } from 'node:path'
import { writeAndSync } from '#server/platform/process/durable-file.ts'

/** The file in DATA_DIR that was written when a backup was last restored for practice; it says of when the backup was. */
const FILE = 'restore-rehearsed'

/** Notes that a backup was restored for practice and proved. */
export const noteRehearsal = (dataDir: string, takenAtMs: number): void =>
  writeAndSync(join(dataDir, FILE), `${JSON.stringify({ takenAtMs })}\n`)

/** When a backup was last restored for practice, Unix ms; null where none was. */
export const readRehearsal = (dataDir: string): number | null =>
  statSync(join(dataDir, FILE), { throwIfNoEntry: false })?.mtimeMs ?? null
