import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadAuditKey } from '#server/features/audit/index.ts'
import { openFileStorage } from '#server/features/files/index.ts'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { openNative } from '#server/platform/database/native.ts'
import { LockHeldError } from '#server/platform/process/process-lock.ts'
import { runCommand } from './command.ts'
import { moveDatabase } from '#server/installation/move-database.ts'

/**
 * `npm run move -- --to postgres://…`: moves a stopped embedded installation into an empty PostgreSQL database and, if
 * S3_BUCKET is set, the images of the chat into that bucket (docs/operations.md). After an interruption, run the same
 * command again. Exits with 1 when the move failed.
 */
const HOURS_MS = 12 * 3_600_000

await runCommand(async (settings) => {
  const { values } = parseArgs({ options: { to: { type: 'string' } } })
  if (values.to === undefined) throw new Error('PGPASSWORD=… npm run move -- --to postgres://user@host:port/database')
  const { databaseUrl, dataDir, auditKey, s3Bucket } = settings
  if (databaseUrl !== null) throw new Error('DATABASE_URL is set: this moves an embedded installation. Unset it first.')
  if (!existsSync(join(dataDir, 'pg', 'PG_VERSION'))) throw new Error(`${dataDir} has no embedded database.`)
  const source = await openEmbedded({ dataDir }).catch((error: unknown) => {
    throw error instanceof LockHeldError
      ? new Error(`${dataDir} is in use: stop the server first.`, { cause: error })
      : error
  })
  const limits = { statementTimeoutMs: HOURS_MS, lockTimeoutMs: 60_000, idleInTxTimeoutMs: HOURS_MS }
  const target = openNative({ url: values.to, max: 1, applicationName: 'kim-phien move', ...limits })
  try {
    const { tables, rows, transfers, auditRows, known, uploads, left } = await moveDatabase({
      source,
      target,
      auditKey: loadAuditKey(auditKey, dataDir, false),
      dataDir,
      targetUrl: values.to,
      uploads:
        s3Bucket === null
          ? null
          : { from: await openFileStorage({ ...settings, s3Bucket: null }), to: await openFileStorage(settings) },
      onStep: (step) => process.stdout.write(`${step}\n`),
    })
    process.stdout.write(
      [
        `Moved: ${rows} rows of ${tables} tables, each the same on both sides.`,
        `The books add up: ${transfers} transfers. The audit log is whole: ${[`${auditRows} rows`, ...known].join('; ')}.`,
        ...(left.length > 0 ? [`Not moved, since it is detached: ${left.join(', ')}.`] : []),
        ...(uploads === null
          ? [`Images of chat stay in ${join(dataDir, 'uploads')}: without S3_BUCKET nothing of them was copied.`]
          : [
              `Images of chat: ${uploads.files} files, ${uploads.bytes} bytes, each the same in the bucket ${s3Bucket}; ${uploads.already} were there already.`,
              ...(uploads.missing === 0
                ? []
                : [`!! ${uploads.missing} images have no file, here or there: they were lost before the move.`]),
            ]),
        `Start the server with DATABASE_URL, and with this DATA_DIR: its keys and log-tip go on. Without DATABASE_URL no server starts on it any more.\n`,
      ].join('\n'),
    )
  } finally {
    await target.close()
    await source.close()
  }
  return 0
}, 'Nothing was moved: ')
