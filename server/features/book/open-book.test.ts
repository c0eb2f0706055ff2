import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { decodeBundle } from '#domain/book/bundle.ts'
import { fromAscii, toBase64 } from '#domain/book/bytes.ts'
import { parseCheckpoint } from '#domain/book/checkpoint.ts'
import { encodeFields, type Entry } from '#domain/book/entry.ts'
import { isConsistent, leafHash, rootOf } from '#domain/book/merkle.ts'
import { parseVkey, verifyNote } from '#domain/book/note.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import {
  consistencyProof,
  edgeTiles,
  entriesPath,
  hashesAt,
  rootOfTiles,
  TILE_WIDTH,
  tileOf,
  tilePath,
} from '#domain/book/tiles.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { buildTestApp, type TestApp, testBookKey, openTestBook } from '#testing/app/app.ts'
import { createRound } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { queueBets } from '#testing/book/queue-bets.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { bookKeyOf, loadBookKey, sha256, verifyEd25519 } from './key.ts'
import { type OpenBook, type OpenBookDeps } from './open-book.ts'
import { readTipFile } from './tip-file.ts'
import { tamperWith } from '#testing/database/tamper.ts'

/** An act of the system: an entry that needs nothing else. */
const actFields = (number: number): string =>
  encodeFields('act', { act: 'ledger.clear', actor: null, round: null, bet: null, amount: number, c: null })

const queueActs = (db: Database, numbers: readonly number[]) =>
  db.query(`insert into book_queue (kind, fields) select 'act', * from unnest($1::text[])`, [numbers.map(actFields)])

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

const entryOf = (line: string): Entry | null => {
  const parsed = parseEntry(line)
  return parsed.is === 'entry' ? parsed.entry : null
}

describe('the key', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'log-key-'))
    return () => rmSync(dir, { recursive: true })
  })

  test('is LOG_KEY, else one from AUDIT_KEY, else a file that only its owner may read', () => {
    const given = loadBookKey(
      { logKey: toBase64(new Uint8Array(32).fill(2)), auditKey: 'a'.repeat(32), dataDir: dir },
      true,
    )
    expect(given.publicKey).toEqual(testBookKey.publicKey)
    const derived = loadBookKey({ logKey: null, auditKey: 'a'.repeat(32), dataDir: dir }, true)
    expect(derived.publicKey).not.toEqual(given.publicKey)
    expect(loadBookKey({ logKey: null, auditKey: 'a'.repeat(32), dataDir: dir }, true).publicKey).toEqual(
      derived.publicKey,
    )
    expect(readTipFile(dir)).toBeNull()
    expect(() => loadBookKey({ logKey: null, auditKey: null, dataDir: dir }, false)).toThrow('none was made')
    expect(readdirSync(dir)).toEqual([])
    const made = loadBookKey({ logKey: null, auditKey: null, dataDir: dir }, true)
    expect(loadBookKey({ logKey: null, auditKey: null, dataDir: dir }, true).publicKey).toEqual(made.publicKey)
    writeFileSync(join(dir, 'log.key'), 'zz')
    expect(() => loadBookKey({ logKey: null, auditKey: null, dataDir: dir }, true)).toThrow(/restore it from a backup/)
  })

  test('hashes as SHA-256 does', () => {
    for (const size of [0, 1, 32, 65, 300, 5_000]) {
      const bytes = randomBytes(size)
      expect(toBase64(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('base64'))
    }
  })

  test('signs notes that its vkey verifies', () => {
    const signer = testBookKey.signerOf('kim.example/gold')
    const key = parseVkey(sha256, signer.vkey)
    const note = signer.signNote(signer.origin, 'a text\n')
    expect(key === null ? null : verifyNote(note, [key], verifyEd25519)).toMatchObject({ text: 'a text\n' })
    expect(key === null ? null : verifyNote(note.replace('text', 'test'), [key], verifyEd25519)).toBe('wrong-signature')
  })
})

describe.each(testEngines)('the open book on %s', (engine) => {
  const db = useDatabase(engine)
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'open-book-'))
    return () => rmSync(dir, { recursive: true })
  })

  const open = (options: Partial<OpenBookDeps> = {}): Promise<OpenBook> =>
    openTestBook(db, { dataDir: dir, ...options })
  /** Every entry that is sealed, in order. */
  const sealedLines = async (generation = 1): Promise<string[]> => {
    const { rows } = await db.query<{ entries: Uint8Array }>(
      'select entries from book_entries where generation = $1 order by first_index',
      [generation],
    )
    return rows.flatMap(({ entries }) => (decodeBundle(entries) ?? []).map((entry) => fromAscii(entry) ?? ''))
  }
  const queued = async (): Promise<number> => (await db.query('select 1 from book_queue')).rowCount

  test('begins with the rules, whose text is kept, and says again only what changed', async () => {
    const book = await open({ rulesText: 'Luật' })
    await book.turn()
    const [first = ''] = await sealedLines()
    expect(entryOf(first)).toMatchObject({ k: 'rules', product: 'kim-phien', rates: { '30s': 5, '120s': 12 } })
    await (await open({ rulesText: 'Luật' })).turn()
    expect(await queued()).toBe(0)
    await (await open({ rulesText: 'Luật mới' })).turn()
    const rules = (await sealedLines()).filter((line) => line.startsWith('{"k":"rules"'))
    expect(rules).toHaveLength(2)
    expect((await db.query('select 1 from book_texts')).rowCount).toBe(2)
    expect((await db.query(`select 1 from book_notable where kind = 'rules'`)).rowCount).toBe(2)
  })

  test('every batch ends with a beat, whose time never falls; nothing waits: one when it is due', async () => {
    const book = await open({ beatEveryMs: 1_000_000 })
    await book.turn()
    const { size } = book.head() ?? { size: 0 }
    expect((await sealedLines()).at(-1)).toMatch(/^\{"k":"beat","v":1,"at":\d+,"ticks":\[\]\}$/)
    await book.turn()
    expect(book.head()?.size).toBe(size)
    await tamperWith(db, 'update book_tips set beat_at_ms = beat_at_ms + 3600000')
    const eager = await open({ beatEveryMs: 0 })
    await eager.turn()
    expect(eager.head()?.size).toBe(size + 1)
    const beats = (await sealedLines()).filter((line) => line.startsWith('{"k":"beat"'))
    const [first = 0, second = 0] = beats.map((line) => entryOf(line)?.at)
    expect(second - first).toBe(3_600_000)
  })

  test('seeds that are not over are entered once; one is opened after its day, once, and only if the log has it', async () => {
    const today = Math.floor(Date.now() / 86_400_000)
    const addSeed = (daysFromNow: number) =>
      db.query(
        `insert into simulated_seeds (day, seed, commitment, start_price, is_public_history)
         select (clock_timestamp() at time zone 'UTC')::date + $1::integer, s, sha256(s), 4000000, false
           from sha256($1::text::bytea) s`,
        [daysFromNow],
      )
    for (const day of [-3, -2, 0, 1]) await addSeed(day)
    const book = await open()
    const committed = encodeFields('seed', { day: today - 2, commitment: toBase64(new Uint8Array(32)) })
    await db.query(`insert into book_queue (kind, fields) values ('seed', $1)`, [committed])
    await book.turn()
    const others = await Promise.all([open({ dataDir: null }), open({ dataDir: null })])
    await Promise.all(others.map((other) => other.turn()))
    for (const other of others) await other.turn()
    const entries = (await sealedLines()).map(entryOf)
    expect(entries.flatMap((entry) => (entry?.k === 'seed' ? [entry.day] : []))).toEqual([today, today + 1, today - 2])
    const opened = entries.filter((entry) => entry?.k === 'seed-open')
    const seed = toBase64(sha256(Buffer.from('-2')))
    expect(opened).toMatchObject([{ k: 'seed-open', day: today - 2, seed, startPrice: 4_000_000 }])
  })

  test('a beat tells the ticks of live sources with running rounds, once each and in order', async () => {
    const book = await open({ beatEveryMs: 0 })
    await createRound(db, { source: 'pyth', goneS: 60 })
    const now = Math.floor(Date.now() / 1000)
    const tick = (source: string, second: number, price: number | null, age = 0) =>
      db.query('insert into ticks (source, second, price, quote_at) values ($1, $2, $3, $4)', [
        ...[source, BigInt(second), price, price === null ? null : new Date(second * 1000 - age)],
      ])
    // Before the round, of a source without one, and of a second that has not come: none of them is told.
    await tick('pyth', now - 100, 1)
    await tick('swissquote', now - 20, 1)
    await tick('pyth', now + 100, 1)
    await tick('pyth', now - 20, 4_000_001, 250)
    await tick('pyth', now - 19, null)
    await book.turn()
    await tick('pyth', now - 18, 4_000_003, 1_999)
    await book.turn()
    // A gap of long ago is passed over; a young one holds back what comes after it.
    await tick('pyth', now - 10, 4_000_010)
    const later = Math.floor(Date.now() / 1000)
    await tick('pyth', later - 1, 4_000_019)
    await tick('pyth', later + 1, 4_000_021)
    await book.turn()
    const beats = (await sealedLines()).map(entryOf).flatMap((entry) => (entry?.k === 'beat' ? [entry.ticks] : []))
    expect(beats.slice(0, 2)).toEqual([
      [
        ['pyth', now - 20, 4_000_001, 250],
        ['pyth', now - 19, null, null],
      ],
      [['pyth', now - 18, 4_000_003, 1_999]],
    ])
    expect(beats[2]).toContainEqual(['pyth', now - 10, 4_000_010, 0])
    expect(beats[2]).not.toContainEqual(['pyth', later + 1, 4_000_021, 0])
  })

  test('what waits is sealed once and in order, over bundles and batches, and the served tiles verify', async () => {
    const app = await buildTestApp(db)
    try {
      await app.book.turn()
      const before = app.book.head()!
      await queueActs(db, upTo(2_500))
      await app.book.turn()
      await queueActs(db, upTo(70))
      await app.book.turn()
      const amounts = (await sealedLines()).map(entryOf).flatMap((entry) => (entry?.k === 'act' ? [entry.amount] : []))
      expect(amounts).toEqual([...upTo(2_500), ...upTo(70)])

      const served = await readServed(app)
      expect(served.size).toBe(app.book.head()?.size)
      expect(served.lines).toEqual(await sealedLines())
      const leaves = served.lines.map((line) => leafHash(sha256, Buffer.from(line)))
      expect(toBase64(rootOf(sha256, leaves))).toBe(toBase64(served.root))
      expect(toBase64(rootOfTiles(sha256, served.read, served.size))).toBe(toBase64(served.root))
      const proof = consistencyProof(sha256, served.read, before.size, served.size)
      const consistency = { oldSize: before.size, oldRoot: before.root, newSize: served.size, newRoot: served.root }
      expect(isConsistent(sha256, { ...consistency, proof })).toBe(true)
    } finally {
      await app.close()
    }
  })

  test('bets that wait together stand in their order, and in the order of their batches, each with its place', async () => {
    const book = await open()
    await book.turn()
    const rounds = [newId(), newId()] as const
    const bets = upTo(2_500).map((at) => ({
      betId: newId(),
      // Batches of 100: of one round, then of two in turns.
      roundId: at % 200 < 100 || at % 2 === 0 ? rounds[0] : rounds[1],
      commitment: sha256(Buffer.from(`${at}`)),
    }))
    for (const batch of upTo(25)) {
      await queueBets(db, bets.slice(100 * batch, 100 * (batch + 1)), batch)
      await queueActs(db, [batch])
    }
    expect(await queued()).toBe(13 + 2 * 12 + 25)
    await book.turn()
    expect(await queued()).toBe(0)

    const lines = await sealedLines()
    const entries = lines.map(entryOf)
    const expected = upTo(25).flatMap((batch) => {
      const of = bets.slice(100 * batch, 100 * (batch + 1))
      const inOrder = rounds.flatMap((round) => of.filter(({ roundId }) => roundId === round))
      return [
        ...inOrder.map(({ roundId, commitment }) => `${batch} ${roundId} ${toBase64(commitment)}`),
        `act ${batch}`,
      ]
    })
    expect(
      entries.flatMap((entry) =>
        entry?.k === 'bet'
          ? [`${entry.at} ${entry.round} ${entry.c}`]
          : entry?.k === 'act'
            ? [`act ${entry.amount}`]
            : [],
      ),
    ).toEqual(expected)
    const { rows } = await db.query<{ bet_id: string; round_id: string; index: bigint }>(
      'select bet_id, round_id, index from book_places where bet_id is not null',
    )
    const placeOf = new Map(rows.map((row) => [row.bet_id, row]))
    expect(placeOf.size).toBe(bets.length)
    for (const { betId, roundId, commitment } of bets) {
      const { index = -1n, round_id } = placeOf.get(betId) ?? {}
      expect(round_id).toBe(roundId)
      expect(entries[Number(index)]).toMatchObject({ k: 'bet', round: roundId, c: toBase64(commitment) })
    }
    await expect(
      db.query(`insert into book_queue (kind, round_id, bets, commitments) values ('bet', $1, $2, $3)`, [
        newId(),
        [newId(), newId()],
        Buffer.alloc(32),
      ]),
    ).rejects.toThrow(/book_queue_of_its_kind/)
  })

  test('calls of the log: types, caching, widths, spellings, old names', async () => {
    const app = await buildTestApp(db, { book: await openTestBook(db) })
    try {
      const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
        app.http.inject({ method, url: path, headers })
      expect((await get('/log/checkpoint')).statusCode).toBe(404)
      await queueActs(db, upTo(300))
      await app.book.turn()
      const { size, note } = app.book.head()!

      const checkpoint = await get('/log/checkpoint')
      expect(checkpoint.body).toBe(note)
      expect(checkpoint.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'public, max-age=1',
        'access-control-allow-origin': '*',
      })
      const head = await get('/log/checkpoint', {}, 'HEAD')
      expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
        200,
        '',
        String(Buffer.byteLength(note)),
      ])
      expect((await get('/log/key')).body).toBe(`${testBookKey.signerOf(testBookKey.defaultOrigin).vkey}\n`)
      expect((await get('/log/logs')).json()).toEqual([
        {
          origin: testBookKey.defaultOrigin,
          prefix: '/log',
          vkey: testBookKey.signerOf(testBookKey.defaultOrigin).vkey,
        },
      ])
      const [rules = ''] = await sealedLines()
      const text = await get(`/log/text/${/"text":"([0-9a-f]{64})"/.exec(rules)?.[1]}`)
      expect(text.body).toBe(readFileSync('docs/rules.md', 'utf8'))
      expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')

      const tile = await get('/log/tile/0/000')
      expect(tile.rawPayload).toHaveLength(256 * 32)
      expect(tile.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
      })
      expect((await get('/log/tile/0/000.p/7')).rawPayload).toEqual(tile.rawPayload.subarray(0, 7 * 32))
      expect((await get('/log/tile/1/000.p/1')).rawPayload).toHaveLength(32)
      const bundle = await get('/log/tile/entries/000', { 'accept-encoding': 'gzip' })
      expect(bundle.headers['content-encoding']).toBe('gzip')
      const lines = (decodeBundle(gunzipSync(bundle.rawPayload)) ?? []).map((entry) => fromAscii(entry))
      expect(lines).toEqual((await sealedLines()).slice(0, 256))
      const part = decodeBundle((await get(`/log/tile/entries/001.p/${size - 256}`)).rawPayload)
      expect(part).toHaveLength(size - 256)

      for (const path of [
        '/log/',
        '/log/nothing',
        '/log/2/checkpoint',
        '/log/1/checkpoint',
        '/log/2/logs',
        '/log/checkpoint-witnessed',
        '/log/tile/0/0',
        '/log/tile/0/x000/000',
        '/log/tile/0/00%30',
        '/log/tile/0/000.p/0',
        '/log/tile/0/000.p/256',
        '/log/tile/0/000.p/07',
        '/log/tile/0/001',
        `/log/tile/0/001.p/${size - 255}`,
        '/log/tile/entries/001',
        '/log/tile/1/000',
        '/log/tile/1/000.p/2',
        '/log/tile/2/000.p/1',
        '/log/text/00',
        '/log/text/zz',
      ]) {
        const answer = await get(path)
        expect([path, answer.statusCode, answer.headers['cache-control']]).toEqual([path, 404, 'no-store'])
      }
    } finally {
      await app.close()
    }
  })

  test('the note is on the disk before it is shown', async () => {
    const book = await open()
    const seen: string[] = []
    book.onSealed(({ note }) => seen.push(`${readTipFile(dir) === note}`))
    await book.turn()
    await queueActs(db, [1])
    await book.turn()
    expect(seen).toEqual(['true', 'true'])
    expect(readTipFile(dir)).toBe(book.head()?.note)
  })

  test('a process with another key shows what is sealed and signs nothing', async () => {
    const book = await open()
    await book.turn()
    const other = await open({ key: bookKeyOf(new Uint8Array(32).fill(9)), dataDir: null })
    expect([other.stopWhy(), other.signer()]).toEqual(['OTHER_KEY', null])
    await queueActs(db, [1])
    await other.turn()
    expect(other.head()?.note).toBe(book.head()?.note)
    expect(await queued()).toBe(1)
    await book.turn()
    expect(await queued()).toBe(0)
  })

  test('a process knows the newest note from its start on, without log-tip, too', async () => {
    const book = await open()
    await book.turn()
    const other = await open({ dataDir: null })
    expect([other.head()?.note, other.head()?.beatAtMs]).toEqual([book.head()?.note, book.head()?.beatAtMs])
  })

  test('in a log that is not signed any more an older log-tip is shown with its own time', async () => {
    const book = await open()
    await book.turn()
    await db.query('select pg_sleep(0.005)')
    const elsewhere = await open({ dataDir: null })
    await queueActs(db, [1])
    await elsewhere.turn()
    await elsewhere.stopSigning('WITNESS', 'a test')
    expect(elsewhere.head()?.beatAtMs).toBeGreaterThan(book.head()?.beatAtMs ?? 0)
    const restarted = await open()
    expect([restarted.head()?.note, restarted.head()?.beatAtMs]).toEqual([book.head()?.note, book.head()?.beatAtMs])
  })

  test('a database that went back behind log-tip is not signed on, by any process', async () => {
    const book = await open()
    await book.turn()
    const rows = await copyOf(db)
    await queueActs(db, [1])
    await book.turn()
    const newest = readTipFile(dir)
    await restore(db, rows)
    await queueActs(db, [2])
    // The process that knows the newer note, one that starts with its file, and one that knows nothing.
    await book.turn()
    expect(book.stopWhy()).toBe('AHEAD')
    const restarted = await open()
    expect(restarted.stopWhy()).toBe('AHEAD')
    const elsewhere = await open({ dataDir: null })
    await elsewhere.turn()
    expect([elsewhere.stopWhy(), elsewhere.signer(), elsewhere.head()]).toEqual(['AHEAD', null, null])
    expect([await queued(), readTipFile(dir)]).toEqual([1, newest])
  })

  test('another history of the same size is not signed on', async () => {
    const book = await open()
    await book.turn()
    const rows = await copyOf(db)
    await queueActs(db, [1])
    await book.turn()
    await restore(db, rows)
    await queueActs(db, [2])
    const forker = await open({ dataDir: null })
    await forker.turn()
    expect(forker.head()?.size).toBe(book.head()?.size)
    await book.turn()
    expect(book.stopWhy()).toBe('DIFFERS')
    await forker.turn()
    expect(forker.stopWhy()).toBe('DIFFERS')
  })

  test('log-tip of another database stops this process alone', async () => {
    const stranger = bookKeyOf(new Uint8Array(32).fill(9)).signerOf('kim.example/other')
    writeFileSync(
      join(dir, 'log-tip'),
      stranger.signNote(stranger.origin, `${stranger.origin}\n1\n${toBase64(sha256(new Uint8Array()))}\n`),
    )
    const book = await open()
    expect(book.stopWhy()).toBe('OTHER_LOG')
    const elsewhere = await open({ dataDir: null })
    await elsewhere.turn()
    expect(elsewhere.stopWhy()).toBeNull()
    expect(elsewhere.head()).not.toBeNull()
  })

  test.each([
    [`update book_entries set leaf_hashes = sha256('x') || substring(leaf_hashes from 33) where first_index = 256`],
    [`delete from book_entries where first_index = 256`],
    [
      `insert into book_entries (generation, first_index, count, entries, leaf_hashes) values (1, 400, 1, '', sha256('x'))`,
    ],
    [`update book_nodes set hash = sha256('x') where level = 1`],
    [`delete from book_nodes`],
    [`update book_tips set size = size - 1`],
    [`update book_tips set note = replace(note, '—', '-')`],
  ])('%s: nothing is signed any more', async (statement) => {
    const book = await open()
    await queueActs(db, upTo(300))
    await book.turn()
    const { size } = book.head()!
    await queueActs(db, [1])
    await tamperWith(db, statement)
    await book.turn()
    expect(['DAMAGED', 'DIFFERS', 'AHEAD']).toContain(book.stopWhy())
    expect(book.head()?.size).toBe(size)
    expect(await queued()).toBe(1)
    const { rows } = await db.query('select stopped from book_tips')
    expect(rows).toEqual([{ stopped: book.stopWhy() }])
  })

  test('rows of the log cannot be changed or deleted', async () => {
    const book = await open()
    await queueActs(db, upTo(300))
    await book.turn()
    for (const table of ['book_logs', 'book_entries', 'book_nodes', 'book_notable', 'book_texts']) {
      await expect(db.query(`delete from ${table}`)).rejects.toThrow(/append-only/)
      await expect(db.query(`truncate ${table} cascade`)).rejects.toThrow(/append-only/)
    }
    await expect(db.query('update book_entries set count = 1')).rejects.toThrow(/append-only/)
  })
})

/** Everything that strangers read: note, bundles and tiles of its size. */
async function readServed(app: TestApp) {
  const get = async (path: string) => {
    const answer = await app.http.inject({ url: `/log/${path}` })
    expect([path, answer.statusCode]).toEqual([path, 200])
    return answer.rawPayload
  }
  const key = parseVkey(sha256, (await get('key')).toString().trim())
  const verified = key === null ? 'malformed' : verifyNote((await get('checkpoint')).toString(), [key], verifyEd25519)
  const checkpoint = typeof verified === 'string' ? null : parseCheckpoint(verified.text)
  if (checkpoint === null) throw new Error(`The note is not signed: ${JSON.stringify(verified)}`)
  const { size, root } = checkpoint
  const lines: string[] = []
  const tiles = new Map<string, Uint8Array>()
  for (let n = 0; n * TILE_WIDTH < size; n++) {
    const { width } = tileOf(0, n * TILE_WIDTH, size)
    lines.push(...(decodeBundle(await get(entriesPath(n, width))) ?? []).map((entry) => fromAscii(entry) ?? ''))
  }
  for (let level = 0; hashesAt(level, size) > 0; level++)
    for (let n = 0; n * TILE_WIDTH < hashesAt(level, size); n++)
      tiles.set(`${level} ${n}`, await get(tilePath(level, n, tileOf(level, n * TILE_WIDTH, size).width)))
  expect(edgeTiles(size).every(({ level, n }) => tiles.has(`${level} ${n}`))).toBe(true)
  const read = (level: number, index: number): Uint8Array => {
    const at = 32 * (index % TILE_WIDTH)
    return tiles.get(`${level} ${Math.floor(index / TILE_WIDTH)}`)?.subarray(at, at + 32) ?? new Uint8Array()
  }
  return { size, root, lines, read }
}

const BOOK_TABLES = [
  'book_logs',
  'book_tips',
  'book_entries',
  'book_nodes',
  'book_places',
  'book_notable',
  'book_queue',
]

/** The rows of the book as a backup holds them. */
async function copyOf(db: Database): Promise<Map<string, string>> {
  const copy = new Map<string, string>()
  for (const table of BOOK_TABLES) {
    const { rows } = await db.query<{ all: string }>(`select coalesce(json_agg(t), '[]')::text as all from ${table} t`)
    copy.set(table, rows[0]?.all ?? '[]')
  }
  return copy
}

async function restore(db: Database, copy: ReadonlyMap<string, string>): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    for (const [table, rows] of copy) {
      await tx.query(`delete from ${table}`)
      const insert = `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1::json)`
      await tx.query(insert, [rows])
    }
  })
}
