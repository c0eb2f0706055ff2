import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCounts, NO_COUNTS, type RateCounts } from '#domain/book/rate-counts.ts'
import { checkBook } from '#domain/book/check-book.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { closeDueInBook, reopenInBook } from '#server/features/game/index.ts'
import { type BookWorld, createBookWorld } from '#testing/book/book-world.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { createDisputeCounts, readRates } from './rates.ts'
import { sha256 } from './index.ts'

describe.each(testEngines)('the measured rates on %s', (engine) => {
  let world: BookWorld
  beforeAll(async () => {
    world = await createBookWorld(engine, 8)
  })
  afterAll(() => world.close())

  test('are those that a reader gets from the log alone', async () => {
    const { at, open, bet, asAdmin, settle, book, db } = world
    const side = (who: number): 'UP' | 'DOWN' => (who % 3 === 0 ? 'DOWN' : 'UP')
    for (let cycle = 0; cycle < 3; cycle++) {
      const fromMs = cycle * 120_000
      await at(fromMs + 1)
      const rounds = new Map<string, string>()
      for (const type of ROUND_TYPES) rounds.set(type, await open(type))
      await at(fromMs + 2_000)
      for (const [nth, type] of ROUND_TYPES.entries())
        for (const who of [2 * nth, 2 * nth + 1])
          expect((await bet(who, rounds.get(type) ?? '', side(who + cycle), 'PRICE')).status).toBe(200)
      // The second cycle's bets are sealed late.
      await at(fromMs + (cycle === 1 ? 9_000 : 2_400))
      await book.turn()
      if (cycle === 2) {
        expect((await asAdmin('DELETE', `/api/v1/game/${rounds.get('60s')}`, { reason: 'a test' })).status).toBe(200)
        expect((await asAdmin('POST', `/api/v1/game/${rounds.get('90s')}`, { result: 'UP' })).status).toBe(200)
      }
      await book.turn()
      await at(fromMs + 121_000)
      await settle()
    }

    const source = await world.source()
    const checked = await checkBook(source, { sha256, rounds: 'all' })
    expect(checked.faults).toEqual([])
    const fromLog = new Map<string, RateCounts>()
    for (const { type, source: prices, counts } of checked.rates)
      fromLog.set(`${type} ${prices}`, addCounts(fromLog.get(`${type} ${prices}`) ?? NO_COUNTS, counts))

    const { types, days } = await readRates(db, {}, createDisputeCounts(db))
    const fromTable = new Map(
      types.map(({ type, source: prices, stakedMinor, profitMinor, ...counts }) => [
        `${type} ${prices}`,
        { ...counts, staked: Number(stakedMinor), profit: Number(profitMinor) },
      ]),
    )
    expect(fromTable).toEqual(fromLog)
    const all = [...fromLog.values()].reduce(addCounts, NO_COUNTS)
    expect(all.up + all.down + all.ties + all.missing).toBe(10)
    expect(all.won + all.lost + all.tied + all.voided).toBe(24)
    expect([all.voided >= 2, all.late]).toEqual([true, 8])
    expect(days.reduce((sum, { profitMinor }) => sum + Number(profitMinor), 0)).toBe(all.profit)
    expect(days.reduce((sum, { squares }) => sum + squares, 0n)).toBe(all.squares)

    // What a restart of the log does to rounds whose last entry waited.
    const { rows: closed } = await db.query<{ id: string }>(`select id from rounds where book = 'closed'`)
    expect(closed.length).toBeGreaterThan(10)
    const ids = closed.map(({ id }) => id)
    await db.tx((tx) => reopenInBook(tx, ids))
    expect(await closeDueInBook(world.deps)).toBe(false)
    const { rows: again } = await db.query<{ id: string }>(`select id from rounds where book = 'closed'`)
    expect(again.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(await readRates(db, {}, createDisputeCounts(db))).toMatchObject({ types, days })
  })
})
