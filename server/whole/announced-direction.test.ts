import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { windowOf } from '#domain/game/calendar.ts'
import { verifyAuditLog } from '#server/features/audit/index.ts'
import { settleDue } from '#server/features/game/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/process/log.ts'
import { buildTestApp, type Reply, type TestApp } from '#testing/app/app.ts'
import { letPass } from '#testing/play/books.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { createPlayers, createRound, fixedPrices, noHints, type TestPlayer } from '#testing/play/rounds.ts'
import { openTestDatabase } from '#testing/database/test-database.ts'

/** The readers: the admin who announced, another admin, a player. */
const READERS = ['announcer', 'colleague', 'player'] as const
type Reader = (typeof READERS)[number]

/** The answers that show an announced direction to the admin who may see it. */
const TELLING = [
  '/api/v1/audit-log',
  '/api/v1/audit-log?act=round.set-result',
  '/api/v1/game/by-type/60s',
  '/api/v1/game/current?type=60s',
  '/api/v1/game/list-all',
].toSorted()

/** Nothing else in this world goes down: every bet is UP, and no round has ended before. */
const tells = ({ body }: Reply): boolean => /"down"|bán/i.test(JSON.stringify(body))

describe('until a round has ended its announced direction', () => {
  let db: Database
  let app: TestApp
  let tokens: Readonly<Record<Reader, string>>
  let roundId: string
  /** Every GET of the API, with each of this world's ids where the path names an object. */
  let questions: readonly string[]
  const clock = createFakeClock()

  beforeAll(async () => {
    db = await openTestDatabase('embedded')
    app = await buildTestApp(db, { clock })
    const [announcer, colleague] = await createPlayers(db, 2, { role: 'admin', welcomePoints: 0 })
    const [player] = await createPlayers(db, 1)
    if (announcer === undefined || colleague === undefined || player === undefined) throw new Error('Nobody is there.')
    const tokenOf = ({ bearer }: TestPlayer) => bearer.slice('Bearer '.length)
    tokens = { announcer: tokenOf(announcer), colleague: tokenOf(colleague), player: tokenOf(player) }

    // The round in the app's current window; in the database it runs for another hour.
    const round = await createRound(db)
    roundId = round.id
    await db.query('update rounds set index = $2 where id = $1', [roundId, BigInt(windowOf('60s', clock.now()).index)])
    const announced = await app.call('POST', `/api/v1/game/${roundId}`, {
      token: tokens.announcer,
      body: { result: 'DOWN' },
    })
    expect(announced).toMatchObject({ status: 200, body: { data: { result: 'DOWN', resultSource: 'ADMIN' } } })
    const placed = await app.call('POST', '/api/v1/history', {
      token: tokens.player,
      body: { gameId: roundId, score: 10, value: 'UP', seenBasis: 'ADMIN' },
    })
    expect(placed.status).toBe(200)
    const betId = (placed.body.data as { _id: string })._id

    const paths = Object.entries(app.http.swagger().paths ?? {}).flatMap(([path, calls]) =>
      calls?.get === undefined || !path.startsWith('/api/') ? [] : [path],
    )
    questions = [
      ...paths.flatMap((path) =>
        path.includes('{type}')
          ? [path.replace('{type}', '60s')]
          : path.includes('{')
            ? [roundId, betId, player.id, announcer.id].map((id) => path.replace(/\{\w+\}/, id))
            : [path],
      ),
      '/api/v1/game/current?type=60s',
      '/api/v1/audit-log?act=round.set-result',
      '/api/v1/history/counts?type=60s',
    ]
  })
  afterAll(async () => {
    await app.close()
    await db.close()
  })

  const askAll = async (reader: Reader): Promise<string[]> => {
    const telling: string[] = []
    for (const question of questions) {
      const reply = await app.call('GET', question, { token: tokens[reader] })
      if (tells(reply)) telling.push(question)
    }
    return telling.toSorted()
  }

  test('is shown to the admin who announced it, and in no answer to anybody else', async () => {
    expect(questions.length).toBeGreaterThan(20)
    expect(await askAll('announcer')).toEqual(TELLING)
    expect(await askAll('colleague')).toEqual([])
    expect(await askAll('player')).toEqual([])
  })

  test('is in no answer to what staff do to the round', async () => {
    const again = await app.call('POST', `/api/v1/game/${roundId}`, {
      token: tokens.colleague,
      body: { result: 'UP' },
    })
    expect(again).toMatchObject({ status: 409, body: { code: 'RESULT_ALREADY_SET' } })
    expect(tells(again)).toBe(false)
    const running = await app.call('POST', '/api/v1/game/force-create/60s', { token: tokens.colleague })
    expect(running).toMatchObject({
      status: 200,
      body: { data: { _id: roundId, result: null, resultSource: 'ADMIN' } },
    })
    expect(tells(running)).toBe(false)
    expect(tells(await app.call('POST', '/api/v1/game/force-create/60s', { token: tokens.announcer }))).toBe(true)
  })

  test('is announced, with its commitment, to everybody', async () => {
    for (const reader of READERS) {
      const { body } = await app.call('GET', '/api/v1/game/current?type=60s', { token: tokens[reader] })
      expect(body.data).toMatchObject({
        resultSource: 'ADMIN',
        announcement: { commitment: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown, nonce: null },
      })
    }
    const { rows } = await app.call('GET', '/api/v1/audit-log?act=round.set-result', { token: tokens.colleague })
    expect(rows).toMatchObject([{ target: `round:${roundId}`, after: { staffDirection: 'hidden' } }])
  })

  test('an announcer who is no admin any more reads what players read', async () => {
    const setRole = (role: string) =>
      db.query(`update users set role = $2 where id = (select announced_by from rounds where id = $1)`, [roundId, role])
    await setRole('player')
    expect(await askAll('announcer')).toEqual([])
    await setRole('admin')
  })

  test('stays hidden while the round is settled, and is public from its end; the log is as it was written', async () => {
    const list = TELLING.filter((question) => !question.includes('current'))
    // Reading a customer's page is an act of its own.
    const log = () =>
      db.query(`select seq, "before", after, hash from audit_log where act = 'round.set-result' order by seq`)
    const { rows: written } = await log()
    expect(written).toMatchObject([{ after: { staffDirection: 'down' } }])
    await letPass(db, 7_200)
    await db.query(`update rounds set status = 'settling', result = 'down' where id = $1`, [roundId])
    expect(await askAll('announcer')).toEqual(list)
    expect(await askAll('colleague')).toEqual([])
    expect(await askAll('player')).toEqual([])

    const deps = { db, prices: fixedPrices(() => 1), hints: noHints, clock, log: createLog('silent') }
    expect(await settleDue(deps)).toBe(false)
    expect(await askAll('announcer')).toEqual(list)
    expect(await askAll('colleague')).toEqual(list)
    expect(await askAll('player')).toEqual(list.filter((question) => !question.includes('audit')))
    expect((await log()).rows).toEqual(written)
    const { rows: all } = await db.query<{ count: bigint }>('select count(*) from audit_log')
    expect(await verifyAuditLog(db)).toEqual({ verified: all[0]?.count, detachedThrough: 0n, broken: [], known: [] })
  })
})
