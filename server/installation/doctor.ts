import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { STOP_WHYS, type StopWhy } from '#contract/book-status.ts'
import type { SystemFacts, SystemWhy } from '#contract/system.ts'
import { LEDGER_CHECK_DUE_MS } from '#domain/attention/attention.ts'
import { type BookKey } from '#server/features/book/index.ts'
import { brokenText, knownText, readAuditTip, verifyAuditLog } from '#server/features/audit/index.ts'
import { readLedgerState, verifyLedger } from '#server/features/wallet/index.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { readIfThere } from '#server/platform/process/durable-file.ts'
import { findForeign } from '#server/platform/process/folder-owner.ts'
import { readAppliedMigrations, readMigrations, releaseWith } from '#server/platform/database/migrate.ts'
import { programVersion } from '#server/platform/process/program-version.ts'
import { readMoveMark, refuseMovedAway } from '#server/platform/process/move-mark.ts'
import type { Settings } from '#server/platform/process/settings.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { MONTHS_AHEAD, partitionsReachTo } from '#server/platform/database/partitions.ts'
import { isDatabaseAway } from '#server/platform/database/transaction.ts'
import { backupIsOldAfterMs, LEAST_FREE_BYTES, listBackups, newestUnproved } from './backup-file.ts'
import { daysLeft, growthOf, readNotedDisk } from './disk-growth.ts'
import { archiveLimitMs, readArchive } from './measure-archive.ts'
import { readNoted, type Rehearsal } from './rehearsal.ts'

export interface Finding {
  readonly is: 'ok' | 'wrong' | 'skipped'
  readonly what: string
  readonly todo: string
  /** The reason as a code for the owners' page (rules §6.15); null if there is no code for it. */
  readonly why: SystemWhy | null
  readonly facts: SystemFacts
}

export const ok = (what: string, facts: SystemFacts = {}): Finding => ({ is: 'ok', what, todo: '', why: null, facts })
const findingThat =
  (is: 'wrong' | 'skipped') =>
  (what: string, todo: string, why: Finding['why'] = null, facts: SystemFacts = {}) => ({ is, what, todo, why, facts })
export const wrong = findingThat('wrong')
export const skipped = findingThat('skipped')

const MARKS = { ok: 'ok', wrong: '!!', skipped: '--' } as const

export const findingText = ({ is, what, todo }: Finding): string =>
  `${MARKS[is]} ${what}${todo === '' ? '' : ` – ${todo}`}\n`

export async function look(name: string, todo: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work()
  } catch (error) {
    return wrong(
      `${name}: ${(error instanceof Error ? error.message : String(error)).split('\n', 1)[0]}`,
      todo,
      'BROKEN',
    )
  }
}

/** PostgreSQL 15, the oldest version that tests run on. */
const POSTGRES_AT_LEAST = 150_000
const CLOCK_OFF_MS = 250
const TURNS = 15
export const SLOW_COMMIT_MS = 20
const LEAST_FREE_PART = 0.05
const QUEUE_WAITS_MS = 60_000
const DAY_MS = 86_400_000
/** deploy/one-server/offsite.sh rehearses a restore every 30 days; ten more days are for failed attempts. */
const REHEARSED_WITHIN_DAYS = 40
/** A full backup of PostgreSQL is due every night; half a day more is for making it. */
const NOTED_WITHIN_MS = 1.5 * DAY_MS
const LEAST_DAYS_LEFT = 14

export interface DatabaseToExamine {
  readonly db: Database
  readonly dataDir: string
  /** Loads the key. Only commands that need the key call this, so a missing key does not fail the other commands. */
  readonly bookKey: () => BookKey
  /** True if `db` is a copy, which may lie on another disk: commits are then not timed. */
  readonly isCopy?: boolean
}

/** Examines the database. The ledger and the audit log are verified completely. */
export async function examineDatabase({ db, dataDir, bookKey, isCopy }: DatabaseToExamine): Promise<Finding[]> {
  const isNative = db.engine === 'native'
  return [
    await look('Database', 'see the log of the database', () => judgeVersion(db)),
    await look('Migrations', 'start the server of this version', () => judgeMigrations(db)),
    await look('Partitions', 'see the log of the server', () => judgePartitions(db)),
    ...(isNative ? [await look('Clock', 'set this machine’s clock by NTP', () => judgeClock(db))] : []),
    isCopy === true
      ? skipped('Commit: not measured', 'start the server first')
      : await look('Commit', 'look for a slow or full disk', () => judgeCommits(db)),
    await look('Ledger', 'run npm run audit:ledger', () => judgeLedger(db)),
    await look('Audit log', 'run npm run audit:log', () => judgeAuditLog(db, dataDir)),
    await look('Open book', 'see "The open book" in docs/operations.md', () =>
      judgeBook(db, ({ origin, vkey }) => (bookKey().signerOf(origin).vkey === vkey ? null : 'OTHER_KEY')),
    ),
    ...(isNative
      ? [
          await look('Archived log', 'see "Backup and restore"', () => judgeArchive(db)),
          await look('Backups', 'see "Backup and restore"', () => judgeNotedBackup(db)),
          await look('Rehearsal', 'see "Backup and restore"', async () =>
            judgeRehearsal((await readNoted(db)).rehearsal),
          ),
        ]
      : []),
  ]
}

export async function judgeVersion(db: Database): Promise<Finding> {
  const { rows } = await db.query<{ version: string; number: number; is_standby: boolean; bytes: bigint }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
            pg_is_in_recovery() as is_standby, pg_database_size(current_database()) as bytes`,
  )
  const { version = '?', number = 0, is_standby: isStandby = false, bytes = 0n } = rows[0] ?? {}
  const isNative = db.engine === 'native'
  const what = `Database: ${isNative ? 'PostgreSQL' : 'embedded PostgreSQL'} ${version}`
  const facts = { version: `PostgreSQL ${version}${isNative ? '' : ' (PGlite)'}`, sizeBytes: Number(bytes) }
  if (isStandby) return wrong(`${what}, read-only`, 'have DATABASE_URL lead to the primary', 'READ_ONLY', facts)
  return number >= POSTGRES_AT_LEAST ? ok(what, facts) : wrong(what, 'use PostgreSQL 15 or newer', 'OUTDATED', facts)
}

export async function judgeMigrations(db: Database): Promise<Finding> {
  if ((await readMoveMark(db))?.isFinished === false)
    return wrong('Migrations: a move to this database is not finished', 'run npm run move again, or drop it', 'MOVING')
  const [applied, known] = [await readAppliedMigrations(db), readMigrations().map(({ name }) => name)]
  if (applied.join() === known.join()) return ok(`Migrations: all ${known.length}`, { entries: known.length })
  return applied.length > known.length
    ? wrong(
        'Migrations: the database is of a newer version',
        `start ${releaseWith(applied.at(-1) ?? '') ?? 'it'}`,
        'NEWER',
      )
    : wrong(`Migrations: ${applied.length} of ${known.length}`, 'start the server of this version', 'MISSING')
}

/** Checks that a server has made the partitions of the coming months. A row whose month has no partition is refused. */
export async function judgePartitions(db: Database): Promise<Finding> {
  const now = new Date(await readNowMs(db))
  const needed = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 + MONTHS_AHEAD)
  const ends = Object.entries(await partitionsReachTo(db, now.getTime()))
  const what = `Partitions: ${ends.map(([table, end]) => `${table} until ${end?.toISOString().slice(0, 10) ?? 'now: none'}`).join(', ')}`
  return ends.every(([, end]) => end !== null && end.getTime() >= needed)
    ? ok(what)
    : wrong(what, 'start a server, which makes those of the next months; see its log', 'MISSING')
}

export async function judgeClock(db: Database): Promise<Finding> {
  const before = Date.now()
  const at = await readNowMs(db)
  const after = Date.now()
  const offMs = at < before ? at - before : at > after ? at - after : 0
  const what = `Clock: the database’s is within ${Math.abs(offMs)} ms of this machine’s`
  const facts = { offMs: Math.abs(offMs) }
  return Math.abs(offMs) <= CLOCK_OFF_MS ? ok(what, facts) : wrong(what, 'set both by NTP', 'OFF', facts)
}

async function judgeCommits(db: Database): Promise<Finding> {
  // The measured transaction writes a message to the write-ahead log and changes no table.
  const tookMs = await medianMs(() => db.query(`select pg_logical_emit_message(true, 'kim-phien doctor', '')`))
  const what = `Commit: on the disk in ${tookMs.toFixed(1)} ms`
  return tookMs <= SLOW_COMMIT_MS ? ok(what) : wrong(what, 'use a faster disk, or a nearer database')
}

export async function medianMs(act: () => unknown): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const startedAt = monotonicMs()
    // oxlint-disable-next-line no-await-in-loop -- each is timed alone
    await act()
    times.push(monotonicMs() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[TURNS >> 1] ?? 0
}

async function judgeLedger(db: Database): Promise<Finding> {
  const { findings, transfers, accounts } = await verifyLedger(db, true)
  if (findings.length > 0)
    return wrong(`Ledger: ${findings.length} faults (${findings[0]?.rule})`, 'see LedgerClosed in docs/alerts.md')
  const state = await judgeLedgerChecks(db)
  return state.is === 'wrong' ? state : ok(`Ledger: ${transfers} transfers of ${accounts} accounts add up`)
}

export async function judgeLedgerChecks(db: Database): Promise<Finding> {
  const { isOpen, checkedAtMs, checkedAgoMs } = await readLedgerState(db)
  const facts = checkedAtMs === null ? {} : { atMs: checkedAtMs }
  if (!isOpen)
    return wrong('Ledger: money acts are closed', 'run npm run audit:ledger, then with -- --clear', 'CLOSED', facts)
  if (checkedAtMs !== null && checkedAgoMs > LEDGER_CHECK_DUE_MS)
    return wrong('Ledger: not checked for 5 minutes', 'see the log of the server', 'UNCHECKED', facts)
  return ok('Ledger: the last check found it right', facts)
}

async function judgeAuditLog(db: Database, dataDir: string): Promise<Finding> {
  const { verified, broken, known } = await verifyAuditLog(db, readAuditTip(dataDir))
  if (broken.length > 0)
    return wrong(
      `Audit log: broken, ${brokenText(broken)}`,
      'see "A row of the audit log is broken" in docs/operations.md',
    )
  return ok([`Audit log: ${verified} rows, whole`, ...known.map(knownText)].join('; '))
}

/** @param whyNot returns why this process or machine cannot sign the newest log; null if it can */
export async function judgeBook(
  db: Database,
  whyNot: (log: { readonly origin: string; readonly vkey: string }) => StopWhy | null,
): Promise<Finding> {
  const { rows } = await db.query<{
    origin: string
    vkey: string
    size: bigint
    stopped: string | null
    waits_ms: bigint | null
  }>(
    `select l.origin, l.vkey, t.size, t.stopped,
            (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint - min(at_ms) from book_queue) as waits_ms
       from book_tips t join book_logs l using (generation) order by t.generation desc limit 1`,
  )
  const log = rows[0]
  if (log === undefined) return wrong('Open book: not begun', 'start the server once', 'NONE')
  const facts = { entries: Number(log.size) }
  const why = STOP_WHYS.find((each) => each === log.stopped) ?? whyNot(log)
  if (why === 'OTHER_KEY')
    return wrong(
      'Open book: this machine has another key',
      'set the LOG_KEY, or restore the log.key, that it was begun with',
      why,
      facts,
    )
  if (why !== null)
    return wrong(`Open book: nothing is signed (${why})`, 'see "The open book", then npm run log:restart', why, facts)
  if (log.waits_ms !== null && log.waits_ms > QUEUE_WAITS_MS)
    return wrong(
      `Open book: entries wait since ${log.waits_ms / 1000n} s`,
      'start a server; see its log',
      'SILENT',
      facts,
    )
  return ok(`Open book: ${log.size} entries of ${log.origin}`, facts)
}

export const judgeFeed = (why: SystemWhy | null, facts: SystemFacts): Finding =>
  why === null
    ? ok('Price feed: takes bets', facts)
    : wrong('Price feed: takes no bets', 'see "Price feeds"', why, facts)

export async function judgeArchive(db: Database): Promise<Finding> {
  const archive = await readArchive(db)
  const { isOn, isFailing, hasBegun, ageMs } = archive
  // If `archive_timeout` is 0, the log segment in use may hold unarchived changes of hours, so it counts as waiting.
  const isWaiting = archive.isBehind || archive.timeoutMs === 0
  if (!isOn)
    return wrong(
      'Archived log: none',
      'set up deploy/backup: without it what came after the last backup is lost with the disk',
      'NONE',
    )
  const facts = hasBegun ? { atMs: Math.floor(Date.now() - ageMs) } : {}
  if (isFailing) return wrong('Archived log: the last piece failed', 'see the log of PostgreSQL', 'FAILED', facts)
  if (!hasBegun) return wrong('Archived log: nothing yet', 'see the log of PostgreSQL', 'MISSING')
  return isWaiting && ageMs > archiveLimitMs(archive)
    ? wrong(`Archived log: the newest piece is ${ageText(ageMs)} old`, 'see ArchiveOld in docs/alerts.md', 'OLD', facts)
    : ok('Archived log: goes on', facts)
}

export async function judgeNotedBackup(db: Database): Promise<Finding> {
  const { backedUpAtMs } = await readNoted(db)
  if (backedUpAtMs === null)
    return skipped('Backups: none was noted', 'have the nightly one noted: see "Backup and restore"', 'NONE')
  const [ageMs, facts] = [Date.now() - backedUpAtMs, { atMs: backedUpAtMs }]
  const what = `Backups: the last that was noted is ${ageText(ageMs)} old`
  return ageMs <= NOTED_WITHIN_MS ? ok(what, facts) : wrong(what, 'see the log of the backup', 'OLD', facts)
}

/**
 * Makes the finding for a database that could not be opened. On PostgreSQL, the finding gives advice only if the
 * database cannot serve at present: our own messages, such as for a wrong AUDIT_KEY, already say what to do.
 */
export function judgeNotOpened(error: unknown, isNative: boolean): Finding {
  const what = `Database: ${error instanceof Error ? error.message : String(error)}`
  if (!isNative) return wrong(what, 'see the log of the server')
  return wrong(what, isDatabaseAway(error) ? 'start it, or mend DATABASE_URL' : '')
}

/** Looks for a file that does not belong to the owner of DATA_DIR, since the service may be unable to open it. */
export const examineOwner = (dataDir: string): Promise<Finding> =>
  look('Files', `see that the user of the service owns ${dataDir}`, async () => {
    const foreign = findForeign(dataDir)
    const { uid, gid } = await stat(dataDir)
    return foreign === null
      ? ok(`Files: all of DATA_DIR belong to user ${uid}`)
      : wrong(`Files: ${foreign} does not belong to user ${uid}`, `as root: chown -R ${uid}:${gid} ${dataDir}`)
  })

export const examineDisk = (name: string, folder: string): Promise<Finding> =>
  look(`Disk of ${name}`, `make ${folder}`, async () => {
    const { bavail, bsize, blocks } = await statfs(folder)
    const growth = growthOf(readNotedDisk(folder), { atMs: Date.now(), usedBytes: (blocks - bavail) * bsize })
    return judgeRoom(name, bavail * bsize, blocks * bsize, growth)
  })

/** @param growthBytes recent growth per day; null if it is not known */
export function judgeRoom(
  name: string,
  freeBytes: number,
  allBytes: number,
  growthBytes: number | null = null,
): Finding {
  const days = daysLeft(freeBytes, growthBytes)
  const facts = {
    ...{ freeBytes, allBytes },
    ...(growthBytes !== null && { growthBytes }),
    ...(days !== null && { daysLeft: days }),
  }
  const what =
    `Disk of ${name}: ${(freeBytes / 1e9).toFixed(1)} GB of ${(allBytes / 1e9).toFixed(1)} GB free` +
    (days === null ? '' : `, for ${days} days as it fills now`)
  if (freeBytes < LEAST_FREE_BYTES || freeBytes < LEAST_FREE_PART * allBytes)
    return wrong(what, 'free some: a full disk ends the server', 'FULL', facts)
  return days !== null && days < LEAST_DAYS_LEFT
    ? wrong(what, 'make room, or take a larger disk', 'FILLING', facts)
    : ok(what, facts)
}

export const examineBackups = (folder: string, everyMs: number | null): Promise<Finding> =>
  look('Backups', 'mend that folder, or BACKUP_DIR', async () => {
    const [newest] = await listBackups(folder)
    const unprovedAtMs = await newestUnproved(folder)
    if (unprovedAtMs !== null && unprovedAtMs > (newest?.takenAtMs ?? 0))
      return wrong(
        `Backups: that of ${new Date(unprovedAtMs).toISOString()} cannot be restored; ${newest === undefined ? 'there is no other' : `the newest that can is of ${new Date(newest.takenAtMs).toISOString()}`}`,
        'run npm run backup, which says why',
        'UNPROVED',
        { ...(newest !== undefined && { atMs: newest.takenAtMs }), failedAtMs: unprovedAtMs },
      )
    return judgeBackupAge(newest === undefined ? null : Date.now() - newest.takenAtMs, everyMs)
  })

export function judgeBackupAge(ageMs: number | null, everyMs: number | null): Finding {
  const todo = everyMs === null ? 'set BACKUP_EVERY=15, or run npm run backup each day' : 'see the log of the server'
  if (ageMs === null) return wrong('Backups: there is none', todo, 'NONE')
  const [what, facts] = [`Backups: the newest is ${ageText(ageMs)} old`, { atMs: Date.now() - ageMs }]
  return ageMs <= backupIsOldAfterMs(everyMs) ? ok(what, facts) : wrong(what, todo, 'OLD', facts)
}

function ageText(ageMs: number): string {
  const minutes = Math.round(ageMs / 60_000)
  if (minutes < 120) return `${minutes} min`
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} days`
}

export function judgeRehearsal({ doneAtMs, failedAtMs }: Rehearsal): Finding {
  const todo = 'npm run restore -- --rehearse --from FILE, with a copy that comes from elsewhere'
  const facts = {
    ...(doneAtMs !== null && { atMs: Math.floor(doneAtMs) }),
    ...(failedAtMs !== null && { failedAtMs: Math.floor(failedAtMs) }),
  }
  if (failedAtMs !== null && failedAtMs > (doneAtMs ?? 0))
    return wrong(`Rehearsal: the last failed ${ageText(Date.now() - failedAtMs)} ago`, todo, 'FAILED', facts)
  if (doneAtMs === null) return skipped('Rehearsal: no backup was restored for practice yet', todo, 'NONE')
  const days = (Date.now() - doneAtMs) / DAY_MS
  const what = `Rehearsal: a backup was restored for practice ${Math.floor(days)} days ago`
  return days < REHEARSED_WITHIN_DAYS ? ok(what, facts) : wrong(what, todo, 'OLD', facts)
}

/** Returns a finding if the database was moved away or is missing, or if there is no audit key; otherwise null. */
export function whyNotOpened({
  databaseUrl,
  dataDir,
  auditKey,
}: Pick<Settings, 'databaseUrl' | 'dataDir' | 'auditKey'>): Finding | null {
  if (databaseUrl === null)
    try {
      refuseMovedAway(dataDir)
    } catch (error) {
      return wrong(`Database: ${(error as Error).message}`, '')
    }
  if (databaseUrl === null && !existsSync(join(dataDir, 'pg', 'PG_VERSION')))
    return wrong(`Database: ${dataDir} has none`, 'set DATA_DIR, or start the server once')
  if (auditKey === null && !existsSync(join(dataDir, 'audit.key')))
    return wrong(`Audit log: ${dataDir} has no audit.key`, 'set AUDIT_KEY, or restore audit.key')
  return null
}

/** Compares this version with the one in the file `newest-version`, which the operator writes (rules §6.15). */
export function judgeRelease(dataDir: string): Finding {
  const version = programVersion()
  const newest = /^v?(\d+\.\d+\.\d+)\s*(\n|$)/.exec(readIfThere(join(dataDir, 'newest-version')) ?? '')?.[1]
  if (newest === undefined) return ok(`Version: ${version}`, { version })
  // Numbers are compared by value: 1.10.0 is newer than 1.9.0.
  if (newest.localeCompare(version, 'en', { numeric: true }) <= 0)
    return ok(`Version: ${version}, the newest that is known`, { version })
  const todo = 'read CHANGELOG.md and "A new version" in docs/one-server.md'
  return { ...ok(`Version: ${version}; ${newest} is there`, { version, newer: newest }), todo, why: 'NEWER' }
}
