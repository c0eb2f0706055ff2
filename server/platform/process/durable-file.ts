import { closeSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'

export function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}

export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return nullIfMissing(error)
  }
}

export function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Names a temporary file. The host's name is part of it: containers that share a volume may have equal pids. */
export const unfinishedPath = (path: string): string => `${path}.${hostname()}.${process.pid}`

export const writeAndSync = (path: string, text: string): void =>
  writeFileSync(path, text, { mode: 0o600, flush: true })

let lastWrite: Promise<void> = Promise.resolve()

/**
 * Replaces a file; only its owner may read the new file. After a power cut, the file has the old or the new text.
 * Writes run one by one, because two writes of one file would share the path of the unfinished file.
 */
export function replaceFile(path: string, text: string): Promise<void> {
  const write = lastWrite.then(() => replaceNow(path, text))
  lastWrite = write.catch(() => {})
  return write
}

async function replaceNow(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const aside = unfinishedPath(path)
  try {
    await writeFile(aside, text, { mode: 0o600, flush: true })
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}
