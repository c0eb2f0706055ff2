import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type App, buildApp } from '#server/app.ts'
import { isAuditLogNew, loadAuditKey, openAuditLog, startAuditTip } from '#server/features/audit/index.ts'
import { askWitnesses, type BookKey, loadBookKey, openBook } from '#server/features/book/index.ts'
import { openFileStorage } from '#server/features/files/index.ts'
import { ensureFirstAdmin, isAdminPasswordUnused, requireFactors } from '#server/features/identity/index.ts'
import { createMarket, TICKS_SO_FAR } from '#server/features/market/index.ts'
import { readPushKeys } from '#server/features/push/index.ts'
import { startLedgerGuard, startTotalling } from '#server/features/wallet/index.ts'
import { type Clock, createClock } from '#server/platform/process/clock.ts'
import { controlSocketPath, openControlSocket } from '#server/platform/process/control-socket.ts'
import type { Connections, Database } from '#server/platform/database/db.ts'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { readInstallationId } from '#server/platform/process/installation.ts'
import { logging, repeating, stopAll } from '#server/platform/process/jobs.ts'
import { createLog, isForPeople, openPrettyLines } from '#server/platform/process/log.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { refuseUnfinishedMove } from '#server/platform/process/move-mark.ts'
import { openNative, openNativeConnections, requireOwnSession } from '#server/platform/database/native.ts'
import { makePartitionsAhead } from '#server/platform/database/partitions.ts'
import { reasonOf } from '#server/platform/process/reason-of.ts'
import { connectRedis } from '#server/platform/sockets/redis.ts'
import { doubtfulInProcess, readProcessSettings } from '#server/platform/process/settings.ts'
import { startUpkeep } from '#server/platform/database/upkeep.ts'
import { backupFolderOf } from './installation/backup-file.ts'
import { loadBackupKey } from './installation/backup-key.ts'
import { startBackups } from './installation/backup-schedule.ts'
import { backUpBeforeMigrations } from './installation/before-migrations.ts'
import { noteDisk } from './installation/disk-growth.ts'
import { measureArchive } from './installation/measure-archive.ts'
import { measureBackups } from './installation/measure-backups.ts'
import { runOperatorCommand } from './commands/operator-commands.ts'
import { type Welcome, welcome } from './installation/welcome.ts'

/** If closing takes longer than this after the drain, the process exits, because a service manager may be waiting. */
const GRACE_MS = 7_000
/** Closing the sockets is spread over this time, so that clients do not all reconnect to other processes together. */
const SOCKETS_CLOSED_OVER_MS = 3_000
/** How often the server checks whether the daily note of the used disk space is due. */
const NOTE_DISK_EVERY_MS = 3_600_000
const webDir = fileURLToPath(new URL('../dist/', import.meta.url))

const settings = readProcessSettings()
const { databaseUrl, dataDir, redisUrl } = settings
const drainMs = settings.drainSeconds * 1000
const forPeople = isForPeople(settings.logFormat)
const log = createLog(settings.logLevel, forPeople ? await openPrettyLines() : undefined)
const backup = { secret: () => loadBackupKey(settings, true), auditKey: settings.auditKey }
const backups = { folder: backupFolderOf(settings), log }
const say = (line: string) => void process.stdout.write(`${line}\n`)
const announce = (line: string) => forPeople && say(line)
let firstAdmin: Welcome['firstAdmin'] = null

let serving: App | null = null
const opened: Array<() => unknown> = []

async function start(): Promise<string> {
  const telemetry = await openTelemetry()
  if (databaseUrl === null) controlSocketPath(dataDir)
  const connections = await openDatabase()
  const { requests: db, engine } = connections
  const installationId = await readInstallationId(db)
  await openAudit(db)
  await ensureAdmin(db)

  // On PostgreSQL, the clock has its own connection, so that reading the time never waits for a connection of a pool.
  const clockDb = databaseUrl === null ? db : openNative({ url: databaseUrl, max: 1 })
  if (clockDb !== db) opened.push(() => clockDb.close())
  const clock = await createClock(clockDb, { log })
  opened.push(() => clock.stop())

  const redis =
    redisUrl === null ? null : await naming('REDIS_URL', redisUrl, () => connectRedis(redisUrl, installationId, log))
  if (redis !== null) opened.push(() => redis.disconnect())

  const bookKey = loadBookKey(settings, true)
  // The book is opened before the market, because the book commits to the seeds of the market.
  const book = await openBook({
    db: engine,
    startDb: db,
    key: bookKey,
    origin: settings.logOrigin,
    dataDir,
    ticksSql: TICKS_SO_FAR,
    log,
  })
  opened.push(() => book.stop())

  const market = createMarket({ db: engine, readsDb: db, clock, settings, log })
  await market.start()
  opened.push(() => market.stop())
  const noted = logging(log, 'The room on the disk could not be noted')
  opened.push(repeating(NOTE_DISK_EVERY_MS, () => noteDisk(dataDir, clock.now()), noted, { isAtOnce: true }))
  const ledger = await startLedgerGuard(db, log, engine)
  opened.push(() => ledger.stop())
  opened.push(startTotalling(db, log))

  const storage = await openFileStorage(settings)
  const push = { keys: await readPushKeys(db, settings) }
  const tracing = telemetry?.tracing ?? null
  const parts = { connections, clock, market, ledger, book, storage, push, redis }
  const app = await buildApp({ ...parts, settings, log, webDir, tracing })
  opened.push(() => app.close(drainMs === 0 ? 0 : SOCKETS_CLOSED_OVER_MS))
  if (databaseUrl === null) await serveOperators(app, db, clock, bookKey)
  else opened.push(await measureArchive(app.metrics, { db, log }))
  app.startEngine()
  book.start()
  const { logWitnesses: witnesses } = settings
  if (witnesses !== null) opened.push(askWitnesses({ db: engine, book, witnesses, log }))
  const address = await app.http.listen({ host: settings.host, port: settings.port })
  serving = app
  return address
}

async function openDatabase(): Promise<Connections> {
  announce(databaseUrl === null ? 'Preparing the database …' : 'Connecting to the database …')
  const connections = await naming('DATABASE_URL', databaseUrl, async () =>
    databaseUrl === null ? (await openEmbedded({ dataDir })).connections : openNativeConnections(databaseUrl),
  )
  opened.push(() => connections.close())
  const { requests: db } = connections
  await naming('DATABASE_URL', databaseUrl, () => requireOwnSession(db))
  await refuseUnfinishedMove(db)
  if (databaseUrl === null) await backUpBeforeMigrations({ db, dataDir, ...backup }, backups)
  const begunAt = performance.now()
  const applied = await migrate(db)
  if (applied.length > 0)
    log.info(
      { first: applied[0], last: applied.at(-1), tookMs: Math.round(performance.now() - begunAt) },
      `The database has the tables of this version: ${applied.length} migrations`,
    )
  // After months without a server, the first tick would have no partition. If this call fails, the upkeep tries again.
  await makePartitionsAhead(db).catch(logging(log, 'partitions of the months to come could not be made'))
  opened.push(startUpkeep(db, { log }))
  return connections
}

async function openAudit(db: Database): Promise<void> {
  // A new key is made only for a new log: an earlier log needs the key that signed it.
  await openAuditLog(db, loadAuditKey(settings.auditKey, dataDir, await isAuditLogNew(db)))
  opened.push(startAuditTip(db, dataDir, log))
}

async function ensureAdmin(db: Database): Promise<void> {
  const { adminUsername, adminPassword } = settings
  const password = await ensureFirstAdmin(db, adminUsername, adminPassword)
  if (password !== null) {
    firstAdmin = { username: adminUsername, password }
    // The password is printed now, because only its hash is stored: if this start fails, the next one cannot print it.
    say(`Quản trị viên đầu tiên / First administrator: ${adminUsername}  mật khẩu / password: ${password}`)
  }
  // Not awaited, because verifying a password takes long.
  if (adminPassword !== null) void warnOfUnused(db, adminUsername, adminPassword)
  await requireFactors(db, settings)
}

async function warnOfUnused(db: Database, username: string, password: string): Promise<void> {
  const noted = logging(log, 'ADMIN_PASSWORD could not be compared with the stored one')
  if (await isAdminPasswordUnused(db, username, password).catch(noted))
    log.warn('ADMIN_PASSWORD is not used: it is for the first start. A lost one: npm run staff:reset-password -- NAME')
}

async function serveOperators(app: App, db: Database, clock: Clock, bookKey: BookKey): Promise<void> {
  const ofServer = { db, dataDir, bookKey: () => bookKey, backup }
  opened.push(await openControlSocket(dataDir, log, (command) => runOperatorCommand(ofServer, command)))
  const everyMs = settings.backupEvery === 'off' ? null : settings.backupEvery * 60_000
  measureBackups(app.metrics, { folder: backups.folder, everyMs, now: () => clock.now() })
  if (everyMs !== null) opened.push(startBackups({ db, dataDir, ...backup }, { ...backups, everyMs }))
}

/**
 * Starts telemetry if a collector is set. It is started before all other parts and stopped after them, so that it sends
 * the spans of all parts.
 */
async function openTelemetry() {
  const { otlpEndpoint, tracedShare } = settings
  if (otlpEndpoint === null) return null
  const { startTelemetry } = await import('#server/platform/process/telemetry.ts')
  const telemetry = startTelemetry({ endpoint: otlpEndpoint, share: tracedShare, log })
  opened.push(() => telemetry.stop())
  return telemetry
}

/** Adds the setting's name to an error, because the message of a driver does not have it. */
async function naming<T>(setting: string, value: string | null, connect: () => Promise<T> | T): Promise<T> {
  try {
    return await connect()
  } catch (error) {
    if (value === null) throw error
    throw new Error(`${setting}: ${reasonOf(error)}`, { cause: error })
  }
}

let isStopping = false
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  announce(
    drainMs === 0
      ? 'Stopping: open calls are answered and the database is closed …'
      : `Stopping: open calls are answered for ${drainMs / 1000} s, then the database is closed …`,
  )
  setTimeout(() => process.exit(1), drainMs + GRACE_MS).unref()
  try {
    serving?.announceStop()
    // During the drain, the server answers calls, because a proxy sends calls until it has asked /readyz again.
    if (serving !== null) await sleep(drainMs)
    await stopAll(opened)
  } catch (error) {
    log.error({ err: error }, 'The server did not end in order')
    process.exit(1)
  }
  announce('Stopped.')
  process.exit(exitCode)
}
process.on('SIGTERM', () => void stop(0))
process.on('SIGINT', () => void stop(0))

try {
  for (const problem of doubtfulInProcess()) log.warn(problem)
  const address = await start()
  say(forPeople ? welcome({ address, firstAdmin, databaseUrl, dataDir }) : `Kim Phiên: ${address}`)
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  log.debug({ err: error }, 'The server could not start')
  await stop(1)
}
