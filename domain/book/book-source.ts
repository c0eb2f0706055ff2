import { parseJson } from '../json.ts'
import { equalBytes, fromAscii, fromBase64, fromUtf8, type Sha256, toBase64, toUtf8 } from './bytes.ts'
import { decodeBundle } from './bundle.ts'
import { originOf, parseCheckpoint } from './checkpoint.ts'
import {
  type BookHead,
  checkExtends,
  edgeOf,
  fail,
  hashAt,
  hashesIn,
  isPrefix,
  type LogTiles,
  requireSame,
  tile,
} from './log-tiles.ts'
import { leafHash, rootOf } from './merkle.ts'
import { ED25519, type NoteProblem, parseVkey, type VerifierKey, type VerifyEd25519, verifyNote } from './note.ts'
import { parseEntry } from './parse-entry.ts'
import { isRecord } from './shapes.ts'
import { entriesPath, TILE_WIDTH } from './tiles.ts'

export { BookFaultError, type BookHead } from './log-tiles.ts'

/*
 * Reads a log from a host that is not trusted. Notes are verified by the log's key, and entries by the tree that a note
 * signs (docs/open-book.md §1, c2sp.org/tlog-tiles). Other answers are unverified.
 */

export interface BookAnswer {
  readonly status: number
  readonly bytes: Uint8Array
}

export interface BookSourceOptions {
  readonly get: (path: string) => Promise<BookAnswer>
  readonly sha256: Sha256
  readonly verifyEd25519: VerifyEd25519
  /** The log's key, if the caller knows it. Without `vkey`, the key that the host names is used. */
  readonly vkey?: string
  /** The origin of the log to read. Without `origin`, the log of `vkey` is read, or else the newest log. */
  readonly origin?: string | undefined
  /** The logs that the caller saw on this host before: the host still has to name each of them, with its key. */
  readonly known?: readonly KnownLog[]
  /** Waits before a note with too few entries is fetched again. Without `wait`, the note is fetched only once. */
  readonly wait?: (ms: number) => Promise<void>
}

export interface BookLog {
  readonly origin: string
  readonly prefix: string
  readonly vkey: string
}

export interface KnownLog extends Omit<BookLog, 'prefix'> {
  /** The newest note that the caller has verified; null if there is none. */
  readonly note: string | null
}

export interface SealedLines {
  readonly first: number
  readonly lines: readonly string[]
}

/** Thrown for a call that the host failed to answer, or answered in an unknown form. This is no fault of the log. */
export class BookHostError extends Error {
  override readonly name = 'BookHostError'
  readonly path: string
  readonly status: number
  constructor(path: string, status: number) {
    super(`${path}: ${status}`)
    this.path = path
    this.status = status
  }
}

export type BookSource = ReturnType<typeof sourceOf>

const READ_AHEAD = 6
/** A note with too few entries may come from a cache or another process. It is fetched again up to this many times. */
const STALE_TRIES = 30
const STALE_WAIT_MS = 2_000

/**
 * Opens the newest of the host's logs that has the given key and origin. Rejects with a `BookFaultError` if a known log
 * is missing or has another key. A log that neither `known` nor `vkey` names is checked against the log after it, if
 * there is one: the older log has to extend the note in the first entry of the newer log.
 */
export async function openBookSource(options: BookSourceOptions): Promise<BookSource> {
  const { sha256, vkey: trusted, origin, known = [] } = options
  const logs = readLogs(await read(options, '/log/logs'))
  for (const { origin: seen, vkey: expected } of known) {
    const found = logs.find((one) => one.origin === seen)?.vkey ?? null
    if (found !== expected) return fail('log-key', { expected, found })
  }
  const log = logs.find((one) => one.vkey === (trusted ?? one.vkey) && one.origin === (origin ?? one.origin))
  const key = parseVkey(sha256, log?.vkey ?? '')
  if (log === undefined || key === null || key.type !== ED25519 || key.name !== log.origin)
    return fail('log-key', { expected: trusted ?? origin ?? null, found: logs[0]?.vkey ?? null })
  const ownKey = fromAscii(await read(options, `${log.prefix}/key`))?.trimEnd() ?? null
  if (ownKey !== log.vkey) return fail('log-key', { expected: log.vkey, found: ownKey })
  const seen = known.find((one) => one.origin === log.origin)
  const after = trusted === undefined && seen === undefined ? logs[logs.indexOf(log) - 1] : undefined
  return sourceOf(
    options,
    logs,
    log,
    key,
    after === undefined ? (seen?.note ?? null) : await readPrevious(options, log, after),
  )
}

/** Returns the note of the log `older` that is stored in the first entry of the next log, `after`. */
async function readPrevious(options: BookSourceOptions, older: BookLog, after: BookLog): Promise<string> {
  const next = await openBookSource({ ...options, origin: after.origin })
  const head = await next.head()
  for await (const { lines } of next.entries(head, 0, 1)) {
    const parsed = parseEntry(lines[0] ?? '')
    if (parsed.is !== 'entry' || parsed.entry.k !== 'restart') break
    const note = fromUtf8(fromBase64(parsed.entry.previous) ?? new Uint8Array()) ?? ''
    const [expected, found] = [older.origin, originOf(note)]
    return found === expected ? note : fail('restart-place', { index: 0, expected, found })
  }
  return fail('restart-place', { index: 0 })
}

/** Returns the origin of the log whose note the host shows for a round, unverified; undefined if it shows none. */
export async function originOfRound(
  options: Pick<BookSourceOptions, 'get'>,
  round: string,
): Promise<string | undefined> {
  const said = jsonOf((await find(options, receiptPath(round))) ?? new Uint8Array(), 'data')
  return isRecord(said) && typeof said['note'] === 'string' ? originOf(said['note']) : undefined
}

interface OpenSource extends Omit<BookSourceOptions, 'known'>, LogTiles {
  readonly log: BookLog
  readonly logs: readonly BookLog[]
  readonly key: VerifierKey
  known: BookHead | null
}

function sourceOf(
  options: BookSourceOptions,
  logs: readonly BookLog[],
  log: BookLog,
  key: VerifierKey,
  seen: string | null,
) {
  const inLog = (path: string) => find(options, `${log.prefix}/${path}`)
  const source: OpenSource = { ...options, log, logs, key, known: null, inLog, full: new Map(), edges: new WeakMap() }
  if (seen !== null) source.known = trustedHead(source, seen)
  return {
    log,
    logs,
    key,
    /**
     * Returns the newest note after checking it against the newest note verified so far. With the option `wait`, a note
     * of fewer than `atLeast` entries is fetched again for about a minute. After that, the note is used as it is.
     */
    head: (atLeast = 0) => readHead(source, atLeast),
    signedHead: (note: string) => signedHead(source, note),
    checkExtends: (head: BookHead, older: BookHead) => checkExtends(source, head, older),
    entries: (head: BookHead, from: number, to: number) => entries(source, head, from, to),
    leafHashAt: (head: BookHead, index: number) => hashAt(source, head, 0, index),
    receipt: (round: string) => receipt(source, round),
    /** Yields the settled lines of a closed round, unverified, by pages, until `count` are read or a page is empty. */
    settledLines: (round: string, count: number) => settledLines(source, round, count),
    evidence: (provider: string, second: number) =>
      find(source, `/api/v1/market/evidence/${encodeURIComponent(provider)}/${second}`),
    anchors: (before: number) => anchors(source, before),
  }
}

async function find({ get }: Pick<BookSourceOptions, 'get'>, path: string): Promise<Uint8Array | null> {
  const { status, bytes } = await get(path)
  if (status !== 200 && status !== 404) throw new BookHostError(path, status)
  return status === 404 ? null : bytes
}

async function read(options: Pick<BookSourceOptions, 'get'>, path: string): Promise<Uint8Array> {
  const bytes = await find(options, path)
  if (bytes === null) throw new BookHostError(path, 404)
  return bytes
}

function signedHead({ key, log, verifyEd25519 }: OpenSource, note: string): BookHead | NoteProblem {
  const verified = verifyNote(note, [key], verifyEd25519)
  if (typeof verified === 'string') return verified
  const checkpoint = parseCheckpoint(verified.text)
  if (checkpoint === null || checkpoint.origin !== log.origin || checkpoint.extensions.length > 0) return 'malformed'
  const { origin, size, root } = checkpoint
  return { origin, size, root, note }
}

function trustedHead(source: OpenSource, note: string): BookHead {
  const head = signedHead(source, note)
  return typeof head !== 'string' ? head : fail(head === 'malformed' ? 'note-form' : 'note-signature')
}

/** Returns the larger of a new note and the known note, after checking that the larger tree begins with the smaller. */
async function accept(source: OpenSource, next: BookHead): Promise<BookHead> {
  const last = source.known
  if (last !== null && last.size > next.size) {
    await checkExtends(source, last, next)
    return last
  }
  if (last?.note === next.note) {
    await edgeOf(source, last)
    return last
  }
  await edgeOf(source, next)
  if (last !== null) await checkExtends(source, next, last)
  if (source.known !== last) return accept(source, next)
  source.known = next
  return next
}

async function readHead(source: OpenSource, atLeast: number): Promise<BookHead> {
  for (let tries = 0; ; tries++) {
    const next = trustedHead(source, fromUtf8(await read(source, `${source.log.prefix}/checkpoint`)) ?? '')
    const { known, wait } = source
    const isLast = wait === undefined || tries >= STALE_TRIES
    const isStale = known !== null && next.size < known.size
    if (!isStale && (isLast || next.size >= atLeast)) return accept(source, next)
    if (isStale && (await isPrefix(source, known, next)) === false)
      fail('note-forked', { index: next.size, expected: toBase64(known.root), found: toBase64(next.root) })
    if (isStale && isLast) fail('note-stale', { expected: known.size, found: next.size })
    await wait?.(STALE_WAIT_MS)
  }
}

async function bundle(source: OpenSource, head: BookHead, n: number): Promise<readonly Uint8Array[]> {
  const first = n * TILE_WIDTH
  const width = Math.min(TILE_WIDTH, head.size - first)
  const bytes = await source.inLog(entriesPath(n, width))
  const entries = decodeBundle(bytes ?? new Uint8Array())
  if (entries === null || entries.length !== width)
    return fail('bundle-form', { index: first, expected: width, found: entries?.length ?? null })
  const hashes = entries.map((entry) => leafHash(source.sha256, entry))
  // For a full bundle, the tile above holds the root of its leaves. So the tile of the leaves is fetched only for a
  // partial bundle, or to find the wrong entry.
  if (width === TILE_WIDTH && equalBytes(rootOf(source.sha256, hashes), await hashAt(source, head, 1, n)))
    return entries
  const leaves = hashesIn(await tile(source, head, 0, n))
  const wrong = hashes.findIndex((hash, at) => !equalBytes(hash, leaves[at] ?? new Uint8Array()))
  if (wrong >= 0) requireSame('entry-hash', first + wrong, leaves[wrong] ?? new Uint8Array(), hashes[wrong] ?? null)
  return entries
}

async function* entries(source: OpenSource, head: BookHead, from: number, to: number): AsyncGenerator<SealedLines> {
  if (!(from >= 0 && from <= to && to <= head.size)) throw new RangeError(`no entries ${from} to ${to}`)
  const end = Math.ceil(to / TILE_WIDTH)
  let next = Math.floor(from / TILE_WIDTH)
  const ahead: Promise<readonly Uint8Array[]>[] = []
  for (let n = next; n < end && from < to; n++) {
    while (next < end && ahead.length < READ_AHEAD) {
      const asked = bundle(source, head, next++)
      // If the caller stops early, nobody awaits the bundles read ahead. Their rejection must not count as unhandled.
      asked.catch(() => undefined)
      ahead.push(asked)
    }
    const all = (await ahead.shift()) ?? []
    const first = Math.max(from, n * TILE_WIDTH)
    const lines = all.slice(first - n * TILE_WIDTH, to - n * TILE_WIDTH).map(lineOf)
    yield { first, lines }
  }
}

const receiptPath = (round: string): string => `/api/v1/rounds/${encodeURIComponent(round)}/receipt`

async function receipt(source: OpenSource, round: string) {
  const bytes = await find(source, receiptPath(round))
  if (bytes === null) return null
  const said = jsonOf(bytes, 'data')
  if (!isRecord(said) || typeof said['note'] !== 'string') return fail('receipt-form', { round })
  // The receipt's note may be older than the known note. The larger of the two covers the entries of the receipt.
  const shown = trustedHead(source, said['note'])
  const newest = await accept(source, shown)
  const part = async (name: string) => {
    const place = said[name]
    if (place === null) return null
    if (!isRecord(place) || !isIndex(place['index']) || typeof place['entry'] !== 'string')
      return fail('receipt-form', { round })
    const [index, entry] = [place['index'], place['entry']]
    const isThere =
      index < newest.size && equalBytes(leafHash(source.sha256, toUtf8(entry)), await hashAt(source, newest, 0, index))
    return isThere ? { index, entry } : fail('receipt-entry', { round, index })
  }
  return {
    head: newest,
    round: await part('round'),
    result: await part('result'),
    closed: await part('closed'),
    announce: await part('announce'),
  }
}

async function* settledLines(source: OpenSource, round: string, count: number) {
  let seen = 0
  for (let page = 1; seen < count; page++) {
    const bytes = await find(source, `${receiptPath(round)}/bets?page=${page}`)
    if (bytes === null) return fail('receipt-missing', { round, expected: count, found: seen })
    const lines = jsonOf(bytes, 'data')
    if (!Array.isArray(lines) || !lines.every((line) => typeof line === 'string'))
      return fail('receipt-form', { round })
    if (lines.length === 0) return
    seen += lines.length
    yield lines
  }
}

/** Returns where `rules`, `seed` and `seed-open` entries are, as the host claims: the caller checks the entries. */
async function anchors(source: OpenSource, before: number) {
  const { origin } = source.log
  const of = origin === source.logs[0]?.origin ? '' : `&origin=${encodeURIComponent(origin)}`
  const path = `/api/v1/book/anchors?before=${before}${of}`
  const data = jsonOf(await read(source, path), 'data')
  const { rules, seeds } = isRecord(data) ? data : {}
  const isSeed = (seed: unknown): seed is { day: number; index: number } =>
    isRecord(seed) && isIndex(seed['day']) && isIndex(seed['index'])
  if (!(rules === null || isIndex(rules)) || !Array.isArray(seeds) || !seeds.every(isSeed))
    throw new BookHostError(path, 200)
  return { rules, seeds }
}

/** Turns each byte into one character. A line with a byte beyond ASCII is never read as an entry of a known kind. */
const lineOf = (bytes: Uint8Array): string => fromAscii(bytes) ?? Array.from(bytes, toCharacter).join('')
const toCharacter = (byte: number): string => String.fromCharCode(byte)

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function jsonOf(bytes: Uint8Array, field: string | null): unknown {
  const value = parseJson(fromUtf8(bytes) ?? '')
  return (field === null ? value : isRecord(value) ? value[field] : null) ?? null
}

function readLogs(bytes: Uint8Array): BookLog[] {
  const list = jsonOf(bytes, null)
  return (Array.isArray(list) ? list : []).filter(
    (log): log is BookLog =>
      isRecord(log) &&
      typeof log['origin'] === 'string' &&
      typeof log['vkey'] === 'string' &&
      typeof log['prefix'] === 'string' &&
      /^\/log(\/[1-9]\d{0,8})?$/.test(log['prefix']),
  )
}
