import { setTimeout as sleep } from 'node:timers/promises'
import type { StopWhy } from '#contract/book-status.ts'
import { type SystemFacts, type SystemPart, systemEndpoints, type SystemWhy } from '#contract/system.ts'
import { type Clock, monotonicMs } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { onlyRow } from '#server/platform/database/rows.ts'
import type { Api } from '#server/platform/http/http.ts'
import { recentFailures } from '#server/platform/process/log.ts'
import type { Settings } from '#server/platform/process/settings.ts'
import type { RedisClient } from '#server/platform/sockets/redis.ts'
import { backupFolderOf } from './backup-file.ts'
import {
  examineBackups,
  examineDisk,
  type Finding,
  judgeArchive,
  judgeBook,
  judgeClock,
  judgeFeed,
  judgeLedgerChecks,
  judgeMigrations,
  judgeNotedBackup,
  judgePartitions,
  judgeRehearsal,
  judgeRelease,
  judgeVersion,
  look,
  ok,
  skipped,
} from './doctor.ts'
import { askRedis, judgeProxy } from './examine-connections.ts'
import { readNoted, readRehearsal } from './rehearsal.ts'

export type SystemSettings = Pick<Settings, 'dataDir' | 'backupDir' | 'backupEvery' | 'trustProxy' | 'publicOrigin'>

export interface SystemDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly settings: SystemSettings
  readonly redis: RedisClient | null
  readonly readFeed: () => { readonly why: SystemWhy | null; readonly facts: SystemFacts }
  readonly bookTrouble: () => StopWhy | null
  readonly countSockets: () => number
  readonly keptMs: number | undefined
}

const KEPT_MS = 5_000
/** Parts whose checks read much data. Their findings are kept SELDOM_TIMES as long as others. */
const SELDOM: readonly string[] = ['database', 'migrations', 'partitions', 'use'] satisfies SystemPart[]
const SELDOM_TIMES = 12
/** While a new check runs, callers get the last finding if it is younger than STALE_AFTER times `keptMs`. */
const STALE_AFTER = 6
const ANSWER_WITHIN_MS = 2_000

/** Serves the quick findings of `npm run doctor`, and others that only a running server can make (rules §6.15). */
export function registerSystem(api: Api, deps: SystemDeps): void {
  const looks = Object.entries(looksOf(deps)).map(([part, work]) => {
    const ask = keeping(work, (deps.keptMs ?? KEPT_MS) * (SELDOM.includes(part) ? SELDOM_TIMES : 1))
    return async () => {
      const { is, why, facts } = await ask()
      return { part: part as SystemPart, is, why, facts }
    }
  })
  api.handle(systemEndpoints.system, async () => {
    const parts = await Promise.all(looks.map((ask) => ask()))
    const [nowMs, monotonicNowMs] = [Math.floor(deps.clock.now()), monotonicMs()]
    const failures = recentFailures().map(({ atMonotonicMs, ...kind }) => ({
      ...kind,
      atMs: Math.floor(nowMs - (monotonicNowMs - atMonotonicMs)),
    }))
    return { parts, failures, serverTimeMs: nowMs }
  })
}

function looksOf({ db, settings, redis, readFeed, bookTrouble, countSockets }: SystemDeps) {
  const { dataDir, backupDir, backupEvery, trustProxy, publicOrigin } = settings
  const folder = backupFolderOf(settings)
  const isNative = db.engine === 'native'
  const looks: Partial<Record<SystemPart, () => Finding | Promise<Finding>>> = {
    database: () => judgeVersion(db),
    migrations: () => judgeMigrations(db),
    partitions: () => judgePartitions(db),
    ...(isNative && { clock: () => judgeClock(db) }),
    feed: () => {
      const { why, facts } = readFeed()
      return judgeFeed(why, facts)
    },
    book: () => judgeBook(db, bookTrouble),
    ledger: () => judgeLedgerChecks(db),
    ...(isNative && { archive: () => judgeArchive(db) }),
    backup: () =>
      isNative ? judgeNotedBackup(db) : examineBackups(folder, backupEvery === 'off' ? null : backupEvery * 60_000),
    rehearsal: async () => judgeRehearsal(isNative ? (await readNoted(db)).rehearsal : readRehearsal(dataDir)),
    disk: () => examineDisk('DATA_DIR', dataDir),
    ...(!isNative && backupDir !== null && { backupDisk: () => examineDisk('BACKUP_DIR', folder) }),
    ...(redis !== null && { redis: () => askRedis(redis) }),
    proxy: () => judgeProxy(publicOrigin, trustProxy),
    use: async () => ok('Use', { sessions: await countSessions(db), sockets: countSockets() }),
    version: () => judgeRelease(dataDir),
  }
  return looks
}

async function countSessions(db: Database): Promise<number> {
  const open = 'select count(*) as n from sessions where ended_at is null and expires_at > clock_timestamp()'
  return Number(onlyRow(await db.query<{ n: bigint }>(open)).n)
}

/**
 * Returns a function that checks a part. Only one check runs at a time: meanwhile, a caller gets the last finding or,
 * if that is too old, waits. After ANSWER_WITHIN_MS, a waiting caller gets the finding LATE.
 */
function keeping(work: () => Finding | Promise<Finding>, keptMs: number): () => Promise<Finding> {
  let last: { readonly finding: Finding; readonly atMs: number } | null = null
  let running: Promise<Finding> | null = null
  const ageMs = () => (last === null ? Number.POSITIVE_INFINITY : monotonicMs() - last.atMs)
  const begin = async (): Promise<Finding> => {
    const finding = await look('Part', '', async () => await work())
    last = { finding, atMs: monotonicMs() }
    running = null
    return finding
  }
  return async () => {
    if (last !== null && ageMs() < keptMs) return last.finding
    running ??= begin()
    if (last !== null && ageMs() < STALE_AFTER * keptMs) return last.finding
    const late = new AbortController()
    const tooLate = sleep(ANSWER_WITHIN_MS, skipped('Part: no answer', '', 'LATE'), { signal: late.signal, ref: false })
    const finding = await Promise.race([running, tooLate])
    late.abort()
    tooLate.catch(() => {})
    return finding
  }
}
