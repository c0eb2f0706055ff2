import { DAY_SECONDS, lastSimulatedPrice, simulatedPrices } from '../market/simulated-path.ts'
import { fromBase64, toBase64 } from './bytes.ts'
import type { EntryOf } from './entry.ts'
import { type Day, hasBecomeOverdue, type Reading, type RoundPath, type RunningRound, say } from './reading.ts'
import type { Placed } from './round-check.ts'
import { DAY_MS, daysOf, pathHash } from './seed-path.ts'

const SEED_OPENS_AFTER_MS = 600_000
const SEED_OVERDUE_AFTER_MS = 600_000

export function commitSeed(book: Reading, index: number, { day, commitment }: EntryOf<'seed'>): void {
  if (book.days.has(day)) return say(book, 'seed-twice', index, null, { found: day })
  const known: Day = { commitment, opened: null, overSince: null, isOverdue: false }
  book.days.set(day, known)
  book.unopened.set(day, known)
}

export function openSeed(book: Reading, index: number, { day, seed, startPrice, at }: EntryOf<'seed-open'>): void {
  const known = book.days.get(day)
  if (known === undefined) {
    // If the day ended before the first entry that was read, its commitment may be missing here.
    if (book.first === 0 || (book.firstAt !== null && (day + 1) * DAY_MS > book.firstAt))
      say(book, 'seed-unknown', index, null, { found: day })
    return
  }
  if (known.opened !== null) return say(book, 'seed-twice', index, null, { found: day })
  if (at < (day + 1) * DAY_MS) say(book, 'seed-early', index, null, { expected: (day + 1) * DAY_MS, found: at })
  const bytes = fromBase64(seed) ?? new Uint8Array()
  const commitment = toBase64(book.sha256(bytes))
  if (commitment !== known.commitment)
    say(book, 'seed-commitment', index, null, { expected: known.commitment, found: commitment })
  known.opened = { seed: bytes, startPrice }
  book.unopened.delete(day)
  const before = book.days.get(day - 1)?.opened
  if (before != null) {
    const start = lastSimulatedPrice(pathHash(book.sha256, before.seed), before.startPrice)
    if (start !== startPrice) say(book, 'seed-start', index, null, { expected: start, found: startPrice })
  }
  const waiting = book.pending.get(day) ?? []
  book.pending.delete(day)
  if (waiting.length > 0) comparePaths(book, waiting)
}

export function checkPath(book: Reading, { entry }: RunningRound, result: Placed<EntryOf<'result'>>): void {
  const from = entry.opens / 1000
  const path: RoundPath = {
    round: entry.round,
    index: result.index,
    from,
    ticks: Int32Array.from(result.entry.ticks, (price) => price ?? 0),
  }
  book.count.pending++
  const waitsFor = daysOf(entry).find((day) => book.days.get(day)?.opened == null)
  if (waitsFor === undefined) comparePaths(book, [path])
  else book.pending.set(waitsFor, [...(book.pending.get(waitsFor) ?? []), path])
}

/** Compares ticks of rounds with the paths of their days. A round waits until the seeds of its days are opened. */
function comparePaths(book: Reading, paths: readonly RoundPath[]): void {
  const wanted = new Map<number, { from: number; to: number }>()
  const ready = paths.filter((path) => {
    const span = daysOf({ opens: path.from * 1000, closes: (path.from + path.ticks.length - 1) * 1000 })
    const waitsFor = span.find((day) => book.days.get(day)?.opened == null)
    if (waitsFor !== undefined) {
      book.pending.set(waitsFor, [...(book.pending.get(waitsFor) ?? []), path])
      return false
    }
    for (const day of span) {
      const known = wanted.get(day) ?? { from: DAY_SECONDS, to: 0 }
      wanted.set(day, {
        from: Math.min(known.from, Math.max(0, path.from - day * DAY_SECONDS)),
        to: Math.max(known.to, Math.min(DAY_SECONDS, path.from + path.ticks.length - day * DAY_SECONDS)),
      })
    }
    return true
  })
  const computed = new Map<number, { from: number; prices: Int32Array }>()
  for (const [day, { from, to }] of wanted) {
    const opened = book.days.get(day)?.opened
    if (opened != null)
      computed.set(day, {
        from,
        prices: simulatedPrices(pathHash(book.sha256, opened.seed), opened.startPrice, from, to),
      })
  }
  const priceAt = (second: number): number | undefined => {
    const day = Math.floor(second / DAY_SECONDS)
    const part = computed.get(day)
    return part?.prices[second - day * DAY_SECONDS - part.from]
  }
  for (const path of ready) {
    book.count.pending--
    book.count.onPath++
    const at = path.ticks.findIndex((price, offset) => price !== 0 && price !== priceAt(path.from + offset))
    if (at >= 0)
      say(book, 'tick-off-path', path.index, path.round, {
        expected: priceAt(path.from + at) ?? null,
        found: path.ticks[at] ?? null,
      })
  }
}

export function checkSeedsOverdue(book: Reading, index: number, nowMs: number): void {
  for (const [day, known] of book.unopened) {
    const dueAt = (day + 1) * DAY_MS + SEED_OPENS_AFTER_MS
    // A seed that was due before the first beat that was read may have been opened before that beat.
    const isFromBefore = book.first > 0 && dueAt <= (book.firstBeatAt ?? 0)
    if (nowMs >= dueAt && !isFromBefore && hasBecomeOverdue(book, known, SEED_OVERDUE_AFTER_MS))
      say(book, 'seed-overdue', index, null, { expected: day })
  }
}
