import { join } from 'node:path'
import { readIfThere, replaceFile } from '#server/platform/process/durable-file.ts'

/**
 * The file with the newest note that this machine knows (docs/open-book.md §1). When a server starts, it compares the
 * database with this note: a restored database may lack signed entries, and the server must not sign other entries in
 * their place.
 */
const FILE = 'log-tip'

export const readTipFile = (dataDir: string): string | null => readIfThere(join(dataDir, FILE))

export const writeTipFile = (dataDir: string, note: string): Promise<void> => replaceFile(join(dataDir, FILE), note)
