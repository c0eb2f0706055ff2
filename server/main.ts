import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type App, buildApp } from '#server/app.ts'
import { loadAuditKey, openAuditLog, startAuditTip } from '#server/features/audit/index.ts'
import { askWitnesses, loadBookKey, openBook } from '#server/features/book/index.ts'
import { openFileStorage } from '#server/features/files/index.ts'
import { ensureFirstAdmin, requireFactors } from '#server/features/identity/index.ts'
import { createMarket, TICKS_SO_FAR } from '#server/features/market/index.ts'
import { readPushKeys } from '#server/features/push/index.ts'
import { startLedgerGuard, startTotalling } from '#server/features/wallet/index.ts'
import { createClock } from '#server/platform/clock.ts'
import { openControlSocket } from '#server/platform/control-socket.ts'
import { openEmbedded } from '#server/platform/embedded.ts'
import { readInstallationId } from '#server/platform/installation.ts'
import { createLog } from '#server/platform/log.ts'
import { migrate } from '#server/platform/migrate.ts'
import { refuseUnfinishedMove } from '#server/platform/move-mark.ts'
import { openNative, openNativeConnections, requireOwnSession } from '#server/platform/native.ts'
import { makePartitionsAhead } from '#server/platform/partitions.ts'
import { connectRedis } from '#server/platform/redis.ts'
import { readProcessSettings, type Settings } from '#server/platform/settings.ts'
import { startUpkeep } from '#server/platform/upkeep.ts'
import { backupFolderOf } from './installation/backup-file.ts'
import { loadBackupKey } from './installation/backup-key.ts'
import { startBackups } from './installation/backup-schedule.ts'
import { measureArchive } from './installation/measure-archive.ts'
import { measureBackups } from './installation/measure-backups.ts'
import { runOperatorCommand } from './operator-commands.ts'

/** A process that has not ended this long after its drain is ended: an operator, or a service manager, waits for it. */
const GRACE_MS = 7_000
/** Sockets are closed over this time, so that the other processes get them one by one. */
const SOCKETS_CLOSED_OVER_MS = 3_000
const webDir = fileURLToPath(new URL('../dist/', import.meta.url))

const settings = readProcessSettings()
const drainMs = settings.drainSeconds * 1000
const log = createLog(settings.logLevel)
const say = (line: string) => void process.stdout.write(`${line}\n`)

/** What answers calls; null until it listens. */
let serving: App | null = null
/** Everything opened so far, to be closed in reverse order. */
const opened: Array<() => unknown> = []

async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).toReversed()) await close()
}

/** Settings → database → clock → features → listen. Returns the address. */
async function start({ databaseUrl, dataDir, redisUrl, host, port, ...rest }: Settings): Promise<string> {
  const telemetry = await openTelemetry(rest)
  const connections = await naming('DATABASE_URL', databaseUrl, async () =>
    databaseUrl === null ? (await openEmbedded({ dataDir })).connections : openNativeConnections(databaseUrl),
  )
  opened.push(() => connections.close())
  const { requests: db, engine } = connections
  await naming('DATABASE_URL', databaseUrl, () => requireOwnSession(db))
  await refuseUnfinishedMove(db)
  await migrate(db)
  // After months without a server there is none for the first tick. Where it cannot be made now, the upkeep tries again.
  await makePartitionsAhead(db).catch((error: unknown) =>
    log.warn({ err: error }, 'partitions of the months to come could not be made'),
  )
  opened.push(startUpkeep(db, { log }))
  const installationId = await readInstallationId(db)

  await openAuditLog(db, loadAuditKey(rest.auditKey, dataDir, true))
  opened.push(startAuditTip(db, dataDir, log))
  const password = await ensureFirstAdmin(db, rest.adminUsername, rest.adminPassword)
  if (password !== null)
    say(`Quản trị viên đầu tiên / First administrator: ${rest.adminUsername}  mật khẩu / password: ${password}`)

  await requireFactors(db, rest)

  // A separate connection where there is a pool: a sample that waits for a busy connection is useless.
  const clockDb = databaseUrl === null ? db : openNative({ url: databaseUrl, max: 1 })
  if (clockDb !== db) opened.push(() => clockDb.close())
  const clock = await createClock(clockDb, { log })
  opened.push(() => clock.stop())

  const redis =
    redisUrl === null ? null : await naming('REDIS_URL', redisUrl, () => connectRedis(redisUrl, installationId, log))
  if (redis !== null) opened.push(() => redis.disconnect())

  const bookKey = loadBookKey({ ...rest, dataDir }, true)
  // Before the market, whose seeds the book commits to.
  const book = await openBook({
    db: engine,
    startDb: db,
    key: bookKey,
    origin: rest.logOrigin,
    dataDir,
    ticksSql: TICKS_SO_FAR,
    log,
  })
  opened.push(() => book.stop())

  const market = createMarket({ db: engine, readsDb: db, clock, settings: rest, log })
  await market.start()
  opened.push(() => market.stop())
  const ledger = await startLedgerGuard(db, log, engine)
  opened.push(() => ledger.stop())
  opened.push(startTotalling(db, log))

  const storage = await openFileStorage({ dataDir, ...rest })
  const push = { keys: await readPushKeys(db, rest) }
  const app: App = await buildApp({
    settings: rest,
    connections,
    clock,
    log,
    market,
    ledger,
    book,
    storage,
    push,
    redis,
    webDir,
    tracing: telemetry?.tracing ?? null,
  })
  opened.push(() => app.close())
  telemetry?.exportMetrics(app.metrics.registry)
  opened.push(() => app.close(drainMs === 0 ? 0 : SOCKETS_CLOSED_OVER_MS))
  if (databaseUrl === null) {
    const backupSecret = () => loadBackupKey({ ...rest, dataDir }, true)
    opened.push(
      await openControlSocket(dataDir, log, (command) =>
        runOperatorCommand({ db, dataDir, bookKey: () => bookKey, backupSecret }, command),
      ),
    )
    const folder = backupFolderOf({ ...rest, dataDir })
    const everyMs = rest.backupEvery === 'off' ? null : rest.backupEvery * 60_000
    measureBackups(app.metrics, { folder, everyMs, now: () => clock.now() })
    if (everyMs !== null) opened.push(startBackups({ db, dataDir, secret: backupSecret }, { folder, everyMs, log }))
  } else opened.push(await measureArchive(app.metrics, { db, log }))
  app.startEngine()
  book.start()
  if (rest.logWitnesses !== null) opened.push(askWitnesses({ db: engine, book, witnesses: rest.logWitnesses, log }))
  const address = await app.http.listen({ host, port })
  serving = app
  return address
}

/** Nothing of it is loaded where no collector is set. Opened first, it sends what the others do until they are closed. */
async function openTelemetry({ otlpEndpoint, tracedShare }: Pick<Settings, 'otlpEndpoint' | 'tracedShare'>) {
  if (otlpEndpoint === null) return null
  const { startTelemetry } = await import('#server/platform/telemetry.ts')
  const telemetry = startTelemetry({ endpoint: otlpEndpoint, share: tracedShare, log })
  opened.push(() => telemetry.stop())
  return telemetry
}

/** Names the setting behind a failed connection; a driver's own message names an address at most. */
async function naming<T>(setting: string, value: string | null, connect: () => Promise<T> | T): Promise<T> {
  try {
    return await connect()
  } catch (error) {
    if (value === null) throw error
    throw new Error(`${setting}: ${reasonOf(error)}`, { cause: error })
  }
}

/** One line that an operator can act on. A host with several addresses fails once for each of them. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `PORT: ${port} is taken by another program; stop it or set another one`
  if (code === 'EACCES' && port !== undefined) return `PORT: this user may not open ${port}; set one above 1023`
  return message.split('\n', 1)[0] ?? String(error)
}

let isStopping = false
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  setTimeout(() => process.exit(1), drainMs + GRACE_MS).unref()
  try {
    serving?.announceStop()
    // A proxy asks /readyz now and then, and goes on sending calls until it has seen that this process ends.
    if (serving !== null) await sleep(drainMs)
    await closeAll()
  } catch (error) {
    log.error({ err: error }, 'The server did not end in order')
    process.exit(1)
  }
  process.exit(exitCode)
}
process.on('SIGTERM', () => void stop(0))
process.on('SIGINT', () => void stop(0))

try {
  const address = await start(settings)
  say(`Kim Phiên: ${address}`)
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  log.debug({ err: error }, 'The server could not start')
  await stop(1)
}
