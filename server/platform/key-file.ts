import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The text of a key's file, without the space around it. The first start creates the file, and only its owner may read
 * it.
 * @param create a new key's text
 */
export function readOrCreateKeyFile(path: string, create: () => string): string {
  try {
    return readKeyFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dirname(path), { recursive: true })
  // Written to a temporary file and linked into place: a process that starts at the same time never reads a
  // half-written key.
  const aside = `${path}.${process.pid}`
  const file = openSync(aside, 'w', 0o600)
  try {
    writeSync(file, `${create()}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(aside)
  }
  return readKeyFile(path)
}

const readKeyFile = (path: string): string => readFileSync(path, 'utf8').trim()
