import { monotonicMs } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating } from '#server/platform/process/jobs.ts'

const NOTED_EVERY_MS = 5 * 60_000
const WRITTEN_EVERY_MS = 60_000
const BATCH = 1_000

/** Tracks when sessions are used, for the list of a user's own devices (rules §4.8). */
export function trackSessionUses(db: Database, log: Logger) {
  const notedAtMs = new Map<string, number>()
  const waiting = new Set<string>()

  async function write(): Promise<void> {
    const oldestMs = monotonicMs() - NOTED_EVERY_MS
    for (const [id, atMs] of notedAtMs) if (atMs < oldestMs) notedAtMs.delete(id)
    const all = [...waiting]
    for (let from = 0; from < all.length; from += BATCH) {
      // The statements run one after the other, each in its own transaction, so that rows are locked only briefly.
      // oxlint-disable-next-line no-await-in-loop -- see above
      const { rows } = await db.query<{ id: string }>(WRITE, [all.slice(from, from + BATCH)])
      for (const { id } of rows) waiting.delete(id)
    }
  }
  const failed = logging(log, 'The use of sessions could not be written')
  const stop = repeating(WRITTEN_EVERY_MS, write, failed)

  return {
    note(sessionId: string): void {
      const nowMs = monotonicMs()
      if (nowMs - (notedAtMs.get(sessionId) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS) return
      notedAtMs.set(sessionId, nowMs)
      waiting.add(sessionId)
    },
    write,
    async stop(): Promise<void> {
      await stop()
      await write().catch(failed)
    },
  }
}

/**
 * Skips locked rows: if this statement waited for one while it locked others, it could deadlock with a transaction.
 * Returns the sessions that were written or have ended; the others wait for the next call of `write`.
 */
const WRITE = `with written as (
    update sessions set last_used_at = clock_timestamp() where id in (
      select id from sessions where id = any($1::uuid[]) and ended_at is null for no key update skip locked)
    returning id)
  select id from written
  union all
  select id from unnest($1::uuid[]) as used (id)
   where not exists (select from sessions s where s.id = used.id and s.ended_at is null)`
