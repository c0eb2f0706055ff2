import { readFileSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * The newest signed note that this machine served, outside the database (docs/open-book.md §1): a database that was
 * restored from a backup must not sign a second history for sizes that people have seen.
 */
const FILE = 'log-tip'

/** The stored note; null when none was ever stored. */
export function readTipFile(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

let lastWrite: Promise<void> = Promise.resolve()

/**
 * Stores a note so that it outlives a power cut. A reader finds either the old or the new one. One write after the other:
 * the sealing and an operator's restart of the log may store theirs at the same moment.
 */
export function writeTipFile(dataDir: string, note: string): Promise<void> {
  const write = lastWrite.then(() => replaceTipFile(dataDir, note))
  lastWrite = write.catch(() => {})
  return write
}

async function replaceTipFile(dataDir: string, note: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const aside = join(dataDir, `${FILE}.${process.pid}`)
  const file = await open(aside, 'w', 0o600)
  try {
    await file.writeFile(note)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(aside, join(dataDir, FILE))
  const folder = await open(dataDir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
