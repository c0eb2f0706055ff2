import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { nullIfMissing } from '#server/platform/process/durable-file.ts'
import { type BackupWriter, provingPath, writeBackupFile } from './backup-file.ts'
import { unpackAndProve } from './prove-backup.ts'

/* This thread copies a running database and proves the copy. In the main thread, this would delay requests. */

export interface BackupTask {
  readonly path: string
  readonly dataDir: string
  readonly secret: Uint8Array
  readonly auditKey: string | null
}

export interface CopiedDatabase {
  readonly label: string
  readonly firstLog: string
  readonly lastLog: string
  /** The time of the state to which the copy recovers, by the database's clock in Unix ms. */
  readonly takenAtMs: number
}

export type WorkerMessage =
  | { readonly is: 'copied' }
  | { readonly is: 'logCopied' }
  /** `problem`: why the backup cannot be restored; null when a restore was proved to work. */
  | { readonly is: 'written'; readonly bytes: number; readonly parts: number; readonly problem: string | null }

/**
 * Files of DATA_DIR that a backup contains beside database and uploads. `log-tip` is left out: a restore keeps the
 * machine's own `log-tip`, which shows that the restored log is older.
 */
const KEPT_FILES = ['audit.key', 'log.key', 'audit-tip.json']

/** Folders that are copied empty: a restored database does not need their contents, or (pg_wal) gets them later. */
const WITHOUT_CONTENTS = new Set(
  'pg_dynshmem pg_notify pg_replslot pg_serial pg_snapshots pg_stat_tmp pg_subtrans pg_wal'.split(' '),
)
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'backup_label.old'])

if (parentPort !== null) {
  const port = parentPort
  const { path, dataDir, secret, auditKey } = workerData as BackupTask
  const say = (message: WorkerMessage) => port.postMessage(message, [])
  const written = await writeBackupFile(path, secret, async (writer) => {
    // These files are added first, so that the later copy of the database has the row that `audit-tip.json` names.
    for (const name of KEPT_FILES) await writer.addFile(name, join(dataDir, name))
    const clusterDir = join(dataDir, 'pg')
    await addTree(clusterDir, 'pg', writer)
    const answer = once(port, 'message') as Promise<[CopiedDatabase]>
    say({ is: 'copied' })
    const [{ label, firstLog, lastLog, takenAtMs }] = await answer
    await writer.addText('pg/backup_label', label)
    for (const folder of ['archive_status', 'summaries']) await writer.addFolder(`pg/pg_wal/${folder}`)
    const logDir = join(clusterDir, 'pg_wal')
    for (const name of (await readdir(logDir)).toSorted())
      if (/^[0-9A-F]{24}$/.test(name) && name >= firstLog && name <= lastLog)
        await writer.addFile(`pg/pg_wal/${name}`, join(logDir, name))
    say({ is: 'logCopied' })
    // Images are added last: an image is stored before its message, so no copied message lacks its image.
    await addTree(join(dataDir, 'uploads'), 'uploads', writer)
    return takenAtMs
  })
  const options = { secret, auditKey, acknowledge: null, durable: false }
  const problem = await unpackAndProve(path, provingPath(path), options).then(
    () => null,
    async (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      if (!/ENOSPC|No space left/.test(message)) return message
      // A full disk does not show that the copy is bad. The copy is removed all the same, to free its space.
      await rm(path)
      throw new Error(`There is no room to prove it: ${message}`)
    },
  )
  say({ is: 'written', ...written, problem })
}

async function addTree(folder: string, name: string, writer: BackupWriter): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nullIfMissing)
  if (entries === null) return
  await writer.addFolder(name)
  for (const entry of entries) {
    const [path, inside] = [join(folder, entry.name), `${name}/${entry.name}`]
    if (LEFT_OUT.has(entry.name)) continue
    if (entry.isFile()) await writer.addFile(inside, path)
    else if (!entry.isDirectory()) continue
    else if (name === 'pg' && WITHOUT_CONTENTS.has(entry.name)) await writer.addFolder(inside)
    else await addTree(path, inside, writer)
  }
}
