import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { backupFolderOf, dataBytes, LEAST_FREE_BYTES, requireFree } from '#server/installation/backup-file.ts'
import type { Database } from '#server/platform/database/db.ts'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { readAppliedMigrations, readMigrations } from '#server/platform/database/migrate.ts'
import { openNative } from '#server/platform/database/native.ts'
import type { Settings } from '#server/platform/process/settings.ts'
import { runCommand } from './command.ts'

const isStopped = process.argv.includes('--stopped')

async function open({ databaseUrl, dataDir }: Settings): Promise<Database | null> {
  if (databaseUrl !== null) return openNative({ url: databaseUrl, max: 1 })
  const isThere = existsSync(join(dataDir, 'pg', 'PG_VERSION'))
  if (!isStopped && !isThere)
    throw new Error(`${dataDir} has no database: set DATA_DIR to the folder of the server, or DATABASE_URL.`)
  return isStopped && isThere ? openEmbedded({ dataDir }) : null
}

/**
 * Prints facts of the installation for `npm run update`, as a line of JSON that can contain secrets. An embedded
 * database is opened only with `--stopped`. `isKnown`: the database was opened and has no unknown migration. Throws,
 * unless `--stopped`, where an update has no room for its version, its backup and the proof of the backup.
 */
await runCommand(async (settings) => {
  const { databaseUrl, host, port } = settings
  const dataDir = resolve(settings.dataDir)
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const db = await open(settings)
  try {
    const applied = db === null ? [] : await readAppliedMigrations(db)
    const known = readMigrations().map((migration) => migration.name)
    const size = `select pg_database_size(current_database()) as bytes`
    const bytes =
      db !== null && databaseUrl !== null
        ? Number((await db.query<{ bytes: bigint }>(size)).rows[0]?.bytes ?? 0)
        : await dataBytes(dataDir)
    const backups = resolve(backupFolderOf(settings))
    if (!isStopped) {
      await requireFree(process.cwd(), LEAST_FREE_BYTES)
      await requireFree(backups, LEAST_FREE_BYTES + bytes * (databaseUrl === null ? 2 : 1))
    }
    process.stdout.write(
      `${JSON.stringify({
        ...{
          databaseUrl,
          dataDir,
          bytes,
          backups,
          address: `http://${name}:${port}`,
        },
        isKnown: applied.length > 0 && applied.every((one) => known.includes(one)),
      })}\n`,
    )
  } finally {
    await db?.close()
  }
  return 0
})
