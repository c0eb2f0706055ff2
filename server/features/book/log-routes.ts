import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fromHex } from '#domain/book/bytes.ts'
import { hashesAt, parseEntriesPath, parseTilePath, TILE_WIDTH } from '#domain/book/tiles.ts'
import { encodingFor } from '#server/platform/http/compress.ts'
import type { Database } from '#server/platform/database/db.ts'
import { inTime } from '#server/platform/http/http.ts'
import type { OpenBook } from './open-book.ts'
import { readBundle, readTile } from './stored-tiles.ts'

interface LogAnswer {
  readonly type: string
  readonly body: string | Uint8Array
  readonly cache: string
}

interface StoredLog {
  readonly generation: number
  readonly origin: string
  readonly vkey: string
  readonly size: number
  readonly note: string | null
  readonly witnessedNote: string | null
  readonly isEnded: boolean
}

const TEXT = 'text/plain; charset=utf-8'
const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_A_SECOND = 'public, max-age=1'
const KEY_LASTS = 'public, max-age=300'

export const prefixOf = (generation: number): string => (generation === 1 ? '/log' : `/log/${generation}`)

/** Registers the public routes of the logs, which scripts of any website may read (docs/open-book.md §1). */
export function registerLog(
  http: FastifyInstance,
  { db, book }: { readonly db: Database; readonly book: OpenBook },
): void {
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('access-control-allow-origin', '*')
    const [path = ''] = request.url.split('?', 1)
    const answer = await inTime(request, () => answerTo(db, book, path))
    if (answer === null)
      return reply.code(404).header('cache-control', 'no-store').header('content-type', TEXT).send('not found\n')
    reply.header('cache-control', answer.cache).header('content-type', answer.type)
    if (typeof answer.body === 'string') return reply.send(answer.body)
    const bytes = Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength)
    // Only bundles of entries, which are text, are compressed: hashes would not get shorter.
    if (!path.includes('/tile/entries/')) return reply.send(bytes)
    reply.header('vary', 'accept-encoding')
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(bytes)
    return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(bytes))
  }
  http.get('/log/*', handle)
}

/** Returns true if the client accepts gzip, even if it prefers Brotli: bundles are compressed with gzip only. */
function acceptsGzip(accepted: unknown): boolean {
  const preferred = encodingFor(accepted)
  return (
    preferred === 'gzip' || (preferred === 'br' && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(accepted)))
  )
}

async function answerTo(db: Database, book: OpenBook, path: string): Promise<LogAnswer | null> {
  const [, generationText, call = ''] = /^\/log\/(?:([2-9]|[1-9]\d{1,5})\/)?(.+)$/s.exec(path) ?? []
  const generation = Number(generationText ?? 1)
  if (generationText === undefined) {
    if (call === 'logs') return readLogs(db)
    if (call.startsWith('text/')) return readText(db, call.slice('text/'.length))
  }
  switch (call) {
    case 'checkpoint': {
      // For the newest log, only the note that this process has verified is served, never the note in the database.
      const head = book.head()
      if (head?.generation === generation) return textAnswer(head.note, FOR_A_SECOND)
      const stored = await readLog(db, generation)
      return textAnswer(stored?.isEnded === true ? stored.note : null, FOR_A_SECOND)
    }
    case 'checkpoint-witnessed':
      return textAnswer((await readLog(db, generation))?.witnessedNote, FOR_A_SECOND)
    case 'key': {
      const stored = await readLog(db, generation)
      return textAnswer(stored === null ? null : `${stored.vkey}\n`, KEY_LASTS)
    }
    default:
      return readTileOf(db, book, generation, call)
  }
}

const textAnswer = (body: string | null | undefined, cache: string): LogAnswer | null =>
  body == null ? null : { type: TEXT, body, cache }

async function readTileOf(db: Database, book: OpenBook, generation: number, call: string): Promise<LogAnswer | null> {
  const bundle = parseEntriesPath(call)
  const tile = bundle === null ? parseTilePath(call) : { level: 0, ...bundle }
  if (tile === null) return null
  const isWithin = (size: number) => tile.n * TILE_WIDTH + tile.width <= hashesAt(tile.level, size)
  const head = book.head()
  // Another process may have sealed entries after `head`. The size in the database includes them, and they may be read,
  // because entries are committed only together with the note that signs them.
  if (
    !(head?.generation === generation && isWithin(head.size)) &&
    !isWithin((await readLog(db, generation))?.size ?? 0)
  )
    return null
  const bytes =
    bundle === null ? await readTile(db, generation, tile) : await readBundle(db, generation, bundle.n, bundle.width)
  return bytes === null ? null : { type: 'application/octet-stream', body: bytes, cache: FOR_EVER }
}

const LOGS = `
  select l.generation, l.origin, l.vkey, t.size::float8 as size, t.note, t.witnessed_note as "witnessedNote",
         exists (select from book_logs later where later.generation > l.generation) as "isEnded"
    from book_logs l join book_tips t using (generation)`

async function readLog(db: Database, generation: number): Promise<StoredLog | null> {
  const { rows } = await db.query<StoredLog & Record<string, unknown>>(`${LOGS} where generation = $1`, [generation], {
    name: 'book_log',
  })
  return rows[0] ?? null
}

async function readLogs(db: Database): Promise<LogAnswer> {
  const { rows } = await db.query<StoredLog & Record<string, unknown>>(`${LOGS} order by generation desc`)
  const logs = rows.map(({ generation, origin, vkey }) => ({ origin, prefix: prefixOf(generation), vkey }))
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(logs), cache: FOR_A_SECOND }
}

async function readText(db: Database, hex: string): Promise<LogAnswer | null> {
  const hash = fromHex(hex)
  if (hash === null) return null
  const { rows } = await db.query<{ text: string }>('select text from book_texts where hash = $1', [hash])
  return textAnswer(rows[0]?.text, FOR_EVER)
}
