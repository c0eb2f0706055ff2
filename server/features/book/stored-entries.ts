import { fromAscii } from '#domain/book/bytes.ts'
import { decodeBundle } from '#domain/book/bundle.ts'
import type { Queryable } from '#server/platform/database/db.ts'

export interface SealedEntry {
  readonly index: number
  readonly entry: string
}

/** Thrown if the stored bytes of entries cannot be read. */
export class SealedEntryError extends Error {
  override readonly name = 'SealedEntryError'
}

/** Returns the entries at these indexes, ordered by index; indexes that are not written yet are left out. */
export async function readSealed(
  db: Queryable,
  generation: number,
  indexes: readonly number[],
): Promise<SealedEntry[]> {
  const { rows } = await db.query<{ index: bigint; first_index: bigint; entries: Uint8Array }>(
    `select i.index, e.first_index, e.entries from unnest($2::bigint[]) as i (index)
      cross join lateral (select first_index, count, entries from book_entries
        where generation = $1 and first_index <= i.index order by first_index desc limit 1) e
      where i.index < e.first_index + e.count order by i.index`,
    [generation, indexes],
    { name: 'sealed-entries' },
  )
  return rows.map(({ index, first_index: first, entries }) => {
    const bytes = decodeBundle(entries)?.[Number(index - first)]
    const entry = bytes === undefined ? null : fromAscii(bytes)
    if (entry === null) throw new SealedEntryError(`entry ${index} of log ${generation} cannot be read`)
    return { index: Number(index), entry }
  })
}
