import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RESTORING } from '#server/platform/database/embedded.ts'
import { syncFolder } from '#server/platform/process/durable-file.ts'
import { acquireProcessLock } from '#server/platform/process/process-lock.ts'
import { BACKUP_KEY_FILE } from './backup-key.ts'
import { DISK_FILE } from './disk-growth.ts'
import { type BackupProof, type ProofOptions, unpackAndProve } from './prove-backup.ts'
import { REHEARSAL_FILES } from './rehearsal.ts'

/**
 * The beginning of the name of a folder to which earlier data is moved. The folder lies in DATA_DIR and not in
 * `backups`: if `backups` is on another file system, files cannot be moved there by renaming.
 */
const REPLACED = 'replaced-'
/** Files that may be in DATA_DIR before a restore, and that a restore does not replace. */
const HARMLESS = new Set([
  'lock',
  'lock-journal',
  'lock.holder',
  'control.sock',
  'log-tip',
  'backups',
  BACKUP_KEY_FILE,
  RESTORING,
  // Files about this machine, which may be there even without a database.
  ...[DISK_FILE, 'newest-version', ...REHEARSAL_FILES],
])
const isHarmless = (name: string): boolean => HARMLESS.has(name) || name.startsWith(REPLACED)

export interface RestoreOptions extends Omit<ProofOptions, 'durable'> {
  readonly dataDir: string
  /** True moves earlier data into a folder in DATA_DIR once the new data is proved; false refuses such data. */
  readonly isMovingAside?: boolean
}

/**
 * Unpacks and proves a backup in a separate folder before any part of it is put in place. Afterwards, the open book
 * signs nothing until the operator begins its next log (log-restart.ts).
 * @returns the proof; `away` is the folder to which earlier data was moved, or null if there was no data
 * @throws Error with one line for the operator; SealBrokenError for a damaged file
 */
export async function restoreBackup(
  file: string,
  { dataDir, isMovingAside = false, ...options }: RestoreOptions,
): Promise<BackupProof & { readonly away: string | null }> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = acquireProcessLock(dataDir)
  const aside = join(dataDir, RESTORING)
  const hadDatabase = existsSync(join(dataDir, 'pg'))
  try {
    const data = (await readdir(dataDir)).filter((name) => !isHarmless(name))
    if (data.length > 0 && !isMovingAside)
      throw new Error(`${dataDir} holds data (${data.toSorted().join(', ')}): move it away, or set another DATA_DIR.`)
    await rm(aside, { recursive: true, force: true })
    const proof = await unpackAndProve(file, aside, { ...options, durable: true })
    const away = data.length === 0 ? null : await mkdtemp(join(dataDir, REPLACED))
    const moves = data.map((name) => [join(dataDir, name), join(away ?? '', name)] as const)
    // The database is moved last, so that its absence shows an interrupted restore.
    const names = (await readdir(aside)).filter((name) => !isHarmless(name) && name !== 'pg')
    for (const name of [...names, 'pg']) moves.push([join(aside, name), join(dataDir, name)])
    await renameAll(moves)
    await syncFolder(dataDir)
    return { ...proof, away }
  } finally {
    // If the earlier database could not be moved back, the folder `aside` stays: it keeps a starting server from making
    // an empty database.
    if (!hadDatabase || existsSync(join(dataDir, 'pg'))) await rm(aside, { recursive: true, force: true })
    lock.release()
  }
}

/**
 * Renames all files or, if one renaming fails, none. If only some were renamed, the folder could lack a database, and a
 * starting server would make a new, empty one.
 */
async function renameAll(moves: ReadonlyArray<readonly [from: string, to: string]>): Promise<void> {
  const done: (typeof moves)[number][] = []
  try {
    for (const move of moves) {
      await rename(...move)
      done.unshift(move)
    }
  } catch (error) {
    const left: string[] = []
    for (const [from, to] of done) await rename(to, from).catch(() => left.push(to))
    if (left.length > 0)
      throw new Error(`${(error as Error).message}. Move back by hand: ${left.join(', ')}`, { cause: error })
    throw error
  }
}
