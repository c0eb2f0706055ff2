import { linkSync, mkdirSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { readIfThere, syncPath, unfinishedPath, writeAndSync } from './durable-file.ts'

export const readKeyFile = (path: string): string | null => readIfThere(path)?.trim() ?? null

/**
 * A server's first start creates the key. An operator's command never does: run with another DATA_DIR it would have a
 * key that signed nothing.
 */
export function readOrCreateKeyFile(path: string, create: () => string): string {
  const known = readKeyFile(path)
  if (known !== null) return known
  mkdirSync(dirname(path), { recursive: true })
  // Linked into place: a process that starts at the same time never reads a half-written key.
  const aside = unfinishedPath(path)
  writeAndSync(aside, `${create()}\n`)
  try {
    linkSync(aside, path)
    // What the key signs or encrypts must not outlive the key after a power cut.
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
