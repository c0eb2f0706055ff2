import { join } from 'node:path'
import type { Logger } from '#server/platform/process/log.ts'
import { readAppliedMigrations, readMigrations } from '#server/platform/database/migrate.ts'
import { keepNewestBackups } from './backup-file.ts'
import { type BackupDeps, makeBackup } from './make-backup.ts'

/**
 * Makes a backup if migrations are due, because the previous version does not start on a migrated database. The backup
 * lies in a folder of its own, where scheduled backups do not replace it. If no backup can be made, migrations run all
 * the same.
 * @param folder the folder of the installation's backups
 */
export async function backUpBeforeMigrations(
  deps: BackupDeps,
  { folder, log }: { readonly folder: string; readonly log: Logger },
): Promise<void> {
  const applied = await readAppliedMigrations(deps.db)
  const next = readMigrations().find(({ name }) => !applied.includes(name))
  if (applied.length === 0 || next === undefined) return
  const ownFolder = join(folder, `before-${next.name.replace(/\.sql$/, '')}`)
  const report = await makeBackup(deps, ownFolder)
  if (report.is === 'refused')
    return log.error(
      { why: report.why, reason: report.reason },
      'No backup was made before the migrations of this version: the way back to the version before is an older backup',
    )
  await keepNewestBackups(ownFolder, 1)
  log.warn(
    { path: report.path, bytes: report.bytes, tookMs: report.tookMs },
    `Migrations of this version follow. To go back to the version before: stop the server, and with that version run npm run restore -- --aside --from ${report.path} and npm run log:restart -- --why RESTORED`,
  )
}
