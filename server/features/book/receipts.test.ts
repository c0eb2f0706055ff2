import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { windowOf } from '#domain/game/calendar.ts'
import { type OpenBook } from '#server/features/book/index.ts'
import { openRound } from '#server/features/game/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { buildTestApp, type TestApp, openTestBook } from '#testing/app/app.ts'
import { createPlayers, createRound, fixedPrices, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'

describe.each(testEngines)('what the log tells on %s', (engine) => {
  const db = useDatabase(engine, { areReset: false })
  let app: TestApp
  let book: OpenBook
  let player: TestPlayer
  beforeAll(async () => {
    book = await openTestBook(db, { origin: 'test' })
    app = await buildTestApp(db, { book })
    ;[player] = await createPlayers(db, 1)
  })
  afterAll(() => app.close())

  const tokenOf = ({ bearer }: TestPlayer) => bearer.slice('Bearer '.length)

  test('a round from before the log has no receipt, one that is running has its first entry and no page of bets', async () => {
    const old = await createRound(db)
    for (const path of ['receipt', 'receipt/bets'])
      expect(await app.call('GET', `/api/v1/rounds/${old.id}/${path}`)).toMatchObject({
        status: 404,
        body: { code: 'NOT_IN_BOOK' },
        headers: { 'cache-control': 'no-store' },
      })

    await openRound(
      db,
      fixedPrices(() => 1),
      '120s',
      windowOf('120s', Date.now()).opensAtMs,
    )
    const { rows } = await db.query<{ id: string }>(`select id from rounds where book = 'open'`)
    const id = rows[0]?.id ?? ''
    for (const path of ['receipt', 'receipt/bets'])
      expect(await app.call('GET', `/api/v1/rounds/${id}/${path}`)).toMatchObject({
        status: 404,
        body: { code: 'NOT_SEALED_YET' },
        headers: { 'cache-control': 'no-store' },
      })
    await book.turn()
    const reply = await app.call('GET', `/api/v1/rounds/${id}/receipt`)
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=5' } })
    const receipt = reply.body.data as { round: { index: number; entry: string } }
    expect(receipt).toMatchObject({ result: null, closed: null, announce: null, note: expect.stringContaining('test') })
    expect(parseEntry(receipt.round.entry)).toMatchObject({ is: 'entry', entry: { k: 'round', round: id } })
    expect(await app.call('GET', `/api/v1/rounds/${id}/receipt/bets`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_SEALED_YET' },
      headers: { 'cache-control': 'no-store' },
    })
  })

  test('nobody has a proof of a bet that is not their own', async () => {
    expect(await app.call('GET', `/api/v1/history/${newId()}/proof`, { token: tokenOf(player) })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })
})
