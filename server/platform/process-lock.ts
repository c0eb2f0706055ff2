import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface ProcessLock {
  release(): void
}

/** Another process uses this folder; the message is one line for the person who started the second process. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError'
}

const SQLITE_BUSY = 5

/** Held locks. An unreferenced file would be closed by garbage collection, which releases its lock. */
const held = new Set<DatabaseSync>()

/**
 * Locks `dataDir` against every other process until release() or the end of this process, however it ends. Throws
 * LockHeldError at once when another process has the lock.
 *
 * Two processes on one embedded database would both acknowledge writes and lose them. The lock is the operating
 * system's own on an open file, which is released when a process is killed. There is no process id that could be
 * misread after a restart or from inside a container. Node has no call for such a lock, so SQLite's is used.
 */
export function acquireProcessLock(dataDir: string): ProcessLock {
  mkdirSync(dataDir, { recursive: true })
  const holderFile = join(dataDir, 'lock.holder')
  const file = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
  try {
    // Without a journal nothing is ever written to the file.
    file.exec('pragma journal_mode = off; begin exclusive')
  } catch (error) {
    file.close()
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error
    throw new LockHeldError(
      `Thư mục dữ liệu ${dataDir} đang được một tiến trình khác sử dụng (${readHolder(holderFile)}). Hãy dừng tiến trình đó hoặc đặt DATA_DIR khác. / The data folder is in use by another process: stop it or set another DATA_DIR.`,
      { cause: error },
    )
  }
  // Only for the error message above: its content is never relied on.
  writeFileSync(holderFile, `pid ${process.pid}, ${hostname()}, ${new Date().toISOString()}\n`)
  held.add(file)
  return {
    release() {
      held.delete(file)
      file.close()
    },
  }
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return '?'
  }
}
