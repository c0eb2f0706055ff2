import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ACKNOWLEDGE_OPTIONS, readAcknowledgement } from '#server/features/audit/index.ts'
import { runCommand } from './command.ts'
import { loadBackupKey } from '#server/installation/backup-key.ts'
import { restoreBackup } from '#server/installation/restore-backup.ts'

/**
 * `npm run restore -- --from FILE`: restores a backup into DATA_DIR, which must hold no data, and proves its books
 * (docs/operations.md); with `--acknowledge ROW --why …` also one whose audit log is broken in that row. Exits with 1 when it
 * was refused; nothing has changed then.
 */
await runCommand(async (settings) => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, ...ACKNOWLEDGE_OPTIONS } })
  if (values.from === undefined) throw new Error('npm run restore -- --from FILE')
  if (settings.databaseUrl !== null)
    throw new Error('DATABASE_URL is set: this restores an embedded installation. Unset it first.')
  const file = resolve(values.from)
  accessSync(file, constants.R_OK)
  const { takenAtMs, parts, transfers, accounts, auditRows, known } = await restoreBackup(file, {
    ...settings,
    secret: loadBackupKey(settings, false),
    acknowledge: readAcknowledgement(values),
  })
  process.stdout.write(
    [
      `Restored into ${settings.dataDir}, as it was at ${new Date(takenAtMs).toISOString()}: ${parts} parts.`,
      `The books add up: ${transfers} transfers, ${accounts} accounts.`,
      `The audit log is whole: ${[`${auditRows} rows`, ...known].join('; ')}.`,
      ...(process.getuid?.() === 0 ? [`It belongs to root: chown -R it to the user of the service.`] : []),
      'The open book signs nothing until its next log is begun. Before people come back:',
      '    npm run log:restart -- --why RESTORED\n',
    ].join('\n'),
  )
  return 0
}, 'Nothing was restored: ')
