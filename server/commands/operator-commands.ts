import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  acknowledgement,
  type AcknowledgeReport,
  acknowledgeRow,
  brokenText,
  knownText,
  loadAuditKey,
  openAuditLog,
  readAuditTip,
  recordAct,
  setAuditTipAside,
  verifyAuditLog,
} from '#server/features/audit/index.ts'
import type { RestartWhy } from '#domain/book/entry.ts'
import { isRestartWhy, loadBookKey, queueAct, restartLog, type RestartReport } from '#server/features/book/index.ts'
import { reopenInBook } from '#server/features/game/index.ts'
import { actOnAdmin, STAFF_ACTS, type StaffAct, type StaffActReport } from '#server/features/identity/index.ts'
import { auditLedger, clearLedgerFailure, type LedgerAudit, type LedgerReport } from '#server/features/wallet/index.ts'
import { askControlSocket } from '#server/platform/process/control-socket.ts'
import type { Database } from '#server/platform/database/db.ts'
import { copyDatabase, openEmbedded } from '#server/platform/database/embedded.ts'
import { openNative } from '#server/platform/database/native.ts'
import type { Settings } from '#server/platform/process/settings.ts'
import { inTemporaryFolder } from '#server/platform/process/temporary-folder.ts'
import { loadBackupKey } from '#server/installation/backup-key.ts'
import {
  describePartitions,
  type DetachReport,
  detachThrough,
  type PartitionLine,
} from '#server/installation/detach-partitions.ts'
import { type DatabaseToExamine, examineDatabase, type Finding } from '#server/installation/doctor.ts'
import { type BackupDeps, type BackupReport, makeBackup } from '#server/installation/make-backup.ts'

/** Numbers are strings, because the control socket transfers the report as JSON, which has no bigint. */
export interface AuditLogReport {
  readonly verified: string
  readonly detachedThrough: string
  /** A line for each broken row, or for a span of broken rows that follow one another. */
  readonly broken: readonly string[]
  readonly known: readonly string[]
}

export type OperatorAnswers = {
  readonly [Why in RestartWhy as `log:restart ${Why}`]: RestartReport
} & {
  /** Makes the admin of this name the owner if no owner exists, or resets their second factors or their password. */
  readonly [act: `staff:${StaffAct} ${string}`]: StaffActReport
  /** Acknowledges a broken row of the audit log. The argument is an `Acknowledgement` as JSON. */
  readonly [wish: `audit:acknowledge ${string}`]: AcknowledgeReport
  readonly [folder: `backup ${string}`]: BackupReport
  /** Detaches partitions. The argument is a table and the last month to detach, such as `ticks 2027-01`. */
  readonly [which: `partitions:detach ${string}`]: DetachReport
  'partitions:list': readonly PartitionLine[]
  doctor: readonly Finding[]
  'ledger:check': LedgerAudit
  /** Checks the ledger and, if it is right, allows money acts again, which is recorded (rules §3.4). */
  'ledger:clear': LedgerReport
  'audit:check': AuditLogReport
}
export type OperatorCommand = keyof OperatorAnswers

export interface OperatorDeps extends DatabaseToExamine {
  readonly backup: Pick<BackupDeps, 'secret' | 'auditKey'>
}

/** Runs a command of the operator. A command that uses the audit log needs `openAuditLog` first. */
export async function runOperatorCommand(
  { db, dataDir, bookKey, backup, isCopy = false }: OperatorDeps,
  command: string,
): Promise<OperatorAnswers[OperatorCommand]> {
  const [name, why = '', month = ''] = command.split(' ')
  if (name === 'log:restart' && isRestartWhy(why)) {
    const report = await restartLog({ db, key: bookKey(), dataDir, reopenRounds: reopenInBook }, why)
    if (why === 'RESTORED' && report.is === 'restarted') await setAuditTipAside(db, dataDir)
    return report
  }
  // The rest of the line is one argument, because the path of a folder may have spaces.
  if (name === 'backup') return makeBackup({ db, dataDir, ...backup }, command.slice('backup '.length))
  if (name === 'audit:acknowledge')
    return acknowledgeRow(db, acknowledgement.parse(JSON.parse(command.slice('audit:acknowledge '.length))))
  const staffAct = STAFF_ACTS.find((act) => name === `staff:${act}`)
  if (staffAct !== undefined) return actOnAdmin(db, staffAct, why)
  if (name === 'partitions:detach') return detachThrough({ db, dataDir }, why, month)
  switch (command) {
    case 'partitions:list':
      return describePartitions(db)
    case 'doctor':
      return examineDatabase({ db, dataDir, bookKey, isCopy })
    case 'ledger:check':
      return auditLedger(db)
    case 'ledger:clear':
      return clearLedger(db)
    case 'audit:check': {
      const { verified, detachedThrough, broken, known } = await verifyAuditLog(db, readAuditTip(dataDir))
      return {
        verified: String(verified),
        detachedThrough: String(detachedThrough),
        broken: broken.map((rows) => brokenText([rows])),
        known: known.map(knownText),
      }
    }
    default:
      throw new Error(`unknown command: ${command}`)
  }
}

const clearLedger = (db: Database): Promise<LedgerReport> =>
  clearLedgerFailure(db, async (tx, { transfers, accounts }) => {
    await queueAct(tx, 'ledger.clear', null)
    await recordAct(tx, 'system', 'ledger.clear', 'ledger', { after: { transfers, accounts } })
  })

async function isSigned(db: Database): Promise<boolean> {
  return (await db.query('select 1 from audit_anchors limit 1')).rows.length > 0
}

const STATEMENT_TIMEOUT_MS = 10 * 60_000

/** Runs an operator's command: in the server, if a server has the embedded database open, else in this process. */
export async function askOperator<Command extends OperatorCommand>(
  settings: Settings,
  command: Command,
): Promise<OperatorAnswers[Command]> {
  if (settings.databaseUrl === null) {
    // A backup has no time limit, because making and verifying a large one can take hours.
    const answer = await askControlSocket(settings.dataDir, command, command.startsWith('backup ') ? null : undefined)
    if (answer !== null) return answer as OperatorAnswers[Command]
  }
  if (settings.databaseUrl === null && !existsSync(join(settings.dataDir, 'pg', 'PG_VERSION')))
    throw new Error(`${settings.dataDir} has no database: set DATA_DIR to the folder of the server, or DATABASE_URL.`)
  // Before the database is copied: a missing key ends the command.
  const auditKey = command === 'ledger:check' ? null : loadAuditKey(settings.auditKey, settings.dataDir, false)
  // The doctor must not change the database. Opening an embedded database writes to it, so a copy is opened.
  if (settings.databaseUrl === null && command === 'doctor')
    return inTemporaryFolder('kim-phien-copy-', async (copy) => {
      await copyDatabase(settings.dataDir, copy)
      return runHere(settings, command, auditKey, copy)
    })
  return runHere(settings, command, auditKey, null)
}

/** Runs a command in this process. `copy` is the folder with a copy of the embedded database, if that is opened. */
async function runHere<Command extends OperatorCommand>(
  settings: Settings,
  command: Command,
  auditKey: Uint8Array | null,
  copy: string | null,
): Promise<OperatorAnswers[Command]> {
  const { databaseUrl, dataDir } = settings
  const db =
    databaseUrl === null
      ? await openEmbedded(copy === null ? { dataDir } : { dataDir: copy, durable: false })
      : openNative({ url: databaseUrl, max: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
  try {
    if (auditKey !== null) await openAuditLog(db, auditKey)
    else if (await isSigned(db)) await openAuditLog(db, loadAuditKey(settings.auditKey, dataDir, false))
    return (await runOperatorCommand(
      {
        ...{ db, dataDir, isCopy: copy !== null, bookKey: () => loadBookKey(settings, false) },
        backup: { secret: () => loadBackupKey(settings, true), auditKey: settings.auditKey },
      },
      command,
    )) as OperatorAnswers[Command]
  } finally {
    await db.close()
  }
}
