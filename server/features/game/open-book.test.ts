import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBase64, toBase64 } from '#domain/book/bytes.ts'
import { checkBook, checkProof, checkRound } from '#domain/book/check-book.ts'
import { parseVkey } from '#domain/book/note.ts'
import { commitmentOf, encodeOpening } from '#domain/book/opening.ts'
import { type BetPromise, checkPromise } from '#domain/book/promise.ts'
import { sha256, verifyEd25519 } from '#server/features/book/index.ts'
import { settleDue } from './engine.ts'
import { newId } from '#server/platform/process/ids.ts'
import { testBookKey } from '#testing/app/app.ts'
import { BOOK_ORIGIN, type BookWorld, createBookWorld, LIVE, tokenOf } from '#testing/book/book-world.ts'
import { tamperWith } from '#testing/database/tamper.ts'
import type { TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'

interface Placed {
  readonly _id: string
  readonly salt: string
  readonly promise: BetPromise
}

/** Rounds from their opening to their last entry, with the clock of the database in the test's hand. */
describe.each(testEngines)('a story of rounds on %s', (engine) => {
  let world: BookWorld
  beforeAll(async () => void (world = await createBookWorld(engine, 4)))
  afterAll(() => world.close())

  test('the log alone recomputes all of them, and nobody finds a fault', async () => {
    const { db, app, book, at, open, bet, settle, source, entries, asAdmin, baseMs: base } = world
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
    expect(await asAdmin('POST', `/api/v1/game/${long}`, { result: 'UP' })).toMatchObject({ status: 200 })
    expect(await bet(3, long, 'UP', 'ADMIN')).toMatchObject({ status: 200 })
    expect(await asAdmin('DELETE', `/api/v1/game/${other}`)).toMatchObject({ status: 200 })
    const forced = await asAdmin('POST', '/api/v1/game/force-create/90s')
    expect(forced).toMatchObject({ status: 200 })
    await book.turn()

    await at(31_000)
    await settle()
    expect(await bet(0, live, 'DOWN', 'PRICE')).toMatchObject({ status: 200 })
    await at(61_000)
    await settle()
    await at(91_000)
    await settle()
    await at(121_000)
    await db.query(`insert into tick_evidence (source, second, evidence) values ($1, $2, 'signed')`, [
      LIVE,
      base / 1000 + 120,
    ])
    await settle()

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
    const noted = await app.call('GET', '/api/v1/book/acts?act=announce')
    expect((noted.body.data as { readonly rows: readonly unknown[] }).rows).toEqual([
      expect.objectContaining({ kind: 'announce', entry: expect.stringContaining(long) as unknown }),
    ])
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
    const { db, app, entries } = world
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
    const { app, book, at, open, bet, players, admin, source, baseMs: base } = world
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
    const vkey = parseVkey(sha256, testBookKey.signerOf(BOOK_ORIGIN).vkey)
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
    const own = await app.call('GET', `/api/v1/history/user?ids=${one._id}`, {
      token: tokenOf(players[1] as TestPlayer),
    })
    expect(own.rows[0]).toMatchObject({ salt: toBase64(salt), sealIndex: checked.index })
    // Nobody else is told, staff included.
    expect((await proofOf(2)).json<{ code: string }>().code).toBe('NOT_FOUND')
    const staffs = await app.call('GET', '/api/v1/history', { token: tokenOf(admin) })
    expect(JSON.stringify(staffs.rows)).not.toContain(toBase64(salt))
    expect(staffs.rows[0]).not.toHaveProperty('salt')
  })

  test('a page of a closed receipt is what the root was computed from, and may be kept for ever', async () => {
    const { db, app } = world
    const { rows } = await db.query<{ id: string }>(
      `select id from rounds r where book = 'closed' and (select count(*) from bets where round_id = r.id) = 2 limit 1`,
    )
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

  test('a process that fixes a result without its entry is refused by the database', async () => {
    const { db, at, open, bet, settle, entries, deps, clock, book } = world
    const { rows: now } = await db.query<{ ms: bigint }>(
      'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
    )
    const from = Number(now[0]?.ms) - world.baseMs
    await at(from + 120_000)
    const round = await open('30s')
    await at(from + 181_000)
    // As settlement was written before there was a book.
    const older = db.query(
      `update rounds set status = 'settling', open_price = 1, close_price = 2, result = 'up', settling_at = clock_timestamp()
        where id = $1 and status = 'running' and deleted_at is null`,
      [round],
    )
    await expect(older).rejects.toThrow('rounds_tell_results')
    await settle()
    const kinds = (await entries()).flatMap((entry) => ('round' in entry && entry.round === round ? [entry.k] : []))
    expect(kinds).toEqual(['round', 'result', 'closed'])

    // A bet that is open in an ended round, as the ledger's check may find one, keeps its own round open, and no other.
    const odd = await open('30s')
    expect((await bet(0, odd, 'UP', 'PRICE')).status).toBe(200)
    const next = await open('60s')
    await at(from + 260_000)
    expect(await settleDue({ ...deps, clock })).toBe(false)
    await book.turn()
    await tamperWith(db, [
      `update bets set status = 'open', settled_at = null, profit = null, void_reason = null where round_id = $1`,
      [odd],
    ])
    // With twenty more of its kind, which fill a pass.
    const copies = {
      rounds: `'id', md5('round' || n)::uuid, 'attempt', one.attempt + n, 'closes_at', one.closes_at - interval '1 second'`,
      bets: `'id', md5('bet' || n)::uuid, 'round_id', md5('round' || n)::uuid`,
      book_places: `'round_id', md5('round' || n)::uuid, 'bet_id', case when one.bet_id is not null then md5('bet' || n)::uuid end`,
    }
    for (const [table, changes] of Object.entries(copies))
      await tamperWith(db, [
        `insert into ${table}
         select (jsonb_populate_record(one, jsonb_build_object(${changes}))).*
           from ${table} one, generate_series(1, 20) n where one.${table === 'rounds' ? 'id' : 'round_id'} = $1`,
        [odd],
      ])
    await settle()
    const { rows: stillOpen } = await db.query(
      `select count(*) filter (where bets.id is not null)::int as unreadable, count(*) filter (where r.id = $1)::int as next from rounds r left join bets on round_id = r.id where book = 'open' and r.status = 'ended'`,
      [next],
    )
    expect(stillOpen).toEqual([{ unreadable: 21, next: 0 }])
  })
})
