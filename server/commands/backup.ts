import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand } from './command.ts'
import { backupFolderOf } from '#server/installation/backup-file.ts'
import { askOperator } from './operator-commands.ts'

/**
 * `npm run backup [-- --to FOLDER]`: backs up an embedded installation into one encrypted file (docs/operations.md).
 * Exits with 1 when no backup was made, or when this command cannot see the file.
 */
await runCommand(async (settings) => {
  const { values } = parseArgs({ options: { to: { type: 'string' } } })
  const folder = resolve(values.to ?? backupFolderOf(settings))
  const report = await askOperator(settings, `backup ${folder}`)
  if (report.is === 'refused') {
    process.stderr.write(`No backup was made: ${report.reason}\n`)
    return 1
  }
  const { path, bytes, parts, tookMs } = report
  if (!existsSync(path)) {
    process.stderr.write(
      `${path} is where the server alone sees it, as with PrivateTmp of its unit: name another folder.\n`,
    )
    return 1
  }
  process.stdout.write(
    `${path}\n${parts} parts, ${(bytes / 1_000_000).toFixed(1)} MB, ${(tookMs / 1000).toFixed(1)} s.\n` +
      `It opens with ${settings.backupKey === null ? resolve(settings.dataDir, 'backup.key') : 'BACKUP_KEY'} alone: keep a copy of that somewhere else.\n`,
  )
  return 0
})
