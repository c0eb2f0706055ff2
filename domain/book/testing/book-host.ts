import { encodeBundle } from '../bundle.ts'
import type { BookAnswer } from '../book-source.ts'
import { formatCheckpoint } from '../checkpoint.ts'
import { fromBase64, type Sha256, toHex, toUtf8 } from '../bytes.ts'
import { HASH_BYTES, leafHash, rootAndPaths, rootOf } from '../merkle.ts'
import { parseEntry } from '../parse-entry.ts'
import { ED25519, formatNote, formatVkey, verifierKey } from '../note.ts'
import { type HashReader, parseEntriesPath, parseTilePath, rootOfTiles, TILE_WIDTH } from '../tiles.ts'
import { evidenceOf, type Published } from './book-world.ts'

/* A host for tests that serves a log from memory, as docs/open-book.md §1 and §4 say. */

export interface BookSigningKey {
  readonly publicKey: Uint8Array
  /** Returns an Ed25519 signature of 64 bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array
}

export interface BookHostOptions {
  readonly sha256: Sha256
  readonly key: BookSigningKey
  readonly origin: string
}

export interface BookHost {
  readonly origin: string
  readonly vkey: string
  readonly get: (path: string) => BookAnswer
  /** Returns the signed note of the log's first `size` entries. */
  readonly noteOf: (size: number) => string
}

const PAGE = 1_000
const ROUND_OF = /^\/api\/v1\/rounds\/([^/]+)\/receipt(?:\/bets\?page=([0-9]+))?$/

export function serveBook({ sha256, key, origin }: BookHostOptions, { lines, settled }: Published): BookHost {
  const entries = lines.map(toUtf8)
  const levels: Uint8Array[][] = [entries.map((entry) => leafHash(sha256, entry))]
  for (let below = levels[0] ?? []; below.length >= TILE_WIDTH; below = levels.at(-1) ?? [])
    levels.push(
      Array.from({ length: Math.floor(below.length / TILE_WIDTH) }, (_, at) =>
        rootOf(sha256, below.slice(at * TILE_WIDTH, (at + 1) * TILE_WIDTH)),
      ),
    )
  const read: HashReader = (level, index) => levels[level]?.[index] ?? new Uint8Array(HASH_BYTES)
  const logKey = verifierKey(sha256, origin, ED25519, key.publicKey)
  const vkey = formatVkey(logKey)
  const noteOf = (size: number): string => {
    const text = formatCheckpoint({ origin, size, root: rootOfTiles(sha256, read, size) })
    return formatNote({ text, signatures: [{ ...logKey, signature: key.sign(toUtf8(text)) }] })
  }
  let newest: string | null = null
  const newestNote = () => (newest ??= noteOf(entries.length))

  const places = new Map<string, Partial<Record<string, number>>>()
  const notable: { readonly index: number; readonly kind: string; readonly day: number }[] = []
  for (const [index, line] of lines.entries()) {
    const [, kind = '', round] = /^\{"k":"([a-z-]+)","v":1,"at":\d+,"(?:round|day)":"?([^",]*)/.exec(line) ?? []
    if (/^(round|result|closed|announce)$/.test(kind)) {
      const known = places.get(round ?? '') ?? {}
      known[kind] ??= index
      places.set(round ?? '', known)
    }
    if (kind.startsWith('seed')) notable.push({ index, kind, day: Number(round) })
    if (line.startsWith('{"k":"rules"')) notable.push({ index, kind: 'rules', day: -1 })
  }

  function anchors(before: number): unknown {
    const [, at] = /"at":(\d+)/.exec(lines[Math.min(before, lines.length - 1)] ?? '') ?? []
    const today = Math.floor(Number(at) / 86_400_000)
    return {
      rules: notable.findLast(({ kind, index }) => kind === 'rules' && index < before)?.index ?? null,
      seeds: notable
        .filter(({ kind, day }) => kind !== 'rules' && Math.abs(day - today) <= 1)
        .map(({ index, day }) => ({ index, day })),
    }
  }

  function find(path: string): string | Uint8Array | null {
    if (path === '/log/logs') return JSON.stringify([{ origin, prefix: '/log', vkey }])
    if (path === '/log/key') return `${vkey}\n`
    if (path === '/log/checkpoint') return newestNote()
    const bundle = parseEntriesPath(path.slice('/log/'.length))
    if (bundle !== null) return encodeBundle(entries.slice(bundle.n * TILE_WIDTH, bundle.n * TILE_WIDTH + bundle.width))
    const tile = parseTilePath(path.slice('/log/'.length))
    if (tile !== null) {
      const hashes = (levels[tile.level] ?? []).slice(tile.n * TILE_WIDTH, tile.n * TILE_WIDTH + tile.width)
      return Uint8Array.from(hashes.flatMap((hash) => [...hash]))
    }
    if (path.startsWith('/api/v1/market/seeds?page=1&')) return JSON.stringify(seedsPage(lines))
    if (path === '/api/v1/book/status') {
      const beat = /"at":(\d+)/.exec(lines.at(-1) ?? '')?.[1]
      const noteAt = new Date(Number(beat)).toISOString()
      return JSON.stringify({ data: { origin, prefix: '/log', vkey, size: lines.length, noteAt } })
    }
    const [, second] = /^\/api\/v1\/market\/evidence\/[^/]+\/(\d+)$/.exec(path) ?? []
    if (second !== undefined) return evidenceOf(Number(second))
    const [, hint] = /^\/api\/v1\/book\/anchors\?before=(\d+)$/.exec(path) ?? []
    if (hint !== undefined) return JSON.stringify({ data: anchors(Number(hint)) })
    const [, round, page] = ROUND_OF.exec(path) ?? []
    const place = places.get(round ?? '')
    if (round === undefined || place === undefined) return null
    if (page === undefined) {
      const part = (kind: string) => {
        const index = place[kind]
        return index === undefined ? null : { index, entry: lines[index] }
      }
      const parts = { round: part('round'), result: part('result'), closed: part('closed'), announce: part('announce') }
      return JSON.stringify({ data: { ...parts, note: newestNote() } })
    }
    const texts = settled.get(round)
    return texts === undefined
      ? null
      : JSON.stringify({ data: texts.slice((Number(page) - 1) * PAGE, Number(page) * PAGE) })
  }

  return {
    origin,
    vkey,
    noteOf,
    get(path) {
      const found = find(path)
      if (found === null) return { status: 404, bytes: new Uint8Array() }
      return { status: 200, bytes: typeof found === 'string' ? toUtf8(found) : found }
    },
  }
}

export const pathOf = (sha256: Sha256, leafHashes: readonly Uint8Array[], index: number): Uint8Array[] =>
  rootAndPaths(sha256, leafHashes, (hash) => hash).paths[index] ?? []

/** Serves two logs from one host. A restart ended the older log. */
export function serveBoth(newer: BookHost, older: BookHost): Pick<BookHost, 'get'> {
  const ofOlder = `&origin=${encodeURIComponent(older.origin)}`
  return {
    get(path) {
      if (path === '/log/logs') {
        const logs = [
          { origin: newer.origin, prefix: '/log/2', vkey: newer.vkey },
          { origin: older.origin, prefix: '/log', vkey: older.vkey },
        ]
        return { status: 200, bytes: toUtf8(JSON.stringify(logs)) }
      }
      if (path.startsWith('/log/2/')) return newer.get(path.replace('/log/2/', '/log/'))
      if (path.startsWith('/log/') || path.endsWith(ofOlder)) return older.get(path.replace(ofOlder, ''))
      const answer = newer.get(path)
      return ROUND_OF.test(path) && answer.status === 404 ? older.get(path) : answer
    },
  }
}

/** Returns the answer of GET /api/v1/market/seeds that follows from the log. */
function seedsPage(lines: readonly string[]): unknown {
  const days = new Map<number, Record<string, unknown>>()
  for (const line of lines) {
    const parsed = line.startsWith('{"k":"seed') ? parseEntry(line) : null
    if (parsed?.is !== 'entry' || (parsed.entry.k !== 'seed' && parsed.entry.k !== 'seed-open')) continue
    const { entry } = parsed
    const hex = (text: string) => toHex(fromBase64(text) ?? new Uint8Array())
    const known = days.get(entry.day) ?? {
      day: new Date(entry.day * 86_400_000).toISOString().slice(0, 10),
      ...{ seed: null, startPrice: null },
    }
    days.set(
      entry.day,
      entry.k === 'seed'
        ? { ...known, commitment: hex(entry.commitment) }
        : { ...known, seed: hex(entry.seed), startPrice: entry.startPrice / 1_000 },
    )
  }
  return { data: [...days.values()], meta: { hasMore: false } }
}
