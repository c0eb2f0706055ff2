import type { Database } from './db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import { looping, type Stop } from '#server/platform/process/jobs.ts'
import { makePartitionsAhead } from './partitions.ts'

const EVERY = {
  lookEveryMs: 1_000,
  analyzeEveryMs: 5_000,
  /** This time is short, because a clock that jumps may reach a month without a partition, where rows are refused. */
  partitionsEveryMs: 10_000,
  vacuumLookEveryMs: 60_000,
  /**
   * Removing dead index entries reads whole indexes. A removal begins when this time has passed since the last one
   * ended. It takes one table a minute: at first only in quiet minutes, after twice this time in all minutes.
   */
  indexesEveryMs: 24 * 3_600_000,
}
const CHANGED_ROWS = 50
const CHANGED_PART = 0.1
/** After this many bytes of write-ahead log a checkpoint is made, so that a crash leaves little to replay. */
const CHECKPOINT_BYTES = 16_000_000
const CHECKPOINT_EVERY_MS = 5 * 60_000
const DEAD_ROWS = 10_000
const MINUTES_OF_A_DAY = 24 * 60
const QUIET_PART = 0.1

export interface UpkeepOptions extends Partial<typeof EVERY> {
  readonly log?: Logger
}

export function isQuiet(transactions: readonly number[]): boolean {
  const fewest = transactions.toSorted((a, b) => a - b)[Math.floor(transactions.length * QUIET_PART)]
  return fewest !== undefined && (transactions.at(-1) ?? 0) <= fewest
}

/**
 * Makes the partitions of the coming months and runs ANALYZE. On the embedded engine, which has no background
 * processes, also makes checkpoints and runs VACUUM. On PostgreSQL, only tables that were never analysed are analysed,
 * because PostgreSQL may plan the queries of such a table as if the table were empty.
 */
export function startUpkeep(db: Database, { log, ...others }: UpkeepOptions = {}): Stop {
  const every = { ...EVERY, ...others }
  const isEmbedded = db.engine === 'embedded'
  const startedAtMs = monotonicMs()
  const partitionsAreDue = onceIn(every.partitionsEveryMs)
  const analyzeIsDue = onceIn(every.analyzeEveryMs)
  const vacuumIsDue = onceIn(every.vacuumLookEveryMs, startedAtMs)
  const vacuum = createVacuum(db, every.indexesEveryMs, startedAtMs)
  let checkpoint = { atMs: startedAtMs, walBytes: 0 }

  const look = async (signal: AbortSignal): Promise<void> => {
    const nowMs = monotonicMs()
    if (partitionsAreDue(nowMs)) {
      const made = await makePartitionsAhead(db)
      if (made.length > 0) log?.info({ made }, 'partitions of the months to come were made')
    }
    if (analyzeIsDue(nowMs))
      for (const table of await tablesToAnalyze(db)) {
        if (signal.aborted) return
        await db.query(`analyze ${table}`)
      }
    if (!isEmbedded) return
    const walBytes = await writtenWalBytes(db)
    const isDue = walBytes - checkpoint.walBytes >= CHECKPOINT_BYTES || nowMs - checkpoint.atMs >= CHECKPOINT_EVERY_MS
    if (isDue && walBytes > checkpoint.walBytes) {
      await db.query('checkpoint')
      checkpoint = { atMs: nowMs, walBytes: await writtenWalBytes(db) }
    }
    if (vacuumIsDue(nowMs)) await vacuum(nowMs, signal)
  }

  return looping(async (signal) => {
    await look(signal).catch((error: unknown) => log?.warn({ err: error }, 'the database’s upkeep failed'))
    return every.lookEveryMs
  })
}

function onceIn(everyMs: number, sinceMs = Number.NEGATIVE_INFINITY): (nowMs: number) => boolean {
  let lastMs = sinceMs
  return (nowMs) => {
    const isDue = nowMs - lastMs >= everyMs
    if (isDue) lastMs = nowMs
    return isDue
  }
}

function createVacuum(db: Database, indexesEveryMs: number, startedAtMs: number) {
  let indexesAtMs = startedAtMs
  let transactions: { readonly total: number; readonly ofMinutes: readonly number[] } | null = null
  const withDeadEntries = new Set<string>()

  return async (nowMs: number, signal: AbortSignal): Promise<void> => {
    const total = await countTransactions(db)
    const ofMinutes: readonly number[] =
      transactions === null ? [] : [...transactions.ofMinutes, total - transactions.total].slice(-MINUTES_OF_A_DAY)
    transactions = { total, ofMinutes }
    for (const table of await tablesThat(db, `n_dead_tup > ${DEAD_ROWS}`)) {
      if (signal.aborted) return
      withDeadEntries.add(table)
      await db.query(`vacuum (truncate off, index_cleanup off) ${table}`)
    }
    const waitedMs = nowMs - indexesAtMs
    const isTheirTime = waitedMs >= 2 * indexesEveryMs || (waitedMs >= indexesEveryMs && isQuiet(ofMinutes))
    const [table] = withDeadEntries
    if (!isTheirTime) return
    if (table === undefined) {
      indexesAtMs = nowMs
      return
    }
    await db.query(`vacuum (truncate off, index_cleanup on) ${table}`)
    withDeadEntries.delete(table)
  }
}

async function tablesThat(db: Database, condition: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables where ${condition}`,
  )
  return rows.map(({ name }) => name)
}

const tablesToAnalyze = (db: Database): Promise<string[]> =>
  tablesThat(
    db,
    `n_mod_since_analyze > ${CHANGED_ROWS} and n_mod_since_analyze > ${CHANGED_PART} * n_live_tup
      and (${db.engine === 'embedded'} or (last_analyze is null and last_autoanalyze is null))`,
  )

async function readFigure(db: Database, sql: string): Promise<number> {
  const { rows } = await db.query<{ figure: number }>(`select (${sql})::float8 as figure`)
  return rows[0]?.figure ?? 0
}

const countTransactions = (db: Database): Promise<number> =>
  readFigure(db, 'select xact_commit + xact_rollback from pg_stat_database where datname = current_database()')

const writtenWalBytes = (db: Database): Promise<number> =>
  readFigure(db, `pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`)
