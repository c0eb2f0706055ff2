import { linkSync, mkdirSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { readIfThere, syncPath, unfinishedPath, writeAndSync } from './durable-file.ts'

export const readKeyFile = (path: string): string | null => readIfThere(path)?.trim() ?? null

/**
 * Reads a key, or creates the missing file. A command must not create a signing key: in a wrong DATA_DIR, the command
 * would go on with the new key.
 */
export function readOrCreateKeyFile(path: string, create: () => string): string {
  const known = readKeyFile(path)
  if (known !== null) return known
  mkdirSync(dirname(path), { recursive: true })
  // The complete file is linked into place, so that no other process reads half a key.
  const aside = unfinishedPath(path)
  writeAndSync(aside, `${create()}\n`)
  try {
    linkSync(aside, path)
    // Synced, because data that the key signed or encrypted could outlive the key after a power cut.
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
