import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class LockHeldError extends Error {
  override readonly name = 'LockHeldError'
}

const SQLITE_BUSY = 5

/** Keeps locked files referenced: garbage collection would close a file and so release its lock. */
const held = new Set<DatabaseSync>()

/**
 * Locks `dataDir` until release() or the end of this process, because two processes on one embedded database would lose
 * writes. SQLite takes a file lock of the operating system, since Node.js has no function for that. A file with a pid
 * would not do: after a restart, another process may have that pid.
 * @throws LockHeldError if another process has the lock
 */
export function acquireProcessLock(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true })
  // Without a journal, SQLite locks the file but does not write to it.
  const file = openLock(dataDir, false, 'pragma journal_mode = off; begin exclusive')
  writeFileSync(join(dataDir, 'lock.holder'), `pid ${process.pid}, ${hostname()}, ${new Date().toISOString()}\n`)
  held.add(file)
  return {
    release() {
      held.delete(file)
      file.close()
    },
  }
}

function openLock(dataDir: string, readOnly: boolean, statement: string): DatabaseSync {
  const path = join(dataDir, 'lock')
  let file: DatabaseSync | null = null
  try {
    file = new DatabaseSync(path, { timeout: 0, readOnly })
    file.exec(statement)
    return file
  } catch (error) {
    file?.close()
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY)
      throw new Error(
        `DATA_DIR: ${path} cannot be opened by user ${process.getuid?.()}, who has to own all of the folder: ${(error as Error).message}`,
        { cause: error },
      )
    throw new LockHeldError(
      `Thư mục dữ liệu ${dataDir} đang được một tiến trình khác sử dụng (${readHolder(join(dataDir, 'lock.holder'))}). Hãy dừng tiến trình đó hoặc đặt DATA_DIR khác. / The data folder is in use by another process: stop it or set another DATA_DIR.`,
      { cause: error },
    )
  }
}

/**
 * Calls `read` and returns its value, without locking the folder.
 * @throws LockHeldError if another process has the lock, or took it during `read`: the data may then be inconsistent
 */
export async function readUnlocked<T>(dataDir: string, read: () => Promise<T>): Promise<T> {
  const holderFile = join(dataDir, 'lock.holder')
  const look = () => {
    if (existsSync(join(dataDir, 'lock'))) openLock(dataDir, true, 'select count(*) from sqlite_schema').close()
    return readHolder(holderFile)
  }
  const before = look()
  const value = await read()
  if (look() !== before) throw new LockHeldError(`A server was started in ${dataDir} meanwhile: try again.`)
  return value
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return '?'
  }
}
