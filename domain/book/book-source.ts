import { equalBytes, fromAscii, fromUtf8, type Sha256, toBase64, toUtf8 } from './bytes.ts'
import { decodeBundle } from './bundle.ts'
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts'
import type { Fault, FaultKind } from './faults.ts'
import { HASH_BYTES, leafHash, rootOf } from './merkle.ts'
import { ED25519, type NoteProblem, parseVkey, type VerifierKey, type VerifyEd25519, verifyNote } from './note.ts'
import {
  edgeTiles,
  entriesPath,
  type HashReader,
  hashesAt,
  rootOfTiles,
  TILE_WIDTH,
  tilePath,
  tilesRead,
} from './tiles.ts'

/*
 * A log that somebody else serves, read without trusting them: everything that is answered here is what the log's key
 * signed, or hashes to it (docs/open-book.md §1, c2sp.org/tlog-tiles). Browser and command line read by this one.
 */

export interface BookAnswer {
  readonly status: number
  readonly bytes: Uint8Array
}

export interface BookSourceOptions {
  /** GET of a path below the host, such as `/log/checkpoint`; rejects when no answer comes. */
  readonly get: (path: string) => Promise<BookAnswer>
  readonly sha256: Sha256
  readonly verifyEd25519: VerifyEd25519
  /** The log's key where the reader knows it; without one, the newest log and the key that the host names are taken. */
  readonly vkey?: string
  /** The last note of this log that the reader saw: whatever comes later has to extend it. */
  readonly lastNote?: string
  /** Waits that many ms before a smaller note is asked for again; without it, one is a fault at once. */
  readonly wait?: (ms: number) => Promise<void>
}

/** One log of an installation as the host names it. */
export interface BookLog {
  readonly origin: string
  /** Path of its files: `/log`, `/log/2`. */
  readonly prefix: string
  readonly vkey: string
}

/** A head of the log: signed, and its root computed from the tiles. */
export interface BookHead extends Checkpoint {
  /** The signed note, verbatim. */
  readonly note: string
}

/** Entries that stand in the signed tree. */
export interface SealedLines {
  /** Index of the first of them. */
  readonly first: number
  /** The bytes of each entry as characters U+0000 to U+00FF. */
  readonly lines: readonly string[]
}

/** An entry as a receipt names it, compared with the log. */
export interface SealedEntry {
  readonly index: number
  readonly entry: string
}

/** The entries of a round, each of which stands in the log at its index (docs/open-book.md §4). */
export interface SealedReceipt {
  /** A head that has all of these entries. */
  readonly head: BookHead
  readonly round: SealedEntry | null
  readonly result: SealedEntry | null
  readonly closed: SealedEntry | null
  readonly announce: SealedEntry | null
}

/** Places of the rules and seeds that a round stands on, as the host says; what stands there has to be looked at. */
export interface BookAnchors {
  readonly rules: number | null
  /** `day`: days since 1970-01-01. */
  readonly seeds: readonly { readonly day: number; readonly index: number }[]
}

/** What was read is wrong; thrown by everything that reads. */
export class BookFaultError extends Error {
  override readonly name = 'BookFaultError'
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.kind)
    this.fault = fault
  }
}

/** The host answered something that is no part of a log: nothing is said about the log itself. */
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

export interface BookSource {
  readonly log: BookLog
  /** All logs of the host, the newest first. */
  readonly logs: readonly BookLog[]
  readonly key: VerifierKey
  /** The newest note, which extends every one that was seen before. */
  head(): Promise<BookHead>
  /** The head that a note of this log signs; null when its key signed no such note. Nothing is fetched. */
  signedHead(note: string): BookHead | NoteProblem
  /** Throws `note-forked` unless the head begins with all that the older note signed. */
  checkExtends(head: BookHead, older: BookHead): Promise<void>
  /** Entries from one index to before another, in order, a bundle at a time. */
  entries(head: BookHead, from: number, to: number): AsyncGenerator<SealedLines, void, undefined>
  /** Hash of the leaf at an index. */
  leafHashAt(head: BookHead, index: number): Promise<Uint8Array>
  /** The entries that the host shows for a round; null for a round that it says is not in the log. */
  receipt(round: string): Promise<SealedReceipt | null>
  /** The lines of a closed round as they were hashed, a page at a time, until there are so many; what they say is not looked at. */
  settledLines(round: string, count: number): AsyncGenerator<readonly string[], void, undefined>
  /** The bytes that a provider signed for a second; null when there are none. */
  evidence(source: string, second: number): Promise<Uint8Array | null>
  anchors(before: number): Promise<BookAnchors>
}

/** Bundles that are asked for at once. */
const READ_AHEAD = 6
/** Tiles that are kept: 8 KiB each. */
const MOST_TILES = 512
/** A smaller note may come from a cache: it is asked for again for a minute. */
const STALE_TRIES = 30
const STALE_WAIT_MS = 2_000

const fail = (kind: FaultKind, about: Partial<Omit<Fault, 'kind'>> = {}): never => {
  throw new BookFaultError({ kind, index: null, round: null, ...about })
}

/** Asks for the logs of the host and takes the one with the given key, or the newest. */
export async function openBookSource(options: BookSourceOptions): Promise<BookSource> {
  const { get, sha256, vkey: trusted } = options
  const read = (path: string) => readFrom(get, path)
  const logs = readLogs(await read('/log/logs'))
  const log = trusted === undefined ? logs[0] : logs.find(({ vkey }) => vkey === trusted)
  const key = parseVkey(sha256, log?.vkey ?? '')
  if (log === undefined || key === null || key.type !== ED25519 || key.name !== log.origin)
    return fail('log-key', { expected: trusted ?? null, found: logs[0]?.vkey ?? null })
  const ownKey = fromAscii(await read(`${log.prefix}/key`))?.trimEnd() ?? null
  if (ownKey !== log.vkey) return fail('log-key', { expected: log.vkey, found: ownKey })
  return sourceOf(options, logs, log, key)
}

async function readFrom(get: BookSourceOptions['get'], path: string): Promise<Uint8Array> {
  const { status, bytes } = await get(path)
  if (status !== 200) throw new BookHostError(path, status)
  return bytes
}

function sourceOf(options: BookSourceOptions, logs: readonly BookLog[], log: BookLog, key: VerifierKey): BookSource {
  const { get, sha256, verifyEd25519 } = options
  const read = (path: string) => readFrom(get, path)
  /** Null where there is nothing. */
  const find = async (path: string): Promise<Uint8Array | null> => {
    const { status, bytes } = await get(path)
    if (status !== 200 && status !== 404) throw new BookHostError(path, status)
    return status === 404 ? null : bytes
  }

  function signedHead(note: string): BookHead | NoteProblem {
    const verified = verifyNote(note, [key], verifyEd25519)
    if (typeof verified === 'string') return verified
    const checkpoint = parseCheckpoint(verified.text)
    if (checkpoint === null || checkpoint.origin !== log.origin || checkpoint.extensions.length > 0) return 'malformed'
    const { origin, size, root } = checkpoint
    return { origin, size, root, note }
  }

  function trustedHead(note: string): BookHead {
    const head = signedHead(note)
    return typeof head !== 'string' ? head : fail(head === 'malformed' ? 'note-form' : 'note-signature')
  }

  let known: BookHead | null = options.lastNote === undefined ? null : trustedHead(options.lastNote)

  /** Full tiles, which are the same for every head that extends the last; each was compared with the tile above. */
  const fullTiles = new Map<string, Promise<Uint8Array>>()
  /** The partial tiles of a head, from which its root follows. */
  const edges = new WeakMap<BookHead, Promise<ReadonlyMap<number, Uint8Array>>>()

  async function fetchTile(level: number, n: number, width: number): Promise<Uint8Array> {
    const bytes = await find(`${log.prefix}/${tilePath(level, n, width)}`)
    if (bytes?.length === width * HASH_BYTES) return bytes
    return fail('tile-hash', {
      index: n * TILE_WIDTH ** (level + 1),
      expected: width * HASH_BYTES,
      found: bytes?.length ?? null,
    })
  }

  async function fetchEdge(head: BookHead): Promise<ReadonlyMap<number, Uint8Array>> {
    const tiles = new Map<number, Uint8Array>()
    await Promise.all(
      edgeTiles(head.size).map(async ({ level, n, width }) => tiles.set(level, await fetchTile(level, n, width))),
    )
    const root = rootOfTiles(
      sha256,
      (level, index) => hashIn(tiles.get(level) ?? new Uint8Array(), index % TILE_WIDTH),
      head.size,
    )
    if (!equalBytes(root, head.root)) fail('tile-hash', { expected: toBase64(head.root), found: toBase64(root) })
    return tiles
  }

  const edgeOf = (head: BookHead) => {
    const edge = edges.get(head) ?? fetchEdge(head)
    edges.set(head, edge)
    edge.catch(() => edges.delete(head))
    return edge
  }

  /** A tile of the head's tree, proven by the tile above it or, at the right edge, by the root. */
  async function tile(head: BookHead, level: number, n: number): Promise<Uint8Array> {
    const edge = await edgeOf(head)
    if ((n + 1) * TILE_WIDTH > hashesAt(level, head.size)) return edge.get(level) ?? fail('tile-hash')
    const name = `${level}/${n}`
    const kept = fullTiles.get(name)
    if (kept !== undefined) return kept
    const fetched = fetchFullTile(head, level, n)
    fullTiles.set(name, fetched)
    if (fullTiles.size > MOST_TILES) fullTiles.delete(fullTiles.keys().next().value ?? '')
    fetched.catch(() => fullTiles.delete(name))
    return fetched
  }

  async function fetchFullTile(head: BookHead, level: number, n: number): Promise<Uint8Array> {
    const [bytes, expected] = await Promise.all([fetchTile(level, n, TILE_WIDTH), hashAt(head, level + 1, n)])
    const found = rootOf(sha256, hashesIn(bytes))
    if (equalBytes(found, expected)) return bytes
    return fail('tile-hash', {
      index: n * TILE_WIDTH ** (level + 1),
      expected: toBase64(expected),
      found: toBase64(found),
    })
  }

  const hashAt = async (head: BookHead, level: number, index: number): Promise<Uint8Array> =>
    hashIn(await tile(head, level, Math.floor(index / TILE_WIDTH)), index % TILE_WIDTH)

  /** Root of the first entries of a head's tree. */
  async function rootAt(head: BookHead, size: number): Promise<Uint8Array> {
    const compute = (hash: Sha256, reader: HashReader) => rootOfTiles(hash, reader, size)
    const tiles = new Map<string, Uint8Array>()
    await Promise.all(
      tilesRead(head.size, compute).map(async ({ level, n }) => tiles.set(`${level}/${n}`, await tile(head, level, n))),
    )
    return compute(sha256, (level, index) => {
      const bytes = tiles.get(`${level}/${Math.floor(index / TILE_WIDTH)}`) ?? new Uint8Array()
      return hashIn(bytes, index % TILE_WIDTH)
    })
  }

  async function checkExtends(head: BookHead, older: BookHead): Promise<void> {
    const found = older.size > head.size ? null : await rootAt(head, older.size)
    if (found === null || !equalBytes(found, older.root))
      fail('note-forked', {
        index: older.size,
        expected: toBase64(older.root),
        found: found === null ? null : toBase64(found),
      })
  }

  /** Whether the known tree begins with a smaller one; null when the host does not have the known one's tiles. */
  async function isPrefix(newest: BookHead, smaller: BookHead): Promise<boolean | null> {
    try {
      return equalBytes(await rootAt(newest, smaller.size), smaller.root)
    } catch (error) {
      if (error instanceof BookFaultError) return null
      throw error
    }
  }

  /** Takes a further note: the larger of it and the known one, which begins with all of the other. */
  async function accept(next: BookHead): Promise<BookHead> {
    const last = known
    if (last !== null && last.size > next.size) {
      await checkExtends(last, next)
      return last
    }
    if (last?.note === next.note) {
      await edgeOf(last)
      return last
    }
    await edgeOf(next)
    if (last !== null) await checkExtends(next, last)
    // Another call may have got further meanwhile.
    if (known !== last) return accept(next)
    known = next
    return next
  }

  async function head(): Promise<BookHead> {
    for (let tries = 0; ; tries++) {
      const next = trustedHead(fromUtf8(await read(`${log.prefix}/checkpoint`)) ?? '')
      if (known === null || next.size >= known.size) return accept(next)
      if ((await isPrefix(known, next)) === false)
        fail('note-forked', { index: next.size, expected: toBase64(known.root), found: toBase64(next.root) })
      if (options.wait === undefined || tries >= STALE_TRIES)
        fail('note-stale', { expected: known.size, found: next.size })
      await options.wait?.(STALE_WAIT_MS)
    }
  }

  /** The entries of a bundle, each compared with its hash in the tree. */
  async function bundle(head: BookHead, n: number): Promise<readonly Uint8Array[]> {
    const first = n * TILE_WIDTH
    const width = Math.min(TILE_WIDTH, head.size - first)
    const bytes = await find(`${log.prefix}/${entriesPath(n, width)}`)
    const entries = decodeBundle(bytes ?? new Uint8Array())
    if (entries === null || entries.length !== width)
      return fail('bundle-form', { index: first, expected: width, found: entries?.length ?? null })
    const hashes = entries.map((entry) => leafHash(sha256, entry))
    // The hash of a full bundle stands in the tile above: the tile of its leaves is needed to name what is wrong alone.
    if (width === TILE_WIDTH && equalBytes(rootOf(sha256, hashes), await hashAt(head, 1, n))) return entries
    const leaves = hashesIn(await tile(head, 0, n))
    const wrong = hashes.findIndex((hash, at) => !equalBytes(hash, leaves[at] ?? new Uint8Array()))
    if (wrong < 0) return entries
    return fail('entry-hash', {
      index: first + wrong,
      expected: toBase64(leaves[wrong] ?? new Uint8Array()),
      found: toBase64(hashes[wrong] ?? new Uint8Array()),
    })
  }

  async function* entries(head: BookHead, from: number, to: number): AsyncGenerator<SealedLines, void, undefined> {
    if (!(from >= 0 && from <= to && to <= head.size)) throw new RangeError(`no entries ${from} to ${to}`)
    const end = Math.ceil(to / TILE_WIDTH)
    let next = Math.floor(from / TILE_WIDTH)
    const ahead: Promise<readonly Uint8Array[]>[] = []
    for (let n = next; n < end && from < to; n++) {
      while (next < end && ahead.length < READ_AHEAD) {
        const asked = bundle(head, next++)
        // When the reader stops early, nobody waits for these any more.
        asked.catch(() => undefined)
        ahead.push(asked)
      }
      const all = (await ahead.shift()) ?? []
      const first = Math.max(from, n * TILE_WIDTH)
      const lines = all.slice(first - n * TILE_WIDTH, to - n * TILE_WIDTH).map(lineOf)
      yield { first, lines }
    }
  }

  async function receipt(round: string): Promise<SealedReceipt | null> {
    const bytes = await find(`/api/v1/rounds/${encodeURIComponent(round)}/receipt`)
    if (bytes === null) return null
    const said = jsonOf(bytes, 'data')
    if (!isRecord(said) || typeof said['note'] !== 'string') return fail('receipt-form', { round })
    // A receipt may come from a cache, or be newer than the last note: the larger one holds all of its entries.
    const shown = trustedHead(said['note'])
    const newest = await accept(shown)
    const part = async (name: string): Promise<SealedEntry | null> => {
      const place = said[name]
      if (place === null) return null
      if (!isRecord(place) || !isIndex(place['index']) || typeof place['entry'] !== 'string')
        return fail('receipt-form', { round })
      const [index, entry] = [place['index'], place['entry']]
      const isThere = index < newest.size && equalBytes(leafHash(sha256, toUtf8(entry)), await hashAt(newest, 0, index))
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

  async function* settledLines(round: string, count: number): AsyncGenerator<readonly string[], void, undefined> {
    let seen = 0
    for (let page = 1; seen < count; page++) {
      const bytes = await find(`/api/v1/rounds/${encodeURIComponent(round)}/receipt/bets?page=${page}`)
      if (bytes === null) return fail('receipt-missing', { round, expected: count, found: seen })
      const lines = jsonOf(bytes, 'data')
      if (!Array.isArray(lines) || !lines.every((line) => typeof line === 'string'))
        return fail('receipt-form', { round })
      if (lines.length === 0) return
      seen += lines.length
      yield lines
    }
  }

  async function anchors(before: number): Promise<BookAnchors> {
    const path = `/api/v1/book/anchors?before=${before}`
    const data = jsonOf(await read(path), 'data')
    const { rules, seeds } = isRecord(data) ? data : {}
    const isSeed = (seed: unknown): seed is { day: number; index: number } =>
      isRecord(seed) && isIndex(seed['day']) && isIndex(seed['index'])
    if (!(rules === null || isIndex(rules)) || !Array.isArray(seeds) || !seeds.every(isSeed))
      throw new BookHostError(path, 200)
    return { rules, seeds }
  }

  return {
    log,
    logs,
    key,
    head,
    signedHead,
    checkExtends,
    entries,
    leafHashAt: (head, index) => hashAt(head, 0, index),
    receipt,
    settledLines,
    evidence: (source, second) => find(`/api/v1/market/evidence/${encodeURIComponent(source)}/${second}`),
    anchors,
  }
}

const hashIn = (tile: Uint8Array, at: number): Uint8Array => tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)

const hashesIn = (tile: Uint8Array): Uint8Array[] =>
  Array.from({ length: tile.length / HASH_BYTES }, (_, at) => hashIn(tile, at))

/** Every byte as one character: what is no ASCII is for the reader of entries to refuse. */
const lineOf = (bytes: Uint8Array): string => fromAscii(bytes) ?? Array.from(bytes, toCharacter).join('')
const toCharacter = (byte: number): string => String.fromCharCode(byte)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** A field of a JSON object, or the whole value; null when it is not JSON. */
function jsonOf(bytes: Uint8Array, field: string | null): unknown {
  try {
    const value: unknown = JSON.parse(fromUtf8(bytes) ?? '')
    return field === null ? value : isRecord(value) ? (value[field] ?? null) : null
  } catch {
    return null
  }
}

/** The logs as the host names them; none when it names none. */
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
