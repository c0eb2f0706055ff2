import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Acknowledgement,
  acknowledgeRow,
  brokenText,
  knownText,
  loadAuditKey,
  openAuditLog,
  readAuditTip,
  verifyAuditLog,
} from '#server/features/audit/index.ts'
import { stopAsRestored } from '#server/features/book/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { unpackBackupFile } from './backup-file.ts'

export interface BackupProof {
  readonly takenAtMs: number
  readonly parts: number
  readonly transfers: number
  readonly accounts: number
  readonly auditRows: bigint
  readonly known: readonly string[]
}

export interface ProofOptions {
  readonly secret: Uint8Array
  /** AUDIT_KEY; null when the backup has the file `audit.key`. */
  readonly auditKey: string | null
  readonly acknowledge: Acknowledgement | null
  readonly durable: boolean
}

/**
 * Unpacks a backup into an empty folder, opens the database there and verifies ledger and audit log: this proves that
 * the backup can be restored. Also stops the open book in the unpacked database, because entries that the backup lacks
 * may have been signed.
 * @throws Error with one line for the operator; SealBrokenError for a damaged file
 */
export async function unpackAndProve(file: string, folder: string, options: ProofOptions): Promise<BackupProof> {
  const { secret, auditKey, acknowledge, durable } = options
  const { takenAtMs, parts } = await unpackBackupFile(file, { secret, into: folder, durable })
  if (auditKey === null && !existsSync(join(folder, 'audit.key')))
    throw new Error('Set AUDIT_KEY: the backup has no audit.key.')
  const db = await openEmbedded({ dataDir: folder, durable })
  try {
    // Migrates a backup of an older version. Throws for a backup of a newer version.
    await migrate(db)
    await openAuditLog(db, loadAuditKey(auditKey, folder, false))
    const { findings, transfers, accounts } = await verifyLedger(db, true)
    const [finding] = findings
    if (finding !== undefined)
      throw new Error(
        `The books do not add up (${finding.rule}: expected ${finding.expected}, found ${finding.found}): take an older backup.`,
      )
    const report = acknowledge === null ? null : await acknowledgeRow(db, acknowledge)
    if (report?.is === 'refused') throw new Error(report.reason)
    const { verified, broken, known } = await verifyAuditLog(db, readAuditTip(folder))
    if (broken.length > 0)
      throw new Error(
        `The audit log is broken: ${brokenText(broken)}. Take an older backup, or see "A row of the audit log is broken" in docs/operations.md.`,
      )
    await stopAsRestored(db)
    return { takenAtMs, parts: parts.length, transfers, accounts, auditRows: verified, known: known.map(knownText) }
  } finally {
    await db.close()
  }
}
