import { concatBytes, toUtf8 } from '#domain/book/bytes.ts'
import { encodeOpening } from '#domain/book/opening.ts'
import { formatProof } from '#domain/book/proof.ts'
import { toBookDirection, toBookScript } from '#domain/book/spelling.ts'
import { inclusionProof } from '#domain/book/tiles.ts'
import type { Basis, Direction, ScriptedOutcome } from '#domain/game/bet.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { computeFromTiles } from './stored-tiles.ts'

interface SealedBetRow extends Row {
  round_id: string
  book: 'out' | 'open' | 'closed'
  direction: Direction
  stake: bigint
  basis: Basis
  scripted_outcome: ScriptedOutcome | null
  accepted_at: Date
  entry_from: bigint
  salt: Uint8Array | null
  generation: number | null
  index: bigint | null
  size: bigint | null
  note: string | null
}

export type BetProof =
  | { readonly is: 'proof'; readonly text: string }
  | { readonly is: 'unknown' | 'outside' | 'unsealed' }

/**
 * The proof's `extra` is salt ‖ opening, from which the bet's entry is rebuilt (docs/open-book.md §3). `unknown`: no
 * bet of this account; `outside`: from before the log.
 */
export async function readBetProof(db: Queryable, ownerId: string, betId: string): Promise<BetProof> {
  const { rows } = await db.query<SealedBetRow>(
    `select b.round_id, r.book, b.direction, b.stake, b.basis, b.scripted_outcome, b.accepted_at, b.entry_from, b.salt,
            p.generation, p.index, t.size, t.note
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
  if (row.book === 'out' || row.salt === null) return { is: 'outside' }
  const { generation, index, size, note } = row
  if (generation === null || index === null || size === null || note === null) return { is: 'unsealed' }
  const opening = encodeOpening({
    bet: betId,
    round: row.round_id,
    direction: toBookDirection(row.direction),
    script: toBookScript(row.scripted_outcome),
    stake: Number(row.stake),
    basis: row.basis,
    at: row.accepted_at.getTime(),
    entryFrom: Number(row.entry_from),
  })
  const path = await computeFromTiles(db, generation, Number(size), (hash, read) =>
    inclusionProof(hash, read, Number(index), Number(size)),
  )
  const extra = concatBytes(row.salt, toUtf8(opening))
  return { is: 'proof', text: formatProof({ extra, index: Number(index), path, checkpoint: note }) }
}
