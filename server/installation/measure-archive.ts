import type { Database, Row } from '#server/platform/database/db.ts'
import { onlyRow } from '#server/platform/database/rows.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import type { Logger } from '#server/platform/process/log.ts'
import type { Metrics } from '#server/platform/process/metrics.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'

export interface Archive {
  readonly isOn: boolean
  /** Time since the newest log segment was archived or, if none was yet, since PostgreSQL started. */
  readonly ageMs: number
  readonly hasBegun: boolean
  readonly isFailing: boolean
  /** True if a full segment waits to be archived. Without writes, none waits, however old the last archived one is. */
  readonly isBehind: boolean
  /** The value of `archive_timeout`; 0 when only full segments are archived. */
  readonly timeoutMs: number
}

const READ_EVERY_MS = 15_000
const GRACE_MS = 5 * 60_000
/** The limit of the age if `archive_timeout` is 0, when a segment is archived only once it is full. */
const LIMIT_WITHOUT_TIMEOUT_MS = 60 * 60_000

/**
 * Reads the state of the archive from the statistics of the PostgreSQL server that is connected. After a failover this
 * is another server, with statistics of its own.
 */
export async function readArchive(db: Database): Promise<Archive> {
  const found = await db.query<Archive & Row>(
    `select current_setting('archive_mode') <> 'off' as "isOn", last_archived_time is not null as "hasBegun",
            (select setting::float8 * 1000 from pg_settings where name = 'archive_timeout') as "timeoutMs",
            (extract(epoch from clock_timestamp() - coalesce(last_archived_time, pg_postmaster_start_time())) * 1000)::float8 as "ageMs",
            coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing",
            case when pg_is_in_recovery() then false else coalesce(last_archived_wal < pg_walfile_name(
              pg_current_wal_lsn() - pg_size_bytes(current_setting('wal_segment_size'))::numeric), false) end as "isBehind"
       from pg_stat_archiver`,
  )
  return onlyRow(found)
}

export const archiveLimitMs = ({ timeoutMs }: Archive): number =>
  timeoutMs === 0 ? LIMIT_WITHOUT_TIMEOUT_MS : timeoutMs + GRACE_MS

/** Measures the age of the archive if PostgreSQL archives its log. While the database is away, the age grows. */
export async function measureArchive(
  metrics: Metrics,
  { db, log, everyMs = READ_EVERY_MS }: { readonly db: Database; readonly log: Logger; readonly everyMs?: number },
): Promise<Stop> {
  let archive = await readArchive(db)
  let readAtMs = monotonicMs()
  if (!archive.isOn) return async () => {}
  metrics.gauge(
    'archive_age_seconds',
    'Since PostgreSQL archived the newest piece of its log',
    () => (archive.ageMs + monotonicMs() - readAtMs) / 1000,
  )
  metrics.gauge(
    'archive_age_limit_seconds',
    'The age above which the newest piece is too old',
    () => archiveLimitMs(archive) / 1000,
  )
  metrics.gauge('archive_failed', '1 while PostgreSQL cannot archive its log', () => Number(archive.isFailing))
  return repeating(
    everyMs,
    async () => {
      archive = await readArchive(db)
      readAtMs = monotonicMs()
    },
    logging(log, 'The archived log could not be looked at', 'debug'),
  )
}
