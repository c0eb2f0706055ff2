import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './db.ts'
import type { Logger } from './log.ts'
import { monotonicMs } from './clock.ts'

const LOOK_EVERY_MS = 1_000
const ANALYZE_EVERY_MS = 5_000
/** A table is analysed when so many rows, and so large a part of it, changed since the last time. */
const CHANGED_ROWS = 50
const CHANGED_PART = 0.1
/** Write-ahead log between two checkpoints: about 25 ms of work each, and at most so much to repeat after a crash. */
const CHECKPOINT_BYTES = 16_000_000
const CHECKPOINT_EVERY_MS = 5 * 60_000
const VACUUM_EVERY_MS = 24 * 3_600_000
/** Fewer dead rows than this are not worth the pause that a VACUUM means for an embedded database. */
const DEAD_ROWS = 10_000

export interface UpkeepOptions {
  readonly log?: Logger
  /** How often to look whether something is due, in ms. Default 1,000. */
  readonly lookEveryMs?: number
  /** How often to look for tables to analyse, in ms. Default 5,000. */
  readonly analyzeEveryMs?: number
}

/**
 * Does what a PostgreSQL server does in the background and the embedded one does not: ANALYZE of what changed,
 * checkpoints (without them the log grows for ever), and a daily VACUUM. On a native server only tables that nobody
 * ever analysed: a connection that plans while a table looks empty keeps a sequential scan. Answers the function that
 * stops it and waits for what is under way.
 */
export function startUpkeep(
  db: Database,
  { log, lookEveryMs = LOOK_EVERY_MS, analyzeEveryMs = ANALYZE_EVERY_MS }: UpkeepOptions = {},
): () => Promise<void> {
  const isEmbedded = db.engine === 'embedded'
  const stopping = new AbortController()
  const startedAtMs = monotonicMs()
  let analyzedAtMs = Number.NEGATIVE_INFINITY
  let vacuumedAtMs = startedAtMs
  let checkpoint = { atMs: startedAtMs, walBytes: 0 }

  const look = async (): Promise<void> => {
    const nowMs = monotonicMs()
    if (nowMs - analyzedAtMs >= analyzeEveryMs) {
      analyzedAtMs = nowMs
      for (const table of await tablesToAnalyze(db)) {
        if (stopping.signal.aborted) return
        // One by one, so that others get their turn between two tables.
        await db.query(`analyze ${table}`)
      }
    }
    if (!isEmbedded) return
    const walBytes = await writtenWalBytes(db)
    const isDue = walBytes - checkpoint.walBytes >= CHECKPOINT_BYTES || nowMs - checkpoint.atMs >= CHECKPOINT_EVERY_MS
    if (isDue && walBytes > checkpoint.walBytes) {
      await db.query('checkpoint')
      checkpoint = { atMs: nowMs, walBytes: await writtenWalBytes(db) }
    }
    if (nowMs - vacuumedAtMs >= VACUUM_EVERY_MS) {
      vacuumedAtMs = nowMs
      for (const table of await tablesToVacuum(db)) {
        if (stopping.signal.aborted) return
        await db.query(`vacuum (truncate off) ${table}`)
      }
    }
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => log?.warn({ err: error }, 'the database’s upkeep failed'))
      await sleep(lookEveryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  const running = run()

  return async () => {
    stopping.abort()
    await running
  }
}

async function tablesToAnalyze(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
      where n_mod_since_analyze > ${CHANGED_ROWS} and n_mod_since_analyze > ${CHANGED_PART} * n_live_tup
        and ($1 or (last_analyze is null and last_autoanalyze is null))`,
    [db.engine === 'embedded'],
  )
  return rows.map((row) => row.name)
}

async function tablesToVacuum(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
      where n_dead_tup > ${DEAD_ROWS} and n_dead_tup > ${CHANGED_PART} * n_live_tup`,
  )
  return rows.map((row) => row.name)
}

async function writtenWalBytes(db: Database): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  )
  return rows[0]?.bytes ?? 0
}
