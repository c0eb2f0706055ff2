import { accessSync, constants } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ACKNOWLEDGE_OPTIONS, readAcknowledgement } from '#server/features/audit/index.ts'
import { runCommand } from './command.ts'
import { requireRoom } from '#server/installation/backup-file.ts'
import { loadBackupKey } from '#server/installation/backup-key.ts'
import { type BackupProof, unpackAndProve } from '#server/installation/prove-backup.ts'
import { noteFailedRehearsal, noteRehearsal } from '#server/installation/rehearsal.ts'
import { restoreBackup } from '#server/installation/restore-backup.ts'
import type { Settings } from '#server/platform/process/settings.ts'
import { inTemporaryFolder } from '#server/platform/process/temporary-folder.ts'

const provedText = ({ transfers, accounts, auditRows, known }: BackupProof): string =>
  `The books add up: ${transfers} transfers, ${accounts} accounts.\nThe audit log is whole: ${[`${auditRows} rows`, ...known].join('; ')}.\n`

const rehearse = (file: string, settings: Settings): Promise<void> =>
  inTemporaryFolder('kim-phien-rehearsal-', async (folder) => {
    try {
      await requireRoom(folder, settings.dataDir, 0)
      const secret = loadBackupKey(settings, false)
      const proof = await unpackAndProve(file, join(folder, 'data'), {
        ...{ secret, auditKey: settings.auditKey, acknowledge: null, durable: false },
      })
      noteRehearsal(settings.dataDir, proof.takenAtMs)
      process.stdout.write(
        `Rehearsed: ${file}, as it was at ${new Date(proof.takenAtMs).toISOString()}.\n${provedText(proof)}`,
      )
    } catch (error) {
      try {
        noteFailedRehearsal(settings.dataDir)
      } catch {
        // Ignored: the reason why the rehearsal failed is more important, and is thrown below.
      }
      throw error
    }
  })

/**
 * `npm run restore -- --from FILE`: restores a backup into DATA_DIR and verifies its ledger and audit log
 * (docs/operations.md). A DATA_DIR with data is refused; `--aside` moves this data aside. `--acknowledge ROW --why …`
 * accepts a backup whose audit log was changed in that row. `--rehearse` restores into a temporary folder, and notes in
 * DATA_DIR whether this succeeded. Exits with 1 when nothing was restored.
 */
await runCommand(async (settings) => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      rehearse: { type: 'boolean' },
      aside: { type: 'boolean' },
      ...ACKNOWLEDGE_OPTIONS,
    },
  })
  if (values.from === undefined) throw new Error('npm run restore -- --from FILE')
  if (settings.databaseUrl !== null)
    throw new Error('DATABASE_URL is set: this restores an embedded installation. Unset it first.')
  const file = resolve(values.from)
  accessSync(file, constants.R_OK)
  if (values.rehearse === true) {
    await rehearse(file, settings)
    return 0
  }
  const proof = await restoreBackup(file, {
    ...settings,
    secret: loadBackupKey(settings, false),
    acknowledge: readAcknowledgement(values),
    isMovingAside: values.aside === true,
  })
  process.stdout.write(
    [
      `Restored into ${settings.dataDir}, as it was at ${new Date(proof.takenAtMs).toISOString()}: ${proof.parts} parts.`,
      provedText(proof).trimEnd(),
      ...(proof.away === null ? [] : [`What was there is in ${proof.away}.`]),
      ...(process.getuid?.() === 0 ? [`It belongs to root: chown -R it to the user of the service.`] : []),
      'The open book signs nothing until its next log is begun. Before people come back:',
      '    npm run log:restart -- --why RESTORED\n',
    ].join('\n'),
  )
  return 0
}, 'Nothing was restored: ')
