import { concatBytes, toUtf8 } from '#domain/book/bytes.ts'
import { encodeOpening } from '#domain/book/opening.ts'
import { formatProof } from '#domain/book/proof.ts'
import { type HashReader, inclusionProof, type Tile, TILE_WIDTH, tilesRead } from '#domain/book/tiles.ts'
import type { Direction } from '#domain/game/bet.ts'
import type { Basis, ScriptedOutcome } from '#domain/game/bet.ts'
import type { Queryable, Row } from '#server/platform/db.ts'
import { sha256 } from './key.ts'
import { inBookWords } from './openings.ts'

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
 * The proof that an own bet stands in the log (docs/open-book.md §3): its `extra` is salt ‖ opening, from which the bet's
 * entry is rebuilt. `unknown`: no bet of this account; `outside`: from before the log.
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
    ...inBookWords({ direction: row.direction, scriptedOutcome: row.scripted_outcome }),
    stake: Number(row.stake),
    basis: row.basis,
    at: row.accepted_at.getTime(),
    entryFrom: Number(row.entry_from),
  })
  const path = await readPath(db, generation, Number(index), Number(size))
  const extra = concatBytes(row.salt, toUtf8(opening))
  return { is: 'proof', text: formatProof({ extra, index: Number(index), path, checkpoint: note }) }
}

/** The audit path of a leaf in a log's first `size` leaves, from the stored hashes of the tiles that it needs. */
async function readPath(db: Queryable, generation: number, index: number, size: number): Promise<Uint8Array[]> {
  const tiles = tilesRead(size, (hash, read) => inclusionProof(hash, read, index, size))
  const hashes = new Map<string, Uint8Array>()
  await Promise.all(
    tiles.map((tile) => readTile(db, generation, tile, (at, hash) => hashes.set(`${tile.level} ${at}`, hash))),
  )
  const read: HashReader = (level, at) => {
    const hash = hashes.get(`${level} ${at}`)
    if (hash === undefined) throw new Error(`log ${generation} has lost its hash ${at} of level ${level}`)
    return hash
  }
  return inclusionProof(sha256, read, index, size)
}

async function readTile(
  db: Queryable,
  generation: number,
  { level, n, width }: Tile,
  found: (index: number, hash: Uint8Array) => void,
): Promise<void> {
  const first = n * TILE_WIDTH
  if (level > 0) {
    const { rows } = await db.query<{ index: bigint; hash: Uint8Array }>(
      `select index, hash from book_nodes where generation = $1 and level = $2 and index between $3 and $4`,
      [generation, level, first, first + width - 1],
    )
    for (const { index, hash } of rows) found(Number(index), hash)
    return
  }
  const { rows } = await db.query<{ first_index: bigint; leaf_hashes: Uint8Array }>(
    `select first_index, leaf_hashes from book_entries where generation = $1 and first_index between $2 and $3`,
    [generation, first, first + width - 1],
  )
  for (const { first_index: at, leaf_hashes: hashes } of rows)
    for (let leaf = 0; leaf < hashes.length; leaf += 32) found(Number(at) + leaf / 32, hashes.subarray(leaf, leaf + 32))
}
