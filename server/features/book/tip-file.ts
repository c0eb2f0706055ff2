import { join } from 'node:path'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'

/**
 * Name of the file with the newest signed note that this machine served (docs/open-book.md §1). It keeps a database
 * that was restored from a backup from signing a second history for sizes that people have seen.
 */
const FILE = 'log-tip'

export const readTipFile = (dataDir: string): string | null => readIfThere(join(dataDir, FILE))

export const writeTipFile = (dataDir: string, note: string): Promise<void> => replaceFile(join(dataDir, FILE), note)
