import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class LockHeldError extends Error {
  override readonly name = 'LockHeldError'
}

const SQLITE_BUSY = 5

/** Keeps locked files referenced: garbage collection would close an unreferenced file and so release its lock. */
const held = new Set<DatabaseSync>()

/**
 * Locks `dataDir` against every other process until release() or until this process ends, however it ends. Throws
 * LockHeldError if another process has the lock: two processes on one embedded database would both acknowledge writes
 * and lose them. The lock is the operating system's on an open file. A stored pid would not do: it could belong to
 * another process after a restart or in another container. Node has no call for such a lock, so SQLite takes it.
 */
export function acquireProcessLock(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true })
  // Without a journal, SQLite locks the file but never writes to it.
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
 * Calls `read` if no process has locked the folder, and returns its value. The folder is not locked meanwhile.
 * @throws LockHeldError also when a process locked the folder during `read`: the data may then be inconsistent
 */
export async function readUnlocked<T>(dataDir: string, read: () => Promise<T>): Promise<T> {
  const holderFile = join(dataDir, 'lock.holder')
  // If the file `lock` does not exist, the folder was never locked.
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
