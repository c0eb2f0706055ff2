import { type Receipt, RECEIPT_PAGE } from '#contract/book.ts'
import type { EntryFields } from '#domain/book/entry.ts'
import { encodeSettledLine, type SettledLine } from '#domain/book/settled-line.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { readSealed } from './stored-entries.ts'

/** The newest log with the round's `round` entry, and that log's index of each entry of the round except its bets. */
interface RoundPlaces {
  readonly is: 'places'
  readonly generation: number
  readonly places: ReadonlyMap<string, number>
}

/** `outside`: the open book has no such round. `unsealed`: the wanted entry has no place in the log yet. */
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

/**
 * SQL for a bet's opening except the ids; `b` is the bet's row. The opening is hashed, so `upper` must give the same
 * text in every database: with a Turkish collation, `upper('win')` would have a dotted İ. Collation C prevents this.
 */
export const ACCEPTED = `upper(b.direction collate "C") as direction, upper(b.scripted_outcome collate "C") as script,
  b.stake::float8 as stake, b.basis, ${msSql('b.accepted_at')} as at, b.entry_from::float8 as "entryFrom"`

type SettledRow = Omit<SettledLine, 'status'> & { readonly status: BetStatus; readonly sealedAtMs: number }

const STATUSES = { won: 'WIN', lost: 'LOSE', voided: 'VOID' } as const

function toSealed({ status, sealedAtMs, ...line }: SettledRow): SealedLine {
  if (status === 'open') throw new Error(`bet ${line.id} is open`)
  return { line: { ...line, status: STATUSES[status] }, sealedAtMs }
}

/** A settled bet. `sealedAtMs` is the time, in Unix ms, of the beat that ends the batch with the bet's `bet` entry. */
export interface SealedLine {
  readonly line: SettledLine
  readonly sealedAtMs: number
}

/** @param part which bets to read: from `index` of the log on, without the first `skip`, and at most `count` */
async function readLines(
  db: Queryable,
  roundId: string,
  generation: number,
  part: { readonly index: number; readonly skip: number; readonly count: number },
): Promise<SealedLine[]> {
  const { rows } = await db.query<SettledRow>(
    `select p.index::float8 as i, p.sealed_at_ms::float8 as "sealedAtMs", encode(b.salt, 'base64') as salt, ${ACCEPTED},
            b.id, b.status, b.void_reason as why, b.entry_second::float8 as "entrySecond", b.entry_price as entry,
            b.exit_price as exit, b.profit::float8 as profit
       from (select bet_id, index, sealed_at_ms from book_places
              where round_id = $1 and generation = $2 and index >= $3 and kind = 'bet'
              order by index limit $4 offset $5) p
       join bets b on b.id = p.bet_id order by p.index`,
    [roundId, generation, part.index, part.count, part.skip],
    { name: 'settled-lines' },
  )
  return rows.map(toSealed)
}

/** Bets per query: few, because the embedded engine blocks the event loop while it reads them. */
const SLICE = 128

/** Yields an ended round's bets in slices, in the log's order. Needs no transaction: settled bets do not change. */
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

/** Reads one page of a round's settled bets. Each line is the exact text that is hashed (docs/open-book.md §4). */
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
