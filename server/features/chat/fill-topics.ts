import type { Database } from '#server/platform/database/db.ts'
import { lastCaseOf } from './queries.ts'

const BATCH = 1_000

/**
 * Notes the topics of conversations whose last case began before topics were noted there, in batches until it is stopped, without
 * waiting for people who write there. Returns their number; can be repeated.
 */
export async function fillTopics(db: Database, stopping?: AbortSignal): Promise<number> {
  let [filled, afterId] = [0, '00000000-0000-0000-0000-000000000000']
  while (!stopping?.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- each batch begins where the one before it ended
    const { rows } = await db.query<{ id: string }>(
      `with free as (
         select c.id, k.topic from conversations c cross join lateral (${lastCaseOf('c.id', 'topic')}) k
          where c.topic is null and k.topic is not null and c.id > $1 order by c.id limit ${BATCH} for update of c skip locked)
       update conversations c set topic = free.topic from free where c.id = free.id returning c.id`,
      [afterId],
    )
    filled += rows.length
    if (rows.length < BATCH) break
    for (const { id } of rows) if (id > afterId) afterId = id
  }
  return filled
}
