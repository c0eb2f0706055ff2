import type { Queryable } from './db.ts'

/**
 * Returns the database's time in Unix ms. A command with a deadline reads it once, after all its locks are held (rules
 * §3): a time that was read earlier would leave out how long the command waited for its locks.
 */
export async function readNowMs(q: Queryable): Promise<number> {
  const { rows } = await q.query<{ now_ms: bigint }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`,
    [],
    { name: 'now' },
  )
  return Number(rows[0]?.now_ms)
}
