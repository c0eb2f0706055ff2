import type { Receipt } from '#contract/book.ts'
import type { BookDirection, Entry, EntryKind, EntryOf } from '#domain/book/entry.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { fromBookDirection } from '#domain/book/spelling.ts'
import { parseSettledLine, type SettledLine } from '#domain/book/settled-line.ts'

/** Reads a receipt from the log's own lines (docs/open-book.md §4). The page /kiem-chung checks the lines. */

export type Placed<Kind extends EntryKind> = { readonly index: number; readonly entry: EntryOf<Kind> }

export type ReceiptView = {
  readonly round: Placed<'round'>
  /** Null until the round's prices are fixed, and for a deleted round (docs/open-book.md §2). */
  readonly result: Placed<'result'> | null
  /** Null until the round is closed, that is, until every bet is settled and sealed. */
  readonly closed: Placed<'closed'> | null
  readonly announce: Placed<'announce'> | null
  readonly note: string
}

/** Reads a receipt. Null if the round's first entry is missing, or if an entry can't be read. */
export function viewReceipt(receipt: Receipt): ReceiptView | null {
  const round = readPlaced('round', receipt.round)
  const result = readPlaced('result', receipt.result)
  const closed = readPlaced('closed', receipt.closed)
  const announce = readPlaced('announce', receipt.announce)
  if (round === null || round === 'unreadable') return null
  if (result === 'unreadable' || closed === 'unreadable' || announce === 'unreadable') return null
  return { round, result, closed, announce, note: receipt.note }
}

function readPlaced<Kind extends EntryKind>(kind: Kind, line: Receipt['round']): Placed<Kind> | null | 'unreadable' {
  if (line === null) return null
  const parsed = parseEntry(line.entry)
  if (parsed.is !== 'entry' || !isOf(kind, parsed.entry)) return 'unreadable'
  return { index: line.index, entry: parsed.entry }
}

const isOf = <Kind extends EntryKind>(kind: Kind, entry: Entry): entry is Extract<Entry, EntryOf<Kind>> =>
  entry.k === kind

/** Returns the price of each second, null where the source had none. Empty while the log has no result. */
export const ticksOf = ({ round, result }: ReceiptView): readonly { second: number; price: number | null }[] => {
  const first = round.entry.opens / 1000
  return (result?.entry.ticks ?? []).map((price, at) => ({ second: first + at, price }))
}

/** `unwritten`: the log has no result yet. The round may be running, being settled, or deleted and not closed yet. */
export type Outcome = 'unwritten' | 'deleted' | 'tie' | 'up' | 'down'

export function outcomeOf({ result, closed }: ReceiptView): Outcome {
  if (closed?.entry.deleted === true) return 'deleted'
  const direction: BookDirection | null | undefined = result?.entry.result
  if (direction === undefined) return 'unwritten'
  return direction === null ? 'tie' : fromBookDirection(direction)
}

/** Returns the readable lines of settled bets, and the number of unreadable lines. */
export function readLines(lines: readonly string[]): {
  readonly lines: readonly SettledLine[]
  readonly unreadable: number
} {
  const read = lines.map(parseSettledLine).filter((line) => line !== null)
  return { lines: read, unreadable: lines.length - read.length }
}
