import { type Receipt, RECEIPT_PAGE } from '#contract/book.ts'
import type { EntryFields } from '#domain/book/entry.ts'
import { encodeSettledLine, type SettledLine } from '#domain/book/settled-line.ts'
import { toBookDirection, toBookScript } from '#domain/book/spelling.ts'
import type { Basis, BetStatus, Direction, ScriptedOutcome, VoidReason } from '#domain/game/bet.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { readSealed } from './stored-entries.ts'

/** The newest log that has the round's `round` entry, and the indexes of all its entries but its bets. */
interface RoundPlaces {
  readonly is: 'places'
  readonly generation: number
  readonly places: ReadonlyMap<string, number>
}

/** No log has the round, or the entry that the question is about is not sealed yet. */
export type NoReceipt = { readonly is: 'outside' | 'unsealed' }

async function readRoundPlaces(db: Queryable, roundId: string): Promise<RoundPlaces | NoReceipt> {
  const { rows } = await db.query<{ generation: number | null; index: bigint | null; kind: string | null }>(
    `select p.generation, p.index, p.kind from rounds r
       left join book_places p on p.round_id = r.id and p.kind <> 'bet'
        and p.generation = (select max(generation) from book_places where round_id = $1 and kind = 'round')
      where r.id = $1 and r.book <> 'out'`,
    [roundId],
    { name: 'round-places' },
  )
  const [first] = rows
  if (first === undefined) return { is: 'outside' }
  if (first.generation === null) return { is: 'unsealed' }
  const places = new Map(rows.map(({ kind, index }) => [kind ?? '', Number(index)]))
  return { is: 'places', generation: first.generation, places }
}

/** The entries of the log about a round (docs/open-book.md §4). */
export async function readReceipt(
  db: Queryable,
  roundId: string,
): Promise<{ readonly is: 'receipt'; readonly receipt: Receipt } | NoReceipt> {
  const found = await readRoundPlaces(db, roundId)
  if (found.is !== 'places') return found
  const { generation, places } = found
  const [entries, tip] = await Promise.all([
    readSealed(db, generation, [...places.values()]),
    db.query<{ note: string }>('select note from book_tips where generation = $1', [generation]),
  ])
  const of = (kind: string) => entries.find(({ index }) => index === places.get(kind)) ?? null
  const [round, result, closed, announce] = [of('round'), of('result'), of('closed'), of('announce')]
  return { is: 'receipt', receipt: { round, result, closed, announce, note: tip.rows[0]?.note ?? '' } }
}

interface SettledRow extends Row {
  index: bigint
  sealed_at_ms: bigint
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
    direction: toBookDirection(row.direction),
    script: toBookScript(row.scripted_outcome),
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

/** The time of the beat after the bet's entry, Unix ms. */
export interface SealedLine {
  readonly line: SettledLine
  readonly sealedAtMs: number
}

/** @param part the place from which on bets are read, how many from there on are left out, and how many are read */
async function readLines(
  db: Queryable,
  roundId: string,
  generation: number,
  part: { readonly index: number; readonly skip: number; readonly count: number },
): Promise<SealedLine[]> {
  const { rows } = await db.query<SettledRow>(
    `select p.index, p.sealed_at_ms, b.salt, b.direction, b.stake, b.basis, b.scripted_outcome, b.accepted_at,
            b.entry_from, b.id, b.status, b.void_reason, b.entry_second, b.entry_price, b.exit_price, b.profit
       from (select bet_id, index, sealed_at_ms from book_places
              where round_id = $1 and generation = $2 and index >= $3 and kind = 'bet'
              order by index limit $4 offset $5) p
       join bets b on b.id = p.bet_id order by p.index`,
    [roundId, generation, part.index, part.count, part.skip],
    { name: 'settled-lines' },
  )
  return rows.map((row) => ({ line: toLine(row), sealedAtMs: Number(row.sealed_at_ms) }))
}

/** Read and worked on before other events of the process are served: some ms, embedded too. */
const SLICE = 128

/** All bets of an ended round in the order of the log. A settled bet never changes, so they are the same each time. */
export async function* readSettledBets(
  db: Queryable,
  roundId: string,
  generation: number,
): AsyncGenerator<readonly SealedLine[]> {
  for (let index = 0; ;) {
    const slice = await readLines(db, roundId, generation, { index, skip: 0, count: SLICE })
    yield slice
    if (slice.length < SLICE) return
    index = (slice.at(-1)?.line.i ?? 0) + 1
  }
}

/** Null when it is not sealed. */
export async function readResultEntry(
  db: Queryable,
  roundId: string,
  generation: number,
): Promise<EntryFields['result'] | null> {
  const found = await readRoundPlaces(db, roundId)
  const index = found.is === 'places' && found.generation === generation ? found.places.get('result') : undefined
  const [sealed] = index === undefined ? [] : await readSealed(db, generation, [index])
  return sealed === undefined ? null : (JSON.parse(sealed.entry) as EntryFields['result'])
}

/** Each line is the exact text that is hashed (docs/open-book.md §4). */
export async function readReceiptBets(
  db: Queryable,
  roundId: string,
  page: number,
): Promise<{ readonly is: 'lines'; readonly lines: readonly string[]; readonly total: number } | NoReceipt> {
  const found = await readRoundPlaces(db, roundId)
  if (found.is !== 'places') return found
  const closedAt = found.places.get('closed')
  if (closedAt === undefined) return { is: 'unsealed' }
  const [lines, [closed]] = await Promise.all([
    readLines(db, roundId, found.generation, { index: 0, skip: (page - 1) * RECEIPT_PAGE, count: RECEIPT_PAGE }),
    readSealed(db, found.generation, [closedAt]),
  ])
  const { bets } = JSON.parse(closed?.entry ?? '{}') as { readonly bets: number }
  return { is: 'lines', lines: lines.map(({ line }) => encodeSettledLine(line)), total: bets }
}
