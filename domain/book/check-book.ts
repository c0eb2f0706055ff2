import { type BookReader, type BookSummary, createBookReader } from './book-reader.ts'
import { BookFaultError, type BookHead, type BookSource, type SealedLines } from './book-source.ts'
import { equalBytes, fromAscii, type Sha256, toBase64, toUtf8 } from './bytes.ts'
import { encodeEntry, encodeFields } from './entry.ts'
import type { Fault, FaultKind } from './faults.ts'
import { leafHash, rootFromPath } from './merkle.ts'
import { commitmentOf, type Opening, parseOpening, SALT_BYTES } from './opening.ts'
import { parseEntry } from './parse-entry.ts'
import { parseProof } from './proof.ts'
import { addCounts, dayOfRound, NO_COUNTS, type RateCounts } from './rate-counts.ts'
import { checkLines, type LoggedRound } from './round-check.ts'
import { DAY_MS } from './seed-path.ts'

/*
 * Checks a public log that somebody else serves (docs/open-book.md §5): all of it, its last rounds, one round, or the
 * proof of one bet. Browser and command line use this one.
 */

/**
 * `note`: signed by the log's key, and an extension of what was seen before. `entries`: each stands in the signed tree
 * and in its order. `rounds`: windows, announcements, results. `bets`: each settled again. `prices`: simulated ones
 * computed from their day's seed.
 */
export const CHECK_STEPS = ['note', 'entries', 'rounds', 'bets', 'prices'] as const
export type CheckStep = (typeof CHECK_STEPS)[number]

/**
 * `pending`: right so far, and more can be said only when a seed is opened or a round is closed. `stopped`: by the
 * signal, before its end.
 */
export type CheckState = 'running' | 'right' | 'wrong' | 'pending' | 'stopped'

export interface StepProgress {
  readonly step: CheckStep
  readonly state: CheckState
  readonly done: number
  /** Null while it is not known. */
  readonly total: number | null
}

export interface CheckOptions {
  readonly sha256: Sha256
  readonly onStep?: (progress: StepProgress) => void
  /** Read between two bundles: when it says so, the check stops. */
  readonly signal?: { readonly aborted: boolean }
}

/** What was counted of the rounds of one day, type and source. */
export interface CheckedRates {
  /** Days since 1970-01-01 (UTC), by the round's opening. */
  readonly day: number
  readonly type: string
  readonly source: string
  readonly counts: RateCounts
}

export interface CheckResult {
  readonly state: Exclude<CheckState, 'running'>
  /** The first thousand. */
  readonly faults: readonly Fault[]
  readonly faultCount: number
  /** The signed head that all of this stands on; null when there was none to trust. */
  readonly head: BookHead | null
  readonly summary: BookSummary
  /** Lines of bets that were settled again. */
  readonly settledBets: number
  readonly rates: readonly CheckedRates[]
}

const MOST_FAULTS = 1_000
/** Receipts that are asked for at once. */
const LANES = 8
/** Entries that are read at once when the last rounds are looked for. */
const BACKWARDS = 2_048

class Stopped extends Error {}

/** Checks all rounds, or as many of the last closed ones. Rejects only when the host gives no answer of a log. */
export async function checkBook(
  source: BookSource,
  options: CheckOptions & { readonly rounds: number | 'all' },
): Promise<CheckResult> {
  return run(source, options, async (check) => {
    const head = await check.readHead()
    const ending = options.rounds === 'all' ? null : await readEnding(source, head, options.rounds, check.stopIfAsked)
    const first = ending?.first ?? 0
    const reader = check.startReader(first)
    if (ending !== null) await learnFrom(source, head, reader, first, ending.days)
    const parts = ending === null ? source.entries(head, 0, head.size) : after(ending.parts, first)
    await readEntries(check, parts, head.size - first, reader)
    reader.end()
    await checkReferences(check, source, head, reader)
  })
}

/**
 * Checks one round: its entries, every bet of it that the log has, and what its prices stand on. The signed quotes of its
 * decisive seconds are fetched and hashed here alone: over all rounds they would be a call for each second.
 */
export async function checkRound(source: BookSource, round: string, options: CheckOptions): Promise<CheckResult> {
  return run(source, { ...options, readsEvidence: true }, async (check) => {
    await check.readHead()
    const receipt = await source.receipt(round)
    if (receipt?.round == null) throw new BookFaultError({ kind: 'receipt-missing', index: null, round })
    const { head } = receipt
    check.useHead(head)
    const first = receipt.round.index
    const reader = check.startReader(first, round)
    const end = (receipt.closed?.index ?? head.size - 1) + 1
    // Seeds are opened long after the round.
    await learnFrom(source, head, reader, first, [first], end)
    const seen = await readEntries(check, source.entries(head, first, end), end - first, reader, round)
    for (const part of ['result', 'closed', 'announce'] as const) {
      // What the receipt leaves out, or shows of another round, stands in the log all the same.
      const [shown, found] = [receipt[part]?.index ?? null, seen.get(part) ?? null]
      if (shown !== found) check.fault({ kind: 'receipt-entry', index: found, round, expected: found, found: shown })
    }
    if (seen.get('round') !== first)
      check.fault({ kind: 'receipt-entry', index: first, round, expected: round, found: null })
    if (!seen.has('closed')) check.isUnfinished = true
  })
}

/** What a proof says of its bet. */
export interface CheckedProof extends CheckResult {
  readonly index: number | null
  readonly opening: Opening | null
}

/**
 * Checks the proof of one bet (`c2sp.org/tlog-proof@v1`, whose extra part is salt and opening), and that the log that
 * the host serves now still begins with what the proof's note signed.
 */
export async function checkProof(source: BookSource, proofText: string, options: CheckOptions): Promise<CheckedProof> {
  const { sha256 } = options
  const told: { index: number | null; opening: Opening | null } = { index: null, opening: null }
  const result = await run(source, options, async (check) => {
    const proof = parseProof(proofText)
    const salt = proof?.extra?.subarray(0, SALT_BYTES)
    const openingText = fromAscii(proof?.extra?.subarray(SALT_BYTES) ?? new Uint8Array()) ?? ''
    const opening = parseOpening(openingText)
    if (proof === null || salt?.length !== SALT_BYTES || opening === null) return check.fault(aboutProof('proof-form'))
    told.index = proof.index
    told.opening = opening
    const signed = source.signedHead(proof.checkpoint)
    if (typeof signed === 'string')
      return check.fault(aboutProof(signed === 'malformed' ? 'note-form' : 'note-signature'))
    const c = toBase64(commitmentOf(sha256, salt, openingText))
    const line = encodeEntry('bet', opening.at, encodeFields('bet', { round: opening.round, c }))
    const root = rootFromPath(sha256, leafHash(sha256, toUtf8(line)), proof.index, signed.size, proof.path)
    if (root === null || !equalBytes(root, signed.root)) check.fault(aboutProof('proof-path', proof.index))
    const head = await check.readHead()
    // A proof may be newer than the note that a cache gave.
    await (signed.size <= head.size ? source.checkExtends(head, signed) : source.checkExtends(signed, head))
    check.useHead(signed.size <= head.size ? head : signed)
  })
  return { ...result, ...told }
}

const aboutProof = (kind: FaultKind, index: number | null = null): Fault => ({ kind, index, round: null })

type Part = 'round' | 'result' | 'closed' | 'announce'

interface Check {
  isUnfinished: boolean
  readonly fault: (fault: Fault) => void
  readonly stopIfAsked: () => void
  readonly readHead: () => Promise<BookHead>
  readonly useHead: (head: BookHead) => void
  /** @param only the round that is asked for; of other rounds nothing is said */
  readonly startReader: (first: number, only?: string) => BookReader
  readonly told: (step: CheckStep, done: number, total: number | null) => void
  /** Settles the bets of the rounds that were closed since. */
  readonly settle: (round: string | null) => Promise<void>
}

async function run(
  source: BookSource,
  { sha256, onStep, signal, readsEvidence = false }: CheckOptions & { readonly readsEvidence?: boolean },
  work: (check: Check) => Promise<void>,
): Promise<CheckResult> {
  const faults: Fault[] = []
  const wrong = new Set<CheckStep>()
  const rates = new Map<string, CheckedRates>()
  const progress = new Map<CheckStep, { done: number; total: number | null }>()
  let [faultCount, settledBets, isStopped] = [0, 0, false]
  let head: BookHead | null = null
  let reader: BookReader | null = null
  let closed: LoggedRound[] = []

  const tell = (step: CheckStep, state: CheckState) =>
    onStep?.({ step, state, ...(progress.get(step) ?? { done: 0, total: null }) })
  const fault = (found: Fault): void => {
    faultCount++
    if (faults.length < MOST_FAULTS) faults.push(found)
    const step = stepOf(found.kind)
    wrong.add(step)
    tell(step, 'wrong')
  }
  const settleRound = async (round: LoggedRound): Promise<void> => {
    const lines = await readLines(source, round)
    const { faults: found, counts } = checkLines(sha256, round, lines)
    found.forEach(fault)
    if (readsEvidence) await checkEvidenceBytes(source, round)
    settledBets += lines.length
    const { type, source: prices, opens } = round.entry
    const day = dayOfRound(opens)
    const key = `${day} ${type} ${prices}`
    rates.set(key, { day, type, source: prices, counts: addCounts(rates.get(key)?.counts ?? NO_COUNTS, counts) })
  }
  const check: Check = {
    isUnfinished: false,
    fault,
    stopIfAsked() {
      if (signal?.aborted === true) throw new Stopped()
    },
    async readHead() {
      tell('note', 'running')
      const newest = await source.head()
      check.useHead(newest)
      check.told('note', 1, 1)
      return newest
    },
    useHead(newest) {
      head = newest
    },
    startReader(first, only) {
      reader = createBookReader({
        sha256,
        first,
        ...(only === undefined ? {} : { only }),
        onFault: (found) => {
          if (only === undefined || found.round === only) fault(found)
        },
        onClosed: (round) => closed.push(round),
      })
      return reader
    },
    told(step, done, total) {
      progress.set(step, { done, total })
      tell(step, wrong.has(step) ? 'wrong' : 'running')
    },
    async settle(round) {
      const due = closed.filter(({ entry }) => round === null || entry.round === round)
      closed = []
      let next = 0
      const lane = async (): Promise<void> => {
        for (;;) {
          const taken = due[next++]
          if (taken === undefined) return
          check.stopIfAsked()
          try {
            await settleRound(taken)
          } catch (error) {
            if (!(error instanceof BookFaultError)) throw error
            fault(error.fault)
          }
        }
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      check.told('bets', settledBets, null)
    },
  }

  try {
    await work(check)
  } catch (error) {
    if (error instanceof BookFaultError) fault(error.fault)
    else if (error instanceof Stopped) isStopped = true
    else throw error
  }
  const summary = (reader as BookReader | null)?.summary() ?? NOTHING_READ
  const isPending = summary.pending > 0 || check.isUnfinished
  for (const step of progress.keys()) {
    const waits = step === 'prices' ? summary.pending > 0 : step === 'rounds' && check.isUnfinished
    // The note is judged whole before anything that it signs is read.
    const isCut = isStopped && step !== 'note'
    tell(step, wrong.has(step) ? 'wrong' : isCut ? 'stopped' : waits ? 'pending' : 'right')
  }
  return {
    state: faultCount > 0 ? 'wrong' : isStopped ? 'stopped' : isPending ? 'pending' : 'right',
    faults,
    faultCount,
    head,
    summary,
    settledBets,
    rates: [...rates.values()].toSorted(
      (a, b) =>
        a.day - b.day ||
        a.source.localeCompare(b.source) ||
        a.type.length - b.type.length ||
        a.type.localeCompare(b.type),
    ),
  }

  /** The public quotes are the bytes that `closed` names: nobody exchanged or lost them since. */
  async function checkEvidenceBytes(from: BookSource, { entry, closed }: LoggedRound): Promise<void> {
    for (const [second, hash] of closed?.entry.evidence ?? []) {
      const bytes = await from.evidence(entry.source, second)
      const found = bytes === null ? null : toBase64(sha256(bytes))
      if (found !== hash)
        fault({ kind: 'evidence-bytes', index: closed?.index ?? null, round: entry.round, expected: hash, found })
    }
  }

  async function readLines(from: BookSource, round: LoggedRound): Promise<string[]> {
    const lines: string[] = []
    const count = round.closed?.entry.bets ?? 0
    for await (const page of from.settledLines(round.entry.round, count)) lines.push(...page)
    return lines
  }
}

const NOTHING_READ: BookSummary = createBookReader({
  sha256: (bytes) => bytes,
  first: 0,
  onFault: () => undefined,
  onClosed: () => undefined,
}).summary()

/** Reads entries in their order, and settles the rounds that they close. Answers where the parts of one round stand. */
async function readEntries(
  check: Check,
  parts: AsyncIterable<SealedLines> | Iterable<SealedLines>,
  total: number,
  reader: BookReader,
  round: string | null = null,
): Promise<ReadonlyMap<Part, number>> {
  const seen = new Map<Part, number>()
  for await (const { first, lines } of parts) {
    check.stopIfAsked()
    for (const [at, line] of lines.entries()) {
      reader.take(first + at, line)
      if (round !== null) notePart(seen, round, first + at, line)
    }
    await check.settle(round)
    const { entries, rounds, closed, onPath, pending } = reader.summary()
    check.told('entries', entries, total)
    check.told('rounds', round === null ? closed : Number(seen.has('closed')), round === null ? rounds : 1)
    check.told('prices', onPath, onPath + pending)
  }
  return seen
}

function notePart(seen: Map<Part, number>, round: string, index: number, line: string): void {
  const [, kind] = /^\{"k":"(round|result|closed|announce)",/.exec(line) ?? []
  if (kind === undefined || !line.includes(`"round":"${round}"`)) return
  const parsed = parseEntry(line)
  if (parsed.is !== 'entry') return
  const part = kind as Part
  if ((parsed.entry as { readonly round?: string }).round === round && !seen.has(part)) seen.set(part, index)
}

/** The end of a log, from the `round` entry of the oldest of its last so many closed rounds. */
interface Ending {
  readonly first: number
  readonly parts: readonly SealedLines[]
  /** Index of the first round of each day. */
  readonly days: readonly number[]
}

/** Reads backwards until there are enough closed rounds, and keeps what was read. */
async function readEnding(source: BookSource, head: BookHead, count: number, stopIfAsked: () => void): Promise<Ending> {
  const closed = new Set<string>()
  const days = new Map<number, number>()
  let parts: SealedLines[] = []
  let found = 0
  for (let to = head.size; to > 0;) {
    const from = Math.floor((to - 1) / BACKWARDS) * BACKWARDS
    const read: SealedLines[] = []
    for await (const part of source.entries(head, from, to)) {
      stopIfAsked()
      read.push(part)
    }
    parts = [...read, ...parts]
    const named = read.flatMap(({ first, lines }) => lines.map((line, at) => ({ index: first + at, line })))
    for (const { index, line } of named.toReversed()) {
      const [, kind, at, round] = NAMES_ROUND.exec(line) ?? []
      if (kind === 'closed') closed.add(round ?? '')
      if (kind !== 'round') continue
      days.set(Math.floor(Number(at) / DAY_MS), index)
      if (closed.has(round ?? '') && ++found >= count) return { first: index, parts, days: [...days.values()] }
    }
    to = from
  }
  return { first: 0, parts, days: [] }
}

const NAMES_ROUND = /^\{"k":"(round|closed)","v":1,"at":(\d+),"round":"([^"]*)"/

/** Entries in their order, without those before an index. */
function* after(parts: readonly SealedLines[], first: number): Generator<SealedLines> {
  for (const part of parts) {
    const skipped = Math.max(0, first - part.first)
    if (skipped < part.lines.length) yield { first: part.first + skipped, lines: part.lines.slice(skipped) }
  }
}

/**
 * Tells the reader rules and seeds, as the host's hints for some places name them: those before `first`, and also later
 * ones where the reader stops before it gets to them.
 */
async function learnFrom(
  source: BookSource,
  head: BookHead,
  reader: BookReader,
  first: number,
  places: readonly number[],
  end = first,
): Promise<void> {
  const wanted = new Set<number>()
  for (const place of places) {
    const { rules, seeds } = await source.anchors(place)
    if (rules !== null && rules < first) wanted.add(rules)
    for (const { index } of seeds) if (index < first || (index >= end && end > first)) wanted.add(index)
  }
  for (const index of [...wanted].filter((at) => at < head.size).toSorted((a, b) => a - b))
    for await (const { lines } of source.entries(head, index, index + 1))
      for (const line of lines) reader.learn(index, line)
}

/** What acts and disputes name from before the part that was read has to be a bet's entry. */
async function checkReferences(check: Check, source: BookSource, head: BookHead, reader: BookReader): Promise<void> {
  for (const index of reader.references) {
    check.stopIfAsked()
    for await (const { lines } of source.entries(head, index, index + 1))
      for (const line of lines)
        if (!line.startsWith('{"k":"bet",')) check.fault({ kind: 'bet-reference', index, round: null, found: index })
  }
}

const NOTE_KINDS: ReadonlySet<FaultKind> = new Set([
  'log-key',
  'note-form',
  'note-signature',
  'note-forked',
  'note-stale',
  'proof-form',
  'proof-path',
])
const ROUND_KINDS: ReadonlySet<FaultKind> = new Set([
  ...(['round-twice', 'round-unknown', 'off-calendar', 'round-time', 'attempt', 'round-before-seed'] as const),
  ...(['announce-twice', 'announce-late', 'announce-order', 'announce-opening'] as const),
  ...(['result-twice', 'result-missing', 'result-of-deleted', 'bet-after-result', 'bet-after-delete'] as const),
  ...(['closed-twice', 'closed-early', 'overdue', 'deleted-unsaid', 'deleted-ignored'] as const),
  ...(['ticks-form', 'result', 'result-by', 'evidence', 'evidence-bytes', 'rules-missing'] as const),
])
const PRICE_KINDS: ReadonlySet<FaultKind> = new Set([
  ...(['tick-missing', 'tick-off-path', 'two-prices', 'two-ages'] as const),
  ...(['seed-twice', 'seed-unknown', 'seed-early', 'seed-commitment', 'seed-start', 'seed-overdue'] as const),
])
const ENTRY_KINDS: ReadonlySet<FaultKind> = new Set([
  ...(['tile-hash', 'bundle-form', 'entry-hash', 'last-not-beat', 'entry-form', 'beat-falls'] as const),
  ...(['restart-place', 'act-form', 'four-eyes', 'bet-reference', 'dispute-order'] as const),
])

/** The step that a fault belongs to. */
export const stepOf = (kind: FaultKind): CheckStep =>
  NOTE_KINDS.has(kind)
    ? 'note'
    : ENTRY_KINDS.has(kind)
      ? 'entries'
      : ROUND_KINDS.has(kind)
        ? 'rounds'
        : PRICE_KINDS.has(kind)
          ? 'prices'
          : 'bets'
