import { join } from 'node:path'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'

/**
 * The file with the newest note that this machine knows (docs/open-book.md §1). A server compares the database with the
 * note at its start: a restored database may lack signed entries, in whose place no others may be signed.
 */
const FILE = 'log-tip'

export const readTipFile = (dataDir: string): string | null => readIfThere(join(dataDir, FILE))

export const writeTipFile = (dataDir: string, note: string): Promise<void> => replaceFile(join(dataDir, FILE), note)
