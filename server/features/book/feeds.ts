import { encodeFields, type EntryFields } from '#domain/book/entry.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { sql, statement } from '#server/platform/database/sql.ts'
import { queuedCte } from './queue.ts'

/**
 * Queues a `feed` entry (docs/open-book.md §2). Several processes may report a change, so nothing is queued if the last
 * entry about this source has the same state and reason.
 */
export async function queueFeed(db: Queryable, feed: EntryFields['feed']): Promise<void> {
  await db.query(...TELL({ ...feed, fields: encodeFields('feed', feed) }))
}

const TELL = statement(
  sql`with told as (
      insert into book_feeds as f (source, state, why) values (${'source'}, ${'state'}, ${'why'})
      on conflict (source) do update set state = excluded.state, why = excluded.why
        where (f.state, f.why) is distinct from (excluded.state, excluded.why)
      returning 1
    ), ${queuedCte('feed', sql`select null::bigint, ${'fields'}::text, null::uuid from told`)}
    select 1 from told`,
)

export async function listOpenFeeds(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ source: string }>(`select source from book_feeds where state = 'open'`)
  return rows.map(({ source }) => source)
}
