import { join } from 'node:path'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'

/**
 * Name of the file with the newest signed note that this machine served (docs/open-book.md §1). The server compares the
 * database with this note. So, if a backup was restored, it does not sign a second, different history for log sizes
 * that it has already published.
 */
const FILE = 'log-tip'

export const readTipFile = (dataDir: string): string | null => readIfThere(join(dataDir, FILE))

export const writeTipFile = (dataDir: string, note: string): Promise<void> => replaceFile(join(dataDir, FILE), note)
