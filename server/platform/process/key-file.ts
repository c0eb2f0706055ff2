import { linkSync, mkdirSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { readIfThere, syncPath, unfinishedPath, writeAndSync } from './durable-file.ts'

export const readKeyFile = (path: string): string | null => readIfThere(path)?.trim() ?? null

/**
 * Reads a key, or creates a missing one, as at a server's first start. A command of the operator must not create a key
 * that signs: in a wrong DATA_DIR, the command would continue with a new key, which has signed nothing.
 */
export function readOrCreateKeyFile(path: string, create: () => string): string {
  const known = readKeyFile(path)
  if (known !== null) return known
  mkdirSync(dirname(path), { recursive: true })
  // The complete file is linked into place, so that a process that starts at the same time never reads half a key.
  const aside = unfinishedPath(path)
  writeAndSync(aside, `${create()}\n`)
  try {
    linkSync(aside, path)
    // Synced, because a power cut must not lose the key while data that it signed or encrypted remains.
    syncPath(dirname(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(aside)
  }
  const made = readKeyFile(path)
  if (made === null) throw new Error(`${path} was removed while it was made.`)
  return made
}
