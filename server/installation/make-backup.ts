import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { syncFolder } from '#server/platform/process/durable-file.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { reasonOf } from '#server/platform/process/reason-of.ts'
import {
  backupName,
  listBackups,
  provingPath,
  removeUnfinished,
  removeUnproved,
  requireRoom,
  unprovedPath,
} from './backup-file.ts'
import type { BackupTask, CopiedDatabase, WorkerMessage } from './backup-worker.ts'

const SLOT = 'kim_phien_backup'

export type BackupReport =
  | {
      readonly is: 'made'
      readonly path: string
      readonly bytes: number
      readonly parts: number
      readonly tookMs: number
    }
  /** `BUSY`: this process is making another backup. `UNPROVED`: the written file cannot be restored. */
  | { readonly is: 'refused'; readonly why: 'NATIVE' | 'BUSY' | 'FAILED' | 'UNPROVED'; readonly reason: string }

export interface BackupDeps {
  readonly db: Database
  readonly dataDir: string
  readonly secret: () => Uint8Array
  readonly auditKey: string | null
  readonly signal?: AbortSignal
}

let isRunning = false

/**
 * Backs up a running embedded installation as pg_basebackup does: another thread copies the files while the engine
 * writes them, and at a restore the write-ahead log of that time makes the files consistent. The backup gets its final
 * name only after a restore of it was proved to work.
 * @param folder created if it does not exist
 */
export async function makeBackup(
  { db, dataDir, secret, auditKey, signal }: BackupDeps,
  folder: string,
): Promise<BackupReport> {
  if (db.engine === 'native')
    return { is: 'refused', why: 'NATIVE', reason: 'PostgreSQL is backed up by its own tools (docs/operations.md).' }
  if (isRunning) return { is: 'refused', why: 'BUSY', reason: 'A backup is being made.' }
  isRunning = true
  const startedAtMs = monotonicMs()
  const leftOver: string[] = []
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeUnfinished(folder)
    // The newest backup shows the size of a compressed copy. For a backup before migrations, which has its own folder,
    // the newest one may lie in the parent folder.
    const [newest] = [...(await listBackups(folder)), ...(await listBackups(dirname(folder)).catch(() => []))]
    await requireRoom(folder, dataDir, newest === undefined ? null : (await stat(newest.path)).size)
    const path = join(folder, backupName(await readNowMs(db)))
    const unproved = unprovedPath(path)
    const task = { path: unproved, dataDir, secret: secret(), auditKey }
    leftOver.push(unproved, provingPath(unproved))
    // While the folder at `provingPath` exists, the backup does not count as one whose proof has failed.
    await mkdir(provingPath(unproved), { mode: 0o700 })
    const { problem, ...written } = await copyWhileRunning(db, task, signal)
    leftOver.shift()
    await removeUnproved(folder, unproved)
    if (problem !== null)
      return { is: 'refused', why: 'UNPROVED', reason: `${unproved} cannot be restored. ${problem}` }
    // The file gets the time of the finished proof, from which backup-schedule.ts computes how long the backup took.
    const now = new Date(await readNowMs(db))
    await utimes(unproved, now, now)
    await rename(unproved, path)
    await syncFolder(folder)
    return { is: 'made', path, ...written, tookMs: Math.round(monotonicMs() - startedAtMs) }
  } catch (error) {
    return { is: 'refused', why: 'FAILED', reason: reasonOf(error) }
  } finally {
    for (const each of leftOver) await rm(each, { recursive: true, force: true }).catch(() => {})
    isRunning = false
  }
}

async function copyWhileRunning(db: Database, task: BackupTask, signal: AbortSignal | undefined) {
  let isStarted = false
  const finish = async (): Promise<CopiedDatabase> => {
    const takenAtMs = await readNowMs(db)
    const { rows } = await db.query<{ label: string; last: string }>(
      'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
    )
    isStarted = false
    const { label = '', last = '' } = rows[0] ?? {}
    const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label)?.[1]
    if (first === undefined) throw new Error('The database did not say where its backup begins.')
    return { label, firstLog: first, lastLog: last, takenAtMs }
  }
  // The slot keeps the write-ahead log from now on, even across checkpoints.
  await db.query('select pg_create_physical_replication_slot($1, true, true)', [SLOT])
  const releaseLog = () =>
    db.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1', [SLOT])
  try {
    await db.query(`select pg_backup_start('backup', true)`)
    isStarted = true
    return await runWorker(task, { finish, releaseLog }, signal)
  } finally {
    if (isStarted) await db.query('select pg_backup_stop(false)')
    await releaseLog()
  }
}

interface Steps {
  readonly finish: () => Promise<CopiedDatabase>
  /** Called before the uploads are copied and the copy is proved. Both can take minutes, and need no log. */
  readonly releaseLog: () => Promise<unknown>
}

async function runWorker(task: BackupTask, { finish, releaseLog }: Steps, signal: AbortSignal | undefined) {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { workerData: task, execArgv: [] })
  try {
    return await new Promise<Omit<Extract<WorkerMessage, { is: 'written' }>, 'is'>>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('The server is ending.')), { once: true })
      worker.on('error', reject)
      worker.on('exit', (code) => reject(new Error(`The copying ended with ${code}.`)))
      worker.on('message', (message: WorkerMessage) => {
        if (message.is === 'copied') finish().then((copied) => worker.postMessage(copied, []), reject)
        else if (message.is === 'logCopied') releaseLog().catch(reject)
        else resolve({ bytes: message.bytes, parts: message.parts, problem: message.problem })
      })
    })
  } finally {
    await worker.terminate()
    await rm(`${task.path}.part`, { force: true })
  }
}
