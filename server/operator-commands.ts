import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadAuditKey, openAuditLog, readAuditTip, recordAct, verifyAuditLog } from '#server/features/audit/index.ts'
import type { RestartWhy } from '#domain/book/entry.ts'
import {
  type BookKey,
  isRestartWhy,
  loadBookKey,
  queueAct,
  restartLog,
  type RestartReport,
} from '#server/features/book/index.ts'
import { reopenInBook } from '#server/features/game/index.ts'
import {
  type FactorResetReport,
  grantOwnerByOperator,
  type OwnerGrantReport,
  resetFactorsByOperator,
} from '#server/features/identity/index.ts'
import { auditLedger, clearLedgerFailure, type LedgerAudit, type LedgerReport } from '#server/features/wallet/index.ts'
import { askControlSocket } from '#server/platform/control-socket.ts'
import type { Database } from '#server/platform/db.ts'
import { openEmbedded } from '#server/platform/embedded.ts'
import { openNative } from '#server/platform/native.ts'
import type { Settings } from '#server/platform/settings.ts'
import { loadBackupKey } from './installation/backup-key.ts'
import {
  describePartitions,
  type DetachReport,
  detachThrough,
  type PartitionLine,
} from './installation/detach-partitions.ts'
import { examineDatabase, type Finding } from './installation/doctor.ts'
import { type BackupReport, makeBackup } from './installation/make-backup.ts'

/** The audit log's report as it is sent over the control socket: JSON has no bigint. */
export interface AuditLogReport {
  readonly verified: string
  /** Number of the last row that was detached; 0 where none was. */
  readonly detachedThrough: string
  readonly broken: { readonly brokenSeq: string; readonly problem: 'missing' | 'changed' | 'unexpected' } | null
}

/** The operator's commands and the answer to each. */
export type OperatorAnswers = {
  /** Ends the newest log of the open book and begins the next one. */
  readonly [Why in RestartWhy as `log:restart ${Why}`]: RestartReport
} & {
  /** Removes the second factors of the admin of that name, who lost them. */
  readonly [Name in string as `staff:reset-factor ${Name}`]: FactorResetReport
} & {
  /** Makes the admin of that name the owner, where there is none. */
  readonly [Name in string as `staff:grant-owner ${Name}`]: OwnerGrantReport
} & {
  /** Makes a backup of the embedded installation in this folder, an absolute path. */
  readonly [Folder in string as `backup ${Folder}`]: BackupReport
} & {
  /** Detaches the partitions of a table that end with a month or before it. */
  readonly [Which in string as `partitions:detach ${Which}`]: DetachReport
} & {
  /** The partitions of every table, and what was detached. */
  'partitions:list': readonly PartitionLine[]
  /** Looks at the database and at what stands in it. */
  doctor: readonly Finding[]
  /** Verifies all the books. */
  'ledger:check': LedgerAudit
  /** The same; when all are correct it also allows money acts again, which is written to the audit log (rules §3). */
  'ledger:clear': LedgerReport
  /** Verifies the audit log's chain from its first row to its last. */
  'audit:check': AuditLogReport
}
export type OperatorCommand = keyof OperatorAnswers

/** What the commands work on. */
export interface OperatorDeps {
  readonly db: Database
  readonly dataDir: string
  /** Read at the call: only the open book's commands need it. */
  readonly bookKey: () => BookKey
  /** The key of backups, made where there is none. */
  readonly backupSecret: () => Uint8Array
}

/** Runs an operator's command in this process. The audit log must be open for all but `ledger:check`. */
export async function runOperatorCommand(
  { db, dataDir, bookKey, backupSecret }: OperatorDeps,
  command: string,
): Promise<OperatorAnswers[OperatorCommand]> {
  const [name, why = '', month = ''] = command.split(' ')
  if (name === 'log:restart' && isRestartWhy(why))
    return restartLog({ db, key: bookKey(), dataDir, reopenRounds: reopenInBook }, why)
  // The rest of the line, since a folder's name may have spaces.
  if (name === 'backup') return makeBackup({ db, dataDir, secret: backupSecret }, command.slice('backup '.length))
  if (name === 'staff:reset-factor') return resetFactorsByOperator(db, why)
  if (name === 'staff:grant-owner') return grantOwnerByOperator(db, why)
  if (name === 'partitions:detach') return detachThrough({ db, dataDir }, why, month)
  switch (command) {
    case 'partitions:list':
      return describePartitions(db)
    case 'doctor':
      return examineDatabase({ db, dataDir, bookKey })
    case 'ledger:check':
      return auditLedger(db)
    case 'ledger:clear':
      return clearLedger(db)
    case 'audit:check': {
      const { verified, detachedThrough, broken } = await verifyAuditLog(db, readAuditTip(dataDir))
      return {
        verified: String(verified),
        detachedThrough: String(detachedThrough),
        broken: broken === null ? null : { brokenSeq: String(broken.brokenSeq), problem: broken.problem },
      }
    }
    default:
      throw new Error(`unknown command: ${command}`)
  }
}

async function clearLedger(db: Database): Promise<LedgerReport> {
  const report = await clearLedgerFailure(db)
  if (report.findings.length === 0)
    await db.tx(async (tx) => {
      await queueAct(tx, { act: 'ledger.clear', actorId: null })
      await recordAct(tx, {
        actor: 'system',
        act: 'ledger.clear',
        target: 'ledger',
        before: null,
        after: { transfers: report.transfers, accounts: report.accounts },
        reason: null,
      })
    })
  return report
}

/** The ledger's check needs the audit log's key only where acts were detached. */
async function isSigned(db: Database): Promise<boolean> {
  return (await db.query('select 1 from audit_anchors limit 1')).rows.length > 0
}

const STATEMENT_TIMEOUT_MS = 10 * 60_000

/**
 * Runs a command from a separate process: through the running server where the database is embedded, since no second
 * process can open it then, and on the database itself otherwise.
 */
export async function askOperator<Command extends OperatorCommand>(
  settings: Settings,
  command: Command,
): Promise<OperatorAnswers[Command]> {
  if (settings.databaseUrl === null) {
    const answer = await askControlSocket(settings.dataDir, command)
    if (answer !== null) return answer as OperatorAnswers[Command]
  }
  if (settings.databaseUrl === null && !existsSync(join(settings.dataDir, 'pg', 'PG_VERSION')))
    throw new Error(`${settings.dataDir} has no database: set DATA_DIR to the folder of the server, or DATABASE_URL.`)
  const auditKey = command === 'ledger:check' ? null : loadAuditKey(settings.auditKey, settings.dataDir, false)
  const db: Database =
    settings.databaseUrl === null
      ? await openEmbedded({ dataDir: settings.dataDir })
      : openNative({ url: settings.databaseUrl, max: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
  try {
    if (auditKey !== null) await openAuditLog(db, auditKey)
    else if (await isSigned(db)) await openAuditLog(db, loadAuditKey(settings.auditKey, settings.dataDir, false))
    const { dataDir } = settings
    return (await runOperatorCommand(
      { db, dataDir, bookKey: () => loadBookKey(settings, false), backupSecret: () => loadBackupKey(settings, true) },
      command,
    )) as OperatorAnswers[Command]
  } finally {
    await db.close()
  }
}
