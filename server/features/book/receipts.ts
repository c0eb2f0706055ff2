import type { Receipt } from '#contract/book.ts'
import { RECEIPT_PAGE } from '#contract/book.ts'
import { encodeSettledLine, type SettledLine } from '#domain/book/settled-line.ts'
import type { Basis, BetStatus, Direction, ScriptedOutcome, VoidReason } from '#domain/game/bet.ts'
import type { Queryable, Row } from '#server/platform/db.ts'
import { inBookWords } from './openings.ts'
import { readSealed } from './stored-entries.ts'

/** Where a round's entries stand: the newest log that has its `round` entry, and the places of all but its bets. */
export interface RoundPlaces {
  readonly generation: number
  readonly places: ReadonlyMap<string, number>
}

/** Null for a round that no log has. */
export async function readRoundPlaces(db: Queryable, roundId: string): Promise<RoundPlaces | null> {
  const { rows } = await db.query<{ generation: number; index: bigint; kind: string }>(
    `select generation, index, kind from book_places
      where round_id = $1 and kind <> 'bet'
        and generation = (select max(generation) from book_places where round_id = $1 and kind = 'round')`,
    [roundId],
    { name: 'round-places' },
  )
  const [first] = rows
  if (first === undefined) return null
  return { generation: first.generation, places: new Map(rows.map(({ kind, index }) => [kind, Number(index)])) }
}

/** What the log says about a round (docs/open-book.md §4); null when it says nothing. */
export async function readReceipt(db: Queryable, roundId: string): Promise<Receipt | null> {
  const found = await readRoundPlaces(db, roundId)
  if (found === null) return null
  const { generation, places } = found
  const [entries, tip] = await Promise.all([
    readSealed(db, generation, [...places.values()]),
    db.query<{ note: string }>('select note from book_tips where generation = $1', [generation]),
  ])
  const of = (kind: string) => entries.find(({ index }) => index === places.get(kind)) ?? null
  return {
    round: of('round'),
    result: of('result'),
    closed: of('closed'),
    announce: of('announce'),
    note: tip.rows[0]?.note ?? '',
  }
}

interface SettledRow extends Row {
  index: bigint
  salt: Uint8Array
  direction: Direction
  stake: bigint
  basis: Basis
  scripted_outcome: ScriptedOutcome | null
  accepted_at: Date
  entry_from: bigint
  id: string
  status: BetStatus
  void_reason: VoidReason | null
  entry_second: bigint | null
  entry_price: number | null
  exit_price: number | null
  profit: bigint
}

const STATUSES = { won: 'WIN', lost: 'LOSE', voided: 'VOID' } as const

function toLine(row: SettledRow): SettledLine {
  if (row.status === 'open') throw new Error(`bet ${row.id} is open`)
  return {
    i: Number(row.index),
    salt: Buffer.from(row.salt).toString('base64'),
    ...inBookWords({ direction: row.direction, scriptedOutcome: row.scripted_outcome }),
    stake: Number(row.stake),
    basis: row.basis,
    at: row.accepted_at.getTime(),
    entryFrom: Number(row.entry_from),
    id: row.id,
    status: STATUSES[row.status],
    why: row.void_reason,
    entrySecond: row.entry_second === null ? null : Number(row.entry_second),
    entry: row.entry_price,
    exit: row.exit_price,
    profit: Number(row.profit),
  }
}

/**
 * Settled bets of a round in the order of the log, at most `RECEIPT_PAGE`. Call it once the round has ended: a settled
 * bet never changes, so that a page is the same each time.
 * @param afterIndex place of the last bet before them; -1 for the first
 * @param skip how many bets after that place are left out
 */
export async function readSettledLines(
  db: Queryable,
  roundId: string,
  generation: number,
  { afterIndex = -1, skip = 0 }: { readonly afterIndex?: number; readonly skip?: number },
): Promise<SettledLine[]> {
  const { rows } = await db.query<SettledRow>(
    `select p.index, b.salt, b.direction, b.stake, b.basis, b.scripted_outcome, b.accepted_at, b.entry_from, b.id,
            b.status, b.void_reason, b.entry_second, b.entry_price, b.exit_price, b.profit
       from (select bet_id, index from book_places
              where round_id = $1 and generation = $2 and index > $3 and kind = 'bet'
              order by index limit $4 offset $5) p
       join bets b on b.id = p.bet_id order by p.index`,
    [roundId, generation, afterIndex, RECEIPT_PAGE, skip],
    { name: 'settled-lines' },
  )
  return rows.map(toLine)
}

export type ReceiptPage =
  | { readonly is: 'lines'; readonly lines: readonly string[]; readonly total: number }
  /** No log has the round, or its last entry is not sealed. */
  | { readonly is: 'unknown' | 'unsealed' }

/** A page of a closed round's settled bets, each the exact text that is hashed (docs/open-book.md §4). */
export async function readReceiptBets(db: Queryable, roundId: string, page: number): Promise<ReceiptPage> {
  const found = await readRoundPlaces(db, roundId)
  if (found === null) return { is: 'unknown' }
  const closedAt = found.places.get('closed')
  if (closedAt === undefined) return { is: 'unsealed' }
  const [lines, [closed]] = await Promise.all([
    readSettledLines(db, roundId, found.generation, { skip: (page - 1) * RECEIPT_PAGE }),
    readSealed(db, found.generation, [closedAt]),
  ])
  const { bets } = JSON.parse(closed?.entry ?? '{}') as { readonly bets: number }
  return { is: 'lines', lines: lines.map(encodeSettledLine), total: bets }
}
