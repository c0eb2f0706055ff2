import { linkSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { readIfThere, syncPath, unfinishedPath, writeAndSync } from './durable-file.ts'

export const readKeyFile = (path: string): string | null => readIfThere(path)?.trim() ?? null

/**
 * Reads a key, or creates the missing file. A command must not call this for a signing key: if DATA_DIR is wrong, the
 * command would sign with a new key instead of failing.
 */
export function readOrCreateKeyFile(path: string, create: () => string): string {
  const known = readKeyFile(path)
  if (known !== null) return known
  mkdirSync(dirname(path), { recursive: true })
  // The complete file is linked into place, so that no other process reads half a key.
  const aside = unfinishedPath(path)
  try {
    writeAndSync(aside, `${create()}\n`)
    linkSync(aside, path)
    // The folder is synced, because data that the key signed or encrypted could outlive the key after a power cut.
    syncPath(dirname(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
  const made = readKeyFile(path)
  if (made === null) throw new Error(`${path} was removed while it was made.`)
  return made
}
