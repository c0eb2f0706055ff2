import type { BetPromise } from '#contract/book.ts'
import { BookFaultError, type BookHead, type BookSource, openBookSource } from '#domain/book/book-source.ts'
import { originOf } from '#domain/book/checkpoint.ts'
import { concatBytes, equalBytes, fromBase64, fromUtf8, type Sha256, toBase64, toUtf8 } from '#domain/book/bytes.ts'
import { encodeEntry, encodeFields } from '#domain/book/entry.ts'
import type { FaultKind } from '#domain/book/faults.ts'
import { leafHash, rootFromPath } from '#domain/book/merkle.ts'
import type { VerifyEd25519 } from '#domain/book/note.ts'
import { commitmentOf, encodeOpening, type Opening, SALT_BYTES } from '#domain/book/opening.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { checkPromise } from '#domain/book/promise.ts'
import { parseProof } from '#domain/book/proof.ts'
import { isSealedLate } from '#domain/book/rate-counts.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'

/**
 * Judges whether the promise and the log's entry are about exactly the bet that the player sees (docs/open-book.md §3).
 * The code runs in a worker and uses the network only through `SealTools.get`.
 */

export type OwnBet = {
  readonly opening: Opening
  /** In base64. */
  readonly salt: string
}

/** The faults of the log, and three that a comparison with the player's own bet shows. */
export type SealFault =
  | FaultKind
  /** The server accepted another order than the one that was sent. */
  | 'bet-answer'
  /** The promise and the server's answer name different times of acceptance. */
  | 'promise-time'
  /** The proof contains another bet or another salt, or no bet at all. */
  | 'proof-bet'

export type Mismatch = {
  readonly fault: SealFault
  readonly expected: string | null
  readonly found: string | null
}

export type SealJudgement =
  /** `isLate`: the bet was sealed late, which is no fault (docs/open-book.md §3). False if lateness was not judged. */
  | { readonly is: 'right'; readonly index: number | null; readonly isLate: boolean; readonly log: KeptLog }
  | { readonly is: 'wrong'; readonly mismatch: Mismatch }
  /** The proof's note is older than the last note that this browser saw. No fault yet: a cache may have sent it. */
  | { readonly is: 'stale' }

export type SealTools = {
  readonly get: (path: string) => Promise<{ readonly status: number; readonly bytes: Uint8Array }>
  readonly sha256: Sha256
  readonly verifyEd25519: VerifyEd25519
  /** The logs that this device saw before. */
  readonly known: readonly KeptLog[]
}

class Wrong extends Error {
  readonly mismatch: Mismatch
  constructor(fault: SealFault, expected: string | null = null, found: string | null = null) {
    super(fault)
    this.mismatch = { fault, expected, found }
  }
}

/** Judges whether the log's key signed the promise, and whether the promise names this bet and its time. */
export const judgePromise = (tools: SealTools, bet: OwnBet, promise: BetPromise): Promise<SealJudgement> =>
  judged(async () => {
    const origin = /^(.*)\/promise\n/.exec(promise.note)?.[1] ?? ''
    const source = await openLog(tools, origin)
    const commitment = commitmentOf(tools.sha256, saltOf(bet), encodeOpening(bet.opening))
    const found = checkPromise(tools.sha256, tools.verifyEd25519, source.key, promise, commitment)
    if (typeof found === 'string') throw new Wrong(found)
    if (found.atMs !== bet.opening.at) throw new Wrong('promise-time', String(bet.opening.at), String(found.atMs))
    return { is: 'right', index: null, isLate: false, log: keptOf(tools, source, null) }
  })

/**
 * Judges whether the proof is about this bet and leads to a note that the log's key signed. The note has to extend the
 * last note that this browser saw.
 * @param closesAtMs the end of the round, to judge whether the bet was sealed late. Null skips this judgement
 */
export const judgeProof = (
  tools: SealTools,
  bet: OwnBet,
  proofText: string,
  closesAtMs: number | null,
): Promise<SealJudgement> =>
  judged(async () => {
    const { sha256 } = tools
    const proof = parseProof(proofText)
    if (proof === null) throw new Wrong('proof-form')
    const [salt, opening] = [saltOf(bet), encodeOpening(bet.opening)]
    if (proof.extra === null || !equalBytes(proof.extra, concatBytes(salt, toUtf8(opening)))) {
      const found = proof.extra === null ? null : fromUtf8(proof.extra.subarray(SALT_BYTES))
      throw new Wrong('proof-bet', opening, found)
    }
    const source = await openLog(tools, originOf(proof.checkpoint))
    const head = headOf(source, proof.checkpoint)
    const { round, at } = bet.opening
    const c = toBase64(commitmentOf(sha256, salt, opening))
    const leaf = leafHash(sha256, toUtf8(encodeEntry('bet', at, encodeFields('bet', { round, c }))))
    const root = rootFromPath(sha256, leaf, proof.index, head.size, proof.path)
    if (root === null || !equalBytes(root, head.root))
      throw new Wrong('proof-path', toBase64(head.root), root === null ? null : toBase64(root))
    const isStale = !(await extendsLastSeen(tools, source, head))
    if (isStale) return { is: 'stale' }
    const sealedAtMs = closesAtMs === null ? null : await sealedAt(source, head, proof.index)
    const isLate = closesAtMs !== null && sealedAtMs !== null && isSealedLate(at, sealedAtMs, closesAtMs)
    return { is: 'right', index: proof.index, isLate, log: keptOf(tools, source, head) }
  })

/** Returns the time of sealing: that of the first `beat` after the bet's entry. Null if there is no such `beat`. */
async function sealedAt(source: BookSource, head: BookHead, index: number): Promise<number | null> {
  for await (const { lines } of source.entries(head, index + 1, head.size)) {
    for (const line of lines) {
      const parsed = parseEntry(line)
      if (parsed.is === 'entry' && parsed.entry.k === 'beat') return parsed.entry.at
    }
  }
  return null
}

/** Returns whether the log's last entry is a `beat` that is later than `ms`. */
export async function hasBeatAfter(tools: SealTools, origin: string, ms: number): Promise<boolean> {
  const source = await openLog(tools, origin)
  const head = await source.head()
  for await (const { lines } of source.entries(head, Math.max(0, head.size - 1), head.size)) {
    const parsed = parseEntry(lines.at(-1) ?? '')
    if (parsed.is === 'entry' && parsed.entry.k === 'beat' && parsed.entry.at > ms) return true
  }
  return false
}

async function judged(judge: () => Promise<SealJudgement>): Promise<SealJudgement> {
  try {
    return await judge()
  } catch (error) {
    if (error instanceof Wrong) return { is: 'wrong', mismatch: error.mismatch }
    if (!(error instanceof BookFaultError)) throw error
    const { kind, expected, found } = error.fault
    const text = (value: string | number | null | undefined) => (value == null ? null : String(value))
    return { is: 'wrong', mismatch: { fault: kind, expected: text(expected), found: text(found) } }
  }
}

/**
 * Opens the log without the last note that this browser saw, because `openBookSource` would report a note older than
 * that one as a fault. Here an older note is only stale, so `extendsLastSeen` compares the two notes.
 */
const openLog = (tools: SealTools, origin: string): Promise<BookSource> =>
  openBookSource({ ...tools, origin, known: tools.known.map((log) => ({ ...log, note: null })) })

function headOf(source: BookSource, note: string): BookHead {
  const head = source.signedHead(note)
  if (typeof head !== 'string') return head
  throw new Wrong(head === 'malformed' ? 'note-form' : 'note-signature')
}

/**
 * Returns true if the note extends the last note that this browser saw, or if none was seen. False for an older note.
 * Throws if neither note extends the other, or if the last note is not signed by the log's key.
 */
async function extendsLastSeen({ known }: SealTools, source: BookSource, head: BookHead): Promise<boolean> {
  const last = known.find(({ origin }) => origin === source.log.origin)?.note ?? null
  if (last === null || last === head.note) return true
  const seen = headOf(source, last)
  const isLarger = head.size >= seen.size
  await (isLarger ? source.checkExtends(head, seen) : source.checkExtends(seen, head))
  return isLarger
}

const keptOf = ({ known }: SealTools, { log: { origin, vkey } }: BookSource, head: BookHead | null): KeptLog =>
  head === null
    ? (known.find((log) => log.origin === origin) ?? { origin, vkey, note: null, size: 0 })
    : { origin, vkey, note: head.note, size: head.size }

function saltOf({ salt }: OwnBet): Uint8Array {
  const bytes = fromBase64(salt)
  if (bytes?.length !== SALT_BYTES) throw new Wrong('salt', String(SALT_BYTES), String(bytes?.length ?? null))
  return bytes
}
