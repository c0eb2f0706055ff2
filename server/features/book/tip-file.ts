import { join } from 'node:path'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'

/**
 * Name of the file with the newest signed note that this machine served (docs/open-book.md §1). The server compares it
 * with the database, so that after a restore it signs no second history for log sizes that it has published.
 */
const FILE = 'log-tip'

export const readTipFile = (dataDir: string): string | null => readIfThere(join(dataDir, FILE))

export const writeTipFile = (dataDir: string, note: string): Promise<void> => replaceFile(join(dataDir, FILE), note)
