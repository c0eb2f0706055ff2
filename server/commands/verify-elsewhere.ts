import { type BookAnswer, type BookHead, BookHostError, type BookSource } from '#domain/book/book-source.ts'
import { fromBase64, fromUtf8, toHex } from '#domain/book/bytes.ts'
import type { Fault, FaultKind } from '#domain/book/faults.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { DAY_MS } from '#domain/book/seed-path.ts'
import { parseJson } from '#domain/json.ts'

/* Compares the host's other pages about the log with the log itself (docs/open-book.md §5). */

interface KnownSeed {
  index: number
  commitment: string | null
  seed: string | null
  startPrice: number | null
}

type Json = Readonly<Record<string, unknown>>

type Get = (path: string) => Promise<BookAnswer>

/** Returns a source that notes the seeds read from it, and a function that compares the host's pages with the log. */
export function watchElsewhere(of: BookSource, get: Get) {
  const seeds = new Map<string, KnownSeed>()
  const source: BookSource = {
    ...of,
    async *entries(head, from, to) {
      for await (const part of of.entries(head, from, to)) {
        part.lines.forEach((line, at) => noteSeed(seeds, part.first + at, line))
        yield part
      }
    },
  }
  return {
    source,
    compare: async (head: BookHead): Promise<Fault[]> => [
      ...(await compareSeeds(get, seeds)),
      ...(await compareStatus(get, of, head)),
      ...(await compareWitnessed(get, of, head)),
    ],
  }
}

function noteSeed(seeds: Map<string, KnownSeed>, index: number, line: string): void {
  const parsed = line.startsWith('{"k":"seed') ? parseEntry(line) : null
  if (parsed?.is !== 'entry' || (parsed.entry.k !== 'seed' && parsed.entry.k !== 'seed-open')) return
  const { entry } = parsed
  const day = new Date(entry.day * DAY_MS).toISOString().slice(0, 10)
  const known = seeds.get(day) ?? { index, commitment: null, seed: null, startPrice: null }
  seeds.set(day, known)
  if (entry.k === 'seed') known.commitment = hexOf(entry.commitment)
  else Object.assign(known, { seed: hexOf(entry.seed), startPrice: entry.startPrice })
}

const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null

async function read(get: Get, path: string): Promise<{ readonly data: Json; readonly meta?: unknown }> {
  const { status, bytes } = await get(path)
  const json = status === 200 ? parseJson(fromUtf8(bytes) ?? '') : undefined
  if (!isObject(json) || !isObject(json['data'])) throw new BookHostError(path, status)
  return { data: json['data'], meta: json['meta'] }
}

/** At most this many pages of 100 days are read, so that a host that always has more cannot keep a check running. */
const MOST_PAGES = 100

async function compareSeeds(get: Get, seeds: ReadonlyMap<string, KnownSeed>): Promise<Fault[]> {
  const shown = new Map<string, Json>()
  let [isMore, page] = [seeds.size > 0, 0]
  while (isMore) {
    const { data, meta } = await read(get, `/api/v1/market/seeds?page=${++page}&limit=100`)
    for (const day of Object.values(data))
      if (isObject(day) && typeof day['day'] === 'string') shown.set(day['day'], day)
    isMore = isObject(meta) && meta['hasMore'] === true && page < MOST_PAGES
  }
  return [...seeds].flatMap(([day, { index, commitment, seed, startPrice }]) => {
    const its = shown.get(day)
    // The seeds page may show a seed minutes before the log opens it, so only seeds opened in the log are compared.
    return [
      ...(commitment === null ? [] : differ('seeds-page', index, commitment, its?.['commitment'] ?? null)),
      ...(seed === null ? [] : differ('seeds-page', index, seed, its?.['seed'] ?? null)),
      ...(startPrice === null ? [] : differ('seeds-page', index, startPrice, thousandths(its?.['startPrice']))),
    ]
  })
}

async function compareStatus(get: Get, of: BookSource, checked: BookHead): Promise<Fault[]> {
  const { data } = await read(get, '/api/v1/book/status')
  const { size: saidSize, noteAt, ...said } = data
  const [newest] = of.logs
  const faults = (['origin', 'prefix', 'vkey'] as const).flatMap((name) =>
    differ('status-page', null, newest?.[name] ?? null, said[name]),
  )
  // The status page describes only the newest log, so its size and time are not compared with an older log.
  if (faults.length > 0 || of.log.origin !== newest?.origin) return faults
  const size = typeof saidSize === 'number' ? saidSize : 0
  const head = size > checked.size ? await of.head(size) : checked
  if (!(Number.isSafeInteger(size) && size > 0 && size <= head.size))
    return differ('status-page', null, head.size, saidSize)
  const last = size - 1
  for await (const { lines } of of.entries(head, last, last + 1)) {
    const parsed = parseEntry(lines[0] ?? '')
    const at = parsed.is === 'entry' && parsed.entry.k === 'beat' ? new Date(parsed.entry.at).toISOString() : null
    faults.push(...differ('status-page', last, at, noteAt))
  }
  return faults
}

async function compareWitnessed(get: Get, of: BookSource, head: BookHead): Promise<Fault[]> {
  const path = `${of.log.prefix}/checkpoint-witnessed`
  const { status, bytes } = await get(path)
  if (status === 404) return []
  if (status !== 200) throw new BookHostError(path, status)
  const witnessed = of.signedHead(fromUtf8(bytes) ?? '')
  if (typeof witnessed === 'string')
    return [{ kind: witnessed === 'malformed' ? 'note-form' : 'note-signature', index: null, round: null }]
  const newest = witnessed.size > head.size ? await of.head(witnessed.size) : head
  if (newest.size < witnessed.size)
    return [{ kind: 'note-stale', index: null, round: null, expected: witnessed.size, found: newest.size }]
  await of.checkExtends(newest, witnessed)
  return []
}

const hexOf = (base64: string): string => toHex(fromBase64(base64) ?? new Uint8Array())

const thousandths = (dollars: unknown): number | null =>
  typeof dollars === 'number' ? Math.round(dollars * 1_000) : null

function differ(kind: FaultKind, index: number | null, expected: string | number | null, found: unknown): Fault[] {
  const told = typeof found === 'string' || typeof found === 'number' ? found : null
  return expected === told ? [] : [{ kind, index, round: null, expected, found: told }]
}
