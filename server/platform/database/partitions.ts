import { type Database, NO_TIMEOUT_MS, type Queryable, type Row } from './db.ts'

/** Tables that are partitioned by month (decision 033). */
export const PARTITIONED = ['ticks', 'audit_log'] as const
export type PartitionedTable = (typeof PARTITIONED)[number]

export const MONTHS_AHEAD = 3

export interface Partition {
  readonly name: string
  /** Null for the first partition, which has all rows before the monthly partitions. */
  readonly starts: Date | null
  readonly ends: Date
  readonly isPending: boolean
}

export async function listPartitions(q: Queryable, table: PartitionedTable): Promise<Partition[]> {
  const sql = 'select name, starts, ends, is_pending as "isPending" from partitions_of($1)'
  return (await q.query<Partition & Row>(sql, [table])).rows
}

/**
 * Makes the missing partitions from last month (in case the clock is set back) to MONTHS_AHEAD months from now, and
 * returns the names of those that this call made. Several processes may call this at the same time.
 */
export async function makePartitionsAhead(db: Database): Promise<string[]> {
  const made: string[] = []
  for (const table of PARTITIONED) {
    const { rows } = await db.query<{ month: string }>(
      `with ahead as (
         select generate_series(this - interval '1 month', this + $2::int * interval '1 month', '1 month') as month
           from date_trunc('month', clock_timestamp() at time zone 'UTC') this)
       select to_char(month, 'YYYY-MM-DD') as month from ahead
        where month at time zone 'UTC' >= (select coalesce(min(coalesce(starts, '-infinity')), '-infinity') from partitions_of($1))
          and not exists (select from partitions_of($1)
            where coalesce(starts, '-infinity') <= month at time zone 'UTC' and ends > month at time zone 'UTC')
        order by month`,
      [table, MONTHS_AHEAD],
    )
    for (const { month } of rows) {
      const { rows: answers } = await db.query<{ made: boolean }>('select make_month($1, $2::date) as made', [
        table,
        month,
      ])
      if (answers[0]?.made === true) made.push(`${table}_${month.slice(0, 7).replace('-', '_')}`)
    }
  }
  return made
}

/** Returns the time to which each table has partitions without a gap since `fromMs`; null if none contains `fromMs`. */
export async function partitionsReachTo(q: Queryable, fromMs: number): Promise<Record<PartitionedTable, Date | null>> {
  const reach = async (table: PartitionedTable): Promise<Date | null> => {
    let end: Date | null = null
    for (const { starts, ends } of await listPartitions(q, table))
      if (
        end === null
          ? (starts?.getTime() ?? 0) <= fromMs && ends.getTime() > fromMs
          : starts?.getTime() === end.getTime()
      )
        end = ends
    return end
  }
  return { ticks: await reach('ticks'), audit_log: await reach('audit_log') }
}

const DETACHED = 'detached'

/**
 * Detaches a partition and moves it to the schema `detached`, where its rows cannot be updated or deleted. If
 * `part.isPending`, finishes a detaching that was interrupted.
 */
export async function detachPartition(db: Database, table: PartitionedTable, part: Partition): Promise<void> {
  const { name, isPending } = part
  await db.query(`create schema if not exists ${DETACHED}`)
  // Detaching drops the triggers inherited from `table`. A trigger of the partition itself stays and protects its rows.
  await db.query(
    `create or replace trigger ${DETACHED}_append_only before update or delete on public."${name}"
       for each row execute function refuse_change()`,
  )
  if (db.engine === 'embedded') await db.query(`alter table ${table} detach partition public."${name}"`)
  else
    await db.onOneConnection(async (connection) => {
      await connection.query('set statement_timeout = 0; set lock_timeout = 0')
      try {
        await connection.query(
          `alter table ${table} detach partition public."${name}" ${isPending ? 'finalize' : 'concurrently'}`,
          undefined,
          { timeoutMs: NO_TIMEOUT_MS },
        )
      } finally {
        await connection.query('reset statement_timeout; reset lock_timeout').catch(() => {})
      }
    })
  await putAside(db)
}

export async function putAside(db: Database): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
        and relname ~ '^(${PARTITIONED.join('|')})_(first|\\d{4}_\\d\\d)$'`,
  )
  for (const { name } of rows) await db.query(`alter table public."${name}" set schema ${DETACHED}`)
}

export async function listDetached(q: Queryable): Promise<{ readonly name: string; readonly bytes: number }[]> {
  const { rows } = await q.query<{ name: string; bytes: number }>(
    `select n.nspname || '.' || relname as name, pg_total_relation_size(c.oid)::float8 as bytes
       from pg_class c join pg_namespace n on n.oid = relnamespace where nspname = $1 and relkind = 'r' order by 1`,
    [DETACHED],
  )
  return rows
}
