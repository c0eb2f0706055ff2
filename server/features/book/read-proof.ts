import { concatBytes, toUtf8 } from '#domain/book/bytes.ts'
import { encodeOpening, type Opening } from '#domain/book/opening.ts'
import { formatProof } from '#domain/book/proof.ts'
import { inclusionProof } from '#domain/book/tiles.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { ACCEPTED } from './receipts.ts'
import { computeFromTiles } from './stored-tiles.ts'

type SealedBetRow = Omit<Opening, 'bet'> & {
  readonly book: 'out' | 'open' | 'closed'
  readonly salt: Uint8Array | null
  readonly generation: number | null
  readonly index: number | null
  readonly size: number | null
  readonly note: string | null
}

export type BetProof =
  | { readonly is: 'proof'; readonly text: string }
  | { readonly is: 'unknown' | 'outside' | 'unsealed' }

/**
 * Reads the inclusion proof of a bet, with salt ‖ opening as its `extra` data (docs/open-book.md §3). `unknown`: this
 * account has no such bet. `outside`: the log lacks the bet's round. `unsealed`: the log does not have the bet yet.
 */
export async function readBetProof(db: Queryable, ownerId: string, betId: string): Promise<BetProof> {
  const { rows } = await db.query<SealedBetRow>(
    `select b.round_id as round, ${ACCEPTED}, r.book, b.salt, p.generation, p.index::float8 as index,
            t.size::float8 as size, t.note
       from bets b join rounds r on r.id = b.round_id
       left join lateral (select generation, index from book_places where bet_id = b.id
         order by generation desc limit 1) p on true
       left join book_tips t on t.generation = p.generation
      where b.id = $1 and b.user_id = $2`,
    [betId, ownerId],
    { name: 'bet-proof' },
  )
  const [row] = rows
  if (row === undefined) return { is: 'unknown' }
  const { book, salt, generation, index, size, note, ...accepted } = row
  if (book === 'out' || salt === null) return { is: 'outside' }
  if (generation === null || index === null || size === null || note === null) return { is: 'unsealed' }
  const opening = encodeOpening({ bet: betId, ...accepted })
  const path = await computeFromTiles(db, generation, size, (hash, read) => inclusionProof(hash, read, index, size))
  const extra = concatBytes(salt, toUtf8(opening))
  return { is: 'proof', text: formatProof({ extra, index, path, checkpoint: note }) }
}
