import type { Queryable } from './db.ts'

/**
 * Returns the database's time in Unix ms. A command with a deadline calls this once it holds all its locks (rules
 * §3.9): a time from before the wait for the locks would let a late command count as in time.
 */
export async function readNowMs(q: Queryable): Promise<number> {
  const { rows } = await q.query<{ now_ms: bigint }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`,
    [],
    { name: 'now' },
  )
  return Number(rows[0]?.now_ms)
}
