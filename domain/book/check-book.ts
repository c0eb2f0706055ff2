import type { BookReader } from './book-reader.ts'
import { BookFaultError, type BookHead, type BookSource, type SealedLines } from './book-source.ts'
import { originOf } from './checkpoint.ts'
import { equalBytes, fromAscii, toBase64, toUtf8 } from './bytes.ts'
import {
  addFault,
  type Check,
  type CheckOptions,
  type CheckResult,
  noteProgress,
  type Part,
  readHead,
  runCheck,
  settleClosed,
  startReader,
  stopIfAsked,
} from './check-run.ts'
import { encodeEntry, encodeFields } from './entry.ts'
import type { Fault, FaultKind } from './faults.ts'
import { leafHash, rootFromPath } from './merkle.ts'
import { commitmentOf, type Opening, parseOpening, SALT_BYTES } from './opening.ts'
import { parseEntry } from './parse-entry.ts'
import { parseProof } from './proof.ts'
import { DAY_MS } from './seed-path.ts'

export { CHECK_STEPS, type CheckResult, type StepProgress, stepOf } from './check-run.ts'
export type { CheckStep } from './faults.ts'

/*
 * Checks a public log that somebody else serves (docs/open-book.md §5): the whole log, its last rounds, one round, or
 * the proof of one bet.
 */

const BACKWARDS = 2_048

/** Checks all rounds, or the last `rounds` closed ones. Faults are in the result; a failed call rejects. */
export async function checkBook(
  source: BookSource,
  options: CheckOptions & { readonly rounds: number | 'all' },
): Promise<CheckResult> {
  return runCheck(source, options, async (check) => {
    const head = await readHead(check)
    const ending = options.rounds === 'all' ? null : await readEnding(check, head, options.rounds)
    const first = ending?.first ?? 0
    const reader = startReader(check, first)
    if (ending !== null) await learnFrom(source, head, reader, first, ending.days)
    const parts = ending === null ? source.entries(head, 0, head.size) : after(ending.parts, first)
    await readEntries(check, parts, head.size - first, reader)
    reader.end()
    await checkReferences(check, head, reader)
  })
}

/** Checks one round and, unlike `checkBook`, also the hashes of its signed evidence (docs/open-book.md §4). */
export async function checkRound(source: BookSource, round: string, options: CheckOptions): Promise<CheckResult> {
  return runCheck(source, { ...options, readsEvidence: true }, async (check) => {
    await readHead(check)
    const receipt = await source.receipt(round)
    if (receipt?.round == null) throw new BookFaultError({ kind: 'receipt-missing', index: null, round })
    const { head } = receipt
    check.head = head
    const first = receipt.round.index
    const reader = startReader(check, first, round)
    const end = (receipt.closed?.index ?? head.size - 1) + 1
    // A seed is opened only after its day, so the entry that opens it may stand after the round, from `end` on.
    await learnFrom(source, head, reader, first, [first], end)
    const seen = await readEntries(check, source.entries(head, first, end), end - first, reader, round)
    for (const part of ['result', 'closed', 'announce'] as const) {
      // The log may hold a part that the receipt leaves out or takes from another round.
      const [shown, found] = [receipt[part]?.index ?? null, seen.get(part) ?? null]
      if (shown !== found)
        addFault(check, { kind: 'receipt-entry', index: found, round, expected: found, found: shown })
    }
    if (seen.get('round') !== first)
      addFault(check, { kind: 'receipt-entry', index: first, round, expected: round, found: null })
    if (!seen.has('closed')) check.isUnfinished = true
  })
}

export interface CheckedProof extends CheckResult {
  readonly index: number | null
  readonly opening: Opening | null
}

export function originOfProof(proofText: string): string | undefined {
  const proof = parseProof(proofText)
  return proof === null ? undefined : originOf(proof.checkpoint)
}

/**
 * Checks the proof of one bet (docs/open-book.md §3). Also compares the tree that the proof's note signs with the tree
 * of the log's newest note: the smaller tree has to be a prefix of the larger one.
 */
export async function checkProof(source: BookSource, proofText: string, options: CheckOptions): Promise<CheckedProof> {
  const { sha256 } = options
  const told: { index: number | null; opening: Opening | null } = { index: null, opening: null }
  const result = await runCheck(source, options, async (check) => {
    const proof = parseProof(proofText)
    const salt = proof?.extra?.subarray(0, SALT_BYTES)
    const openingText = fromAscii(proof?.extra?.subarray(SALT_BYTES) ?? new Uint8Array()) ?? ''
    const opening = parseOpening(openingText)
    if (proof === null || salt?.length !== SALT_BYTES || opening === null)
      return addFault(check, aboutProof('proof-form'))
    told.index = proof.index
    told.opening = opening
    const signed = source.signedHead(proof.checkpoint)
    if (typeof signed === 'string')
      return addFault(check, aboutProof(signed === 'malformed' ? 'note-form' : 'note-signature'))
    const c = toBase64(commitmentOf(sha256, salt, openingText))
    const line = encodeEntry('bet', opening.at, encodeFields('bet', { round: opening.round, c }))
    const root = rootFromPath(sha256, leafHash(sha256, toUtf8(line)), proof.index, signed.size, proof.path)
    if (root === null || !equalBytes(root, signed.root)) addFault(check, aboutProof('proof-path', proof.index))
    await readHead(check, async (head) => {
      const [newer, older] = signed.size <= head.size ? [head, signed] : [signed, head]
      await source.checkExtends(newer, older)
      check.head = newer
    })
  })
  return { ...result, ...told }
}

const aboutProof = (kind: FaultKind, index: number | null = null): Fault => ({ kind, index, round: null })

async function readEntries(
  check: Check,
  parts: AsyncIterable<SealedLines> | Iterable<SealedLines>,
  total: number,
  reader: BookReader,
  round: string | null = null,
): Promise<ReadonlyMap<Part, number>> {
  const seen = new Map<Part, number>()
  for await (const { first, lines } of parts) {
    stopIfAsked(check)
    for (const [at, line] of lines.entries()) {
      reader.take(first + at, line)
      if (round !== null) notePart(seen, round, first + at, line)
    }
    await settleClosed(check, round)
    const { entries, rounds, closed, onPath, pending } = reader.summary()
    noteProgress(check, 'entries', entries, total)
    noteProgress(check, 'rounds', round === null ? closed : Number(seen.has('closed')), round === null ? rounds : 1)
    noteProgress(check, 'prices', onPath, onPath + pending)
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

async function readEnding(check: Check, head: BookHead, count: number) {
  const closed = new Set<string>()
  const days = new Map<number, number>()
  let parts: SealedLines[] = []
  let found = 0
  for (let to = head.size; to > 0;) {
    const from = Math.floor((to - 1) / BACKWARDS) * BACKWARDS
    const read: SealedLines[] = []
    for await (const part of check.source.entries(head, from, to)) {
      stopIfAsked(check)
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

function* after(parts: readonly SealedLines[], first: number): Generator<SealedLines> {
  for (const part of parts) {
    const skipped = Math.max(0, first - part.first)
    if (skipped < part.lines.length) yield { first: part.first + skipped, lines: part.lines.slice(skipped) }
  }
}

/**
 * Gives `reader` the entries with rules and seeds that the host names for `places`: entries before `first` and, if
 * `end` is given, also entries with seeds from `end` on.
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

async function checkReferences(check: Check, head: BookHead, reader: BookReader): Promise<void> {
  for (const index of reader.references) {
    stopIfAsked(check)
    for await (const { lines } of check.source.entries(head, index, index + 1))
      for (const line of lines)
        if (!line.startsWith('{"k":"bet",'))
          addFault(check, { kind: 'bet-reference', index, round: null, found: index })
  }
}
