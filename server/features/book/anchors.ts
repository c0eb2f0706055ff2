import type { Anchors } from '#contract/book.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { SUBJECT } from './book-lists.ts'
import { readSealed } from './stored-entries.ts'

const DAY_MS = 86_400_000

/**
 * Returns the indexes of entries that a client needs to check rounds near index `before`: the newest `rules` entry
 * before that index, and the `seed` and `seed-open` entries of three UTC days: the day of the entry at `before` (or of
 * the last entry, if the log ends earlier), the day before and the day after. The client must verify the entries.
 * @param origin name of the log; null means the newest log
 */
export async function readAnchors(db: Queryable, before: number, origin: string | null = null): Promise<Anchors> {
  const { rows: tips } = await db.query<{ generation: number; size: bigint }>(
    `select generation, size from book_tips
      where $1::text is null or generation = (select generation from book_logs where origin = $1)
      order by generation desc limit 1`,
    [origin],
  )
  const tip = tips[0]
  if (tip === undefined || tip.size === 0n) return { rules: null, seeds: [] }
  const at = Math.min(before, Number(tip.size) - 1)
  const [around] = await readSealed(db, tip.generation, [at])
  const { at: atMs } = JSON.parse(around?.entry ?? '{"at":0}') as { readonly at: number }
  const today = Math.floor(atMs / DAY_MS)
  const { rows } = await db.query<{ kind: string; index: bigint; day: string | null }>(
    `(select kind, index, null as day from book_notable where kind = 'rules' and generation = $1 and index < $2
       order by index desc limit 1)
     union all (select kind, index, ${SUBJECT} from book_notable
       where kind in ('seed', 'seed-open') and ${SUBJECT} = any($3::text[]) and generation = $1 order by index)`,
    [tip.generation, before, [today - 1, today, today + 1].map(String)],
  )
  const rules = rows.find(({ kind }) => kind === 'rules')
  return {
    rules: rules === undefined ? null : Number(rules.index),
    seeds: rows.flatMap(({ index, day }) => (day === null ? [] : [{ day: Number(day), index: Number(index) }])),
  }
}
