import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BookSource, openBookSource } from '#domain/book/book-source.ts'
import { fromBase64, toBase64 } from '#domain/book/bytes.ts'
import { checkBook, checkProof, checkRound } from '#domain/book/check-book.ts'
import type { Entry } from '#domain/book/entry.ts'
import { parseVkey } from '#domain/book/note.ts'
import { commitmentOf, encodeOpening } from '#domain/book/opening.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { type BetPromise, checkPromise } from '#domain/book/promise.ts'
import { EPOCH_MS, type RoundType } from '#domain/game/calendar.ts'
import { openBook, type OpenBook, sha256, verifyEd25519 } from '#server/features/book/index.ts'
import { createMarket, type Market, TICKS_SO_FAR } from '#server/features/market/index.ts'
import { createLog } from '#server/platform/log.ts'
import { newId } from '#server/platform/ids.ts'
import { buildTestApp, type Reply, type TestApp, testBookKey } from '#server/testing/app.ts'
import { createFakeClock, type FakeClock } from '#server/testing/fake-clock.ts'
import { createPlayers, noHints, type TestPlayer } from '#server/testing/game-world.ts'
import { openSettableDatabase, type SettableDatabase } from '#server/testing/settable-time.ts'
import { testEngines } from '#server/testing/test-database.ts'
import { closeDueInBook } from './close-in-book.ts'
import { openRound } from './open-round.ts'
import type { RoundPrices } from './ports.ts'
import { settleRound } from './settle-round.ts'

const log = createLog('silent')
const LIVE = 'pyth'

interface Placed {
  readonly _id: string
  readonly salt: string
  readonly promise: BetPromise
}

/** Rounds from their opening to their last entry, with the clock of the database in the test's hand. */
describe.each(testEngines)('a story of rounds on %s', (engine) => {
  let db: SettableDatabase
  let clock: FakeClock
  let market: Market
  let book: OpenBook
  let app: TestApp
  let players: TestPlayer[]
  let admin: TestPlayer
  /** The beginning of windows of every type. */
  const base = EPOCH_MS + Math.ceil((Date.now() - EPOCH_MS) / 360_000) * 360_000

  const at = async (ms: number): Promise<void> => {
    await db.freezeAt(base + ms)
    clock.set(base + ms)
    const second = Math.floor((base + ms) / 1000)
    await db.query(
      `insert into ticks (source, second, price, quote_at)
       select $1, s, case when s % 7 <> 3 then 4000000 + (s * 37) % 101 end,
              case when s % 7 <> 3 then to_timestamp(s) - (s % 1999) * interval '1 millisecond' end
         from generate_series($2::bigint, $3::bigint) s on conflict do nothing`,
      [LIVE, base / 1000, second],
    )
  }
  const tokenOf = ({ bearer }: TestPlayer) => bearer.slice('Bearer '.length)
  const deps = () => ({ db, prices: prices(), hints: noHints })
  const prices = (): RoundPrices => ({
    ...market,
    feedStatus: () => {
      throw new Error('nobody looks')
    },
  })
  const open = async (type: RoundType): Promise<string> => {
    await openRound(db, prices(), type, clock.now())
    const { rows } = await db.query<{ id: string }>(
      `select id from rounds where type = $1 order by index desc, attempt desc limit 1`,
      [type],
    )
    return rows[0]?.id ?? ''
  }
  const bet = (who: number, roundId: string, value: 'UP' | 'DOWN', seenBasis: string, key?: string): Promise<Reply> =>
    app.call('POST', '/api/v1/history', {
      token: tokenOf(players[who] as TestPlayer),
      body: { gameId: roundId, score: 10, value, seenBasis },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
  const settle = async (roundId: string): Promise<void> => {
    expect(await settleRound(deps(), roundId)).toBe('ended')
    await book.turn()
    await closeDueInBook(deps())
    await book.turn()
  }
  const source = (): Promise<BookSource> =>
    openBookSource({
      sha256,
      verifyEd25519,
      async get(path) {
        const reply = await app.http.inject({ method: 'GET', url: path })
        return { status: reply.statusCode, bytes: new Uint8Array(reply.rawPayload) }
      },
    })
  const entries = async (): Promise<Entry[]> => {
    const opened = await source()
    const head = await opened.head()
    const found: Entry[] = []
    for await (const { lines } of opened.entries(head, 0, head.size))
      for (const line of lines) {
        const parsed = parseEntry(line)
        if (parsed.is !== 'entry') throw new Error(line)
        found.push(parsed.entry)
      }
    return found
  }

  beforeAll(async () => {
    db = await openSettableDatabase(engine)
    clock = createFakeClock(base)
    await at(0)
    book = await openBook({
      db,
      key: testBookKey,
      origin: 'kim-phien/test',
      dataDir: null,
      ticksSql: TICKS_SO_FAR,
      log,
    })
    const settings = { goldFeed: 'simulated', pythUrl: '', pythApiKey: null, swissquoteUrl: '' } as const
    const simulated = createMarket({ db, clock, log, settings })
    await simulated.start()
    // Rounds of two minutes are priced by a live source, whose ticks the test writes.
    market = {
      ...simulated,
      liveSource: LIVE,
      chooseSource: (opensAtMs, closesAtMs) => (closesAtMs - opensAtMs === 120_000 ? LIVE : 'simulated'),
      closedReason: () => null,
    }
    app = await buildTestApp(db, { clock, market, book })
    players = await createPlayers(db, 4)
    ;[admin] = (await createPlayers(db, 1, { role: 'admin', welcomePoints: 0 })) as [TestPlayer]
    await book.turn()
  })
  afterAll(async () => {
    await market.stop()
    await app.close()
    await book.stop()
    await db.close()
  })

  test('the log alone recomputes all of them, and nobody finds a fault', { timeout: 60_000 }, async () => {
    const [short, long, live, other] = [await open('30s'), await open('60s'), await open('120s'), await open('90s')]
    await at(3_217)
    const placed = await Promise.all([
      bet(0, short, 'UP', 'PRICE', 'a'),
      bet(1, short, 'DOWN', 'PRICE'),
      bet(2, live, 'UP', 'PRICE'),
    ])
    expect(placed.map(({ status }) => status)).toEqual([200, 200, 200])
    await book.turn()

    await at(8_500)
    expect(
      await app.call('POST', `/api/v1/game/${long}`, { token: tokenOf(admin), body: { result: 'UP' } }),
    ).toMatchObject({ status: 200 })
    expect(await bet(3, long, 'UP', 'ADMIN')).toMatchObject({ status: 200 })
    expect(await app.call('DELETE', `/api/v1/game/${other}`, { token: tokenOf(admin) })).toMatchObject({ status: 200 })
    const forced = await app.call('POST', '/api/v1/game/force-create/90s', { token: tokenOf(admin) })
    expect(forced).toMatchObject({ status: 200 })
    await book.turn()

    await at(31_000)
    await settle(short)
    await closeDueInBook(deps())
    await book.turn()
    expect(await bet(0, live, 'DOWN', 'PRICE')).toMatchObject({ status: 200 })
    await at(61_000)
    await settle(long)
    await at(91_000)
    await settle((forced.body.data as { _id: string })._id)
    await settle(other)
    await at(121_000)
    await db.query(`insert into tick_evidence (source, second, evidence) values ($1, $2, 'signed')`, [
      LIVE,
      base / 1000 + 120,
    ])
    await settle(live)

    const found = await checkBook(await source(), { sha256, rounds: 'all' })
    expect(found.faults).toEqual([])
    // The seed of the day is not opened yet.
    expect(found.state).toBe('pending')
    for (const id of [short, long, live, other])
      expect((await checkRound(await source(), id, { sha256 })).faults).toEqual([])

    const all = await entries()
    const of = (round: string) => all.flatMap((entry) => ('round' in entry && entry.round === round ? [entry.k] : []))
    expect(of(short)).toEqual(['round', 'bet', 'bet', 'result', 'closed'])
    expect(of(long)).toEqual(['round', 'announce', 'bet', 'result', 'closed'])
    expect(of(live)).toEqual(['round', 'bet', 'bet', 'result', 'closed'])
    expect(of(other)).toEqual(['round', 'act', 'closed'])
    expect(all.find((entry) => entry.k === 'closed' && entry.round === live)).toMatchObject({
      evidence: [[base / 1000 + 120, createHash('sha256').update('signed').digest('base64')]],
    })
    const evidence = await app.http.inject({
      method: 'GET',
      url: `/api/v1/market/evidence/${LIVE}/${base / 1000 + 120}`,
    })
    expect([evidence.statusCode, evidence.body, evidence.headers['cache-control']]).toEqual([
      200,
      'signed',
      'public, max-age=31536000, immutable',
    ])
  })

  test('nothing in an entry or a line says whose it is', async () => {
    const texts = [
      ...(await entries()).map((entry) => JSON.stringify(entry)),
      ...(await db.query<{ id: string }>('select id from rounds')).rows.map(({ id }) => id),
    ]
    for (const { id } of (await db.query<{ id: string }>('select id from rounds')).rows) {
      const page = await app.call('GET', `/api/v1/rounds/${id}/receipt/bets`)
      if (page.status === 200) texts.push(...(page.body.data as string[]))
    }
    const { rows } = await db.query<{ id: string; username: string }>('select id::text, username from users')
    expect(rows.length).toBeGreaterThan(4)
    for (const { id, username } of rows)
      expect(texts.filter((text) => text.includes(id) || text.includes(username))).toEqual([])
  })

  test('a bet is promised, sealed and proven, and a repeat is promised again', async () => {
    await at(150_100)
    const round = await open('30s')
    const key = newId()
    const first = await bet(1, round, 'DOWN', 'PRICE', key)
    const again = await bet(1, round, 'DOWN', 'PRICE', key)
    const one = first.body.data as Placed
    const two = again.body.data as Placed
    expect({ ...two, promise: null }).toEqual({ ...one, promise: null })
    const salt = fromBase64(one.salt) ?? new Uint8Array()
    expect(salt.length).toBe(16)
    const opening = encodeOpening({
      bet: one._id,
      round,
      direction: 'DOWN',
      stake: 1000,
      basis: 'PRICE',
      script: null,
      at: base + 150_100,
      entryFrom: base / 1000 + 151,
    })
    const c = commitmentOf(sha256, salt, opening)
    const vkey = parseVkey(sha256, testBookKey.signerOf('kim-phien/test').vkey)
    if (vkey === null) throw new Error('no key')
    for (const { promise } of [one, two])
      expect(checkPromise(sha256, verifyEd25519, vkey, promise, c)).toEqual({ atMs: base + 150_100 })

    const proofOf = (who: number) =>
      app.http.inject({
        method: 'GET',
        url: `/api/v1/history/${one._id}/proof`,
        headers: { authorization: players[who]?.bearer },
      })
    const early = await proofOf(1)
    expect([early.statusCode, early.json<{ code: string }>().code]).toEqual([404, 'NOT_SEALED_YET'])
    await book.turn()
    const proof = await proofOf(1)
    expect([proof.statusCode, proof.headers['content-type'], proof.headers['cache-control']]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'private, no-store',
    ])
    const checked = await checkProof(await source(), proof.body, { sha256 })
    expect(checked.faults).toEqual([])
    expect(checked.opening).toMatchObject({ bet: one._id, round })
    const own = await app.call('GET', `/api/v1/history/user?ids=${one._id}`, { token: tokenOf(players[1]!) })
    expect(own.rows[0]).toMatchObject({ salt: toBase64(salt), sealIndex: checked.index })
    // Nobody else is told, staff included.
    expect((await proofOf(2)).json<{ code: string }>().code).toBe('NOT_FOUND')
    const staffs = await app.call('GET', '/api/v1/history', { token: tokenOf(admin) })
    expect(JSON.stringify(staffs.rows)).not.toContain(toBase64(salt))
    expect(staffs.rows[0]).not.toHaveProperty('salt')
  })

  test('a page of a closed receipt is what the root was computed from, and may be kept for ever', async () => {
    const { rows } = await db.query<{ id: string }>(`select id from rounds where book = 'closed' order by id limit 1`)
    const path = `/api/v1/rounds/${rows[0]?.id}/receipt/bets`
    const page = await app.call('GET', path)
    expect(page).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'public, max-age=31536000, immutable', 'access-control-allow-origin': '*' },
      body: { meta: { total: 2, page: 1, limit: 1000, hasMore: false } },
    })
    expect(page.body.data).toHaveLength(2)
    expect((await app.call('GET', `${path}?page=2`)).body.data).toEqual([])
  })
})
