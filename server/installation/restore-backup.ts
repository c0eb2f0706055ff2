import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAuditKey, openAuditLog, readAuditTip, verifyAuditLog } from '#server/features/audit/index.ts'
import { stopAsRestored } from '#server/features/book/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { openEmbedded } from '#server/platform/embedded.ts'
import { acquireProcessLock } from '#server/platform/process-lock.ts'
import { BACKUP_KEY_FILE } from './backup-key.ts'
import { syncFolder, unpackBackupFile } from './backup-file.ts'

/** Where a backup is unpacked and proved, in the target itself: from there its parts only have to be renamed. */
const ASIDE = 'restoring'
/** What may be in the target: nothing of it is data that a restore would hide. */
const HARMLESS = new Set([
  'lock',
  'lock-journal',
  'lock.holder',
  'control.sock',
  'log-tip',
  'backups',
  BACKUP_KEY_FILE,
  ASIDE,
])

/** The restore was refused, and the target is as it was. The message is for the operator. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused'
}

export interface RestoreReport {
  readonly takenAtMs: number
  readonly parts: number
  readonly transfers: number
  readonly accounts: number
  readonly auditRows: bigint
}

export interface RestoreOptions {
  readonly dataDir: string
  /** The 32 bytes that the backup was sealed with. */
  readonly secret: Uint8Array
  /** AUDIT_KEY of the installation; null when the backup has its key in a file. */
  readonly auditKey: string | null
}

/**
 * Restores a backup into a folder without data. The file is unpacked beside, the database opened there, and ledger and
 * audit log are recounted, before any of it gets its place. The open book signs nothing until the operator begins its next
 * log.
 * @throws RestoreRefused, SealBrokenError
 */
export async function restoreBackup(
  file: string,
  { dataDir, secret, auditKey }: RestoreOptions,
): Promise<RestoreReport> {
  if (!existsSync(file)) throw new RestoreRefused(`There is no file ${file}.`)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = acquireProcessLock(dataDir)
  const aside = join(dataDir, ASIDE)
  try {
    const data = (await readdir(dataDir)).filter((name) => !HARMLESS.has(name))
    if (data.length > 0)
      throw new RestoreRefused(
        `${dataDir} holds data (${data.toSorted().join(', ')}): move it away, or set another DATA_DIR.`,
      )
    await rm(aside, { recursive: true, force: true })
    const { takenAtMs, parts } = await unpackBackupFile(file, secret, aside)
    const proof = await prove(aside, auditKey)
    // The database last: without it the folder is visibly not restored.
    const names = (await readdir(aside)).filter((name) => !HARMLESS.has(name) && name !== 'pg')
    for (const name of [...names, 'pg']) await rename(join(aside, name), join(dataDir, name))
    await syncFolder(dataDir)
    return { takenAtMs, parts: parts.length, ...proof }
  } finally {
    await rm(aside, { recursive: true, force: true })
    lock.release()
  }
}

async function prove(folder: string, auditKey: string | null) {
  if (auditKey === null && !existsSync(join(folder, 'audit.key')))
    throw new RestoreRefused('Set AUDIT_KEY: the backup has no audit.key.')
  const db = await openEmbedded({ dataDir: folder })
  try {
    await openAuditLog(db, loadAuditKey(auditKey, folder, false))
    const { findings, transfers, accounts } = await verifyLedger(db, true)
    const [finding] = findings
    if (finding !== undefined)
      throw new RestoreRefused(
        `The books do not add up (${finding.rule}: expected ${finding.expected}, found ${finding.found}): take an older backup.`,
      )
    const { verified, broken } = await verifyAuditLog(db, readAuditTip(folder))
    if (broken !== null)
      throw new RestoreRefused(`The audit log is ${broken.problem} at row ${broken.brokenSeq}: take an older backup.`)
    await stopAsRestored(db)
    return { transfers, accounts, auditRows: verified }
  } finally {
    await db.close()
  }
}
