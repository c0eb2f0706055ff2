import { describe, expect, test } from 'vitest'
import { closeBetTransfers, stakeTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { newId } from '#server/platform/process/ids.ts'
import { useApp } from '#testing/app/use-app.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { insertBet } from '#testing/play/bets.ts'
import { holdWithdrawal } from '#testing/play/books.ts'
import { createPlayers, createRound } from '#testing/play/rounds.ts'
import { postTransfers } from './post-transfers.ts'

type Row = { readonly ref: string; readonly reason: string; readonly position: number; readonly bet: object | null }

describe.each(testEngines)('the own ledger on %s', (engine) => {
  const { db, app } = useApp(engine)

  test('no page asked for whole bets ends within one, and its pages are every row', async () => {
    const [player] = await createPlayers(db, 1)
    const ask = async (query: string) => {
      const answer = await app.call('GET', `/api/v1/user/ledger?${query}`, { token: player.bearer.slice(7) })
      expect(answer.status).toBe(200)
      return { rows: answer.rows as unknown as Row[], meta: answer.body['meta'] as { hasMore: boolean; total: number } }
    }
    const round = await createRound(db, { type: '60s' })
    for (const [number, profitMinor] of [50n, -50n, 0n, 50n, -50n, -50n].entries()) {
      const id = newId()
      const status = profitMinor > 0n ? 'won' : profitMinor < 0n ? 'lost' : 'voided'
      await db.tx(async (tx) => {
        await insertBet(tx, player.id, round.id, { id, status, profitMinor, stakeMinor: points(10), direction: 'down' })
        await postTransfers(tx, [stakeTransfer(id, player.id, points(10))], Date.now())
      })
      // Something else may happen between the two ends of a bet.
      if (number % 2 === 0) await holdWithdrawal(db, newId(), player.id, 100n)
      await db.tx((tx) => postTransfers(tx, closeBetTransfers(id, player.id, points(10), profitMinor), Date.now()))
    }
    const every = await ask('limit=100')
    for (const limit of [1, 2, 3, 4, 5]) {
      const pages: Row[][] = []
      for (let before = '', hasMore = true; hasMore; before = `&beforePosition=${pages.at(-1)?.at(-1)?.position}`) {
        const page = await ask(`whole=bets&limit=${limit}${before}`)
        pages.push(page.rows)
        hasMore = page.meta.hasMore
        expect(page.meta.total).toBe(every.rows.length)
      }
      expect(pages.flat()).toEqual(every.rows)
      const pagesOf = (ref: string) => pages.filter((rows) => rows.some((row) => row.ref === ref)).length
      for (const { ref, bet } of every.rows) if (bet !== null) expect(pagesOf(ref)).toBe(1)
    }
    const bets = await ask('whole=bets&reason=BET&limit=3')
    expect(bets.rows.map(({ reason }) => reason)).toEqual(['BET_RETURN', 'BET_STAKE', 'BET_RETURN', 'BET_STAKE'])
    expect(bets.rows[0]?.bet).toEqual({
      ...{ _id: bets.rows[0]?.ref.slice('bet:'.length), gameType: '60s' },
      ...{ value: 'DOWN', status: 'LOSE', profit: -0.5 },
    })
    // 6 stakes, 6 returns and 2 wins.
    expect(bets.meta.total).toBe(14)
    expect((await ask('limit=3')).rows).toHaveLength(3)
  })
})
