import type { Queryable } from './db.ts'

/**
 * Returns the database's time in Unix ms. A command with a deadline reads the time once, when it holds all its locks
 * (rules §3): an earlier time would not include the wait for the locks, and a late command would count as in time.
 */
export async function readNowMs(q: Queryable): Promise<number> {
  const { rows } = await q.query<{ now_ms: bigint }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`,
    [],
    { name: 'now' },
  )
  return Number(rows[0]?.now_ms)
}
