import type { Queryable } from './db.ts'

/**
 * The database's time, Unix ms. A command with a deadline reads it once, after every lock is held (rules §3): sent
 * before a lock was granted, it would return the time at which the command began to wait.
 */
export async function readNowMs(q: Queryable): Promise<number> {
  const { rows } = await q.query<{ now_ms: bigint }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`,
    [],
    { name: 'now' },
  )
  return Number(rows[0]?.now_ms)
}
