import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readProcessSettings } from '#server/platform/settings.ts'
import { loadBackupKey } from './installation/backup-key.ts'
import { restoreBackup } from './installation/restore-backup.ts'

/**
 * `npm run restore -- --from FILE`: restores a backup into DATA_DIR, which must hold no data, and proves its books
 * (docs/operations.md). Exits with 1 when it was refused; nothing has changed then.
 */
try {
  const { values } = parseArgs({ options: { from: { type: 'string' } } })
  const settings = readProcessSettings()
  if (values.from === undefined) throw new Error('npm run restore -- --from FILE')
  if (settings.databaseUrl !== null)
    throw new Error('DATABASE_URL is set: this restores an embedded installation. Unset it first.')
  const { takenAtMs, parts, transfers, accounts, auditRows } = await restoreBackup(resolve(values.from), {
    ...settings,
    secret: loadBackupKey(settings, false),
  })
  process.stdout.write(
    [
      `Restored into ${settings.dataDir}, as it was at ${new Date(takenAtMs).toISOString()}: ${parts} parts.`,
      `The books add up: ${transfers} transfers, ${accounts} accounts.`,
      `The audit log is whole: ${auditRows} rows.`,
      'The open book signs nothing until its next log is begun. Before people come back:',
      '    npm run log:restart -- --why RESTORED\n',
    ].join('\n'),
  )
} catch (error) {
  process.stderr.write(`Nothing was restored: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
