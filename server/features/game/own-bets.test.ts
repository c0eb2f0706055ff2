import { describe, expect, test } from 'vitest'
import type { RoundType } from '#domain/game/calendar.ts'
import { newId } from '#server/platform/process/ids.ts'
import { insertBet } from '#testing/play/bets.ts'
import { createRound } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

const dayMs = 86_400_000

describe.each(testEngines)('own bets on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [player, other] = usePeople(db, 2)

  const get = (path: string, who = player) =>
    app.call('GET', `/api/v1/history${path}`, { token: who.bearer.slice('Bearer '.length) })
  const idsOf = async (query: string, who = player) => {
    const { status, rows } = await get(`/user${query}`, who)
    expect(status).toBe(200)
    return rows.map(({ _id }) => _id)
  }

  type Made = {
    readonly type?: RoundType
    readonly acceptedAtMs?: number
    readonly status?: 'open' | 'won' | 'lost' | 'voided'
    readonly basis?: 'PRICE' | 'ADMIN' | 'SCRIPTED'
    readonly stakeMinor?: bigint
    readonly profitMinor?: bigint
  }

  /** Inserts a bet as if it had been booked, without transfers: this test reads only lists and sums. */
  const makeBet = async (made: Made = {}, who = player): Promise<string> => {
    const { type = '30s', acceptedAtMs = Date.now(), status = 'won', basis = 'PRICE' } = made
    const round = await createRound(db, { type })
    const { stakeMinor = 100_00n, profitMinor = null } = made
    return insertBet(db, who.id, round.id, {
      ...{ stakeMinor, basis, status, profitMinor, acceptedAtMs, settledAtMs: acceptedAtMs + 30_000 },
      entryFrom: Math.floor(acceptedAtMs / 1000),
    })
  }

  test('are filtered by type, state, day and id, each page with the total of its filter', async () => {
    const today = Date.now()
    const won = await makeBet({ type: '30s', status: 'won', acceptedAtMs: today - 1_000 })
    const lost = await makeBet({ type: '60s', status: 'lost', acceptedAtMs: today - dayMs })
    const voided = await makeBet({ type: '60s', status: 'voided', acceptedAtMs: today - 2 * dayMs })
    const theirs = await makeBet({}, other)
    expect(await idsOf('')).toEqual([won, lost, voided])
    expect(await idsOf('?type=60s')).toEqual([lost, voided])
    expect(await idsOf('?status=LOSE')).toEqual([lost])
    expect(await idsOf('?type=30s&status=LOSE')).toEqual([])
    const at = (ms: number) => new Date(ms).toISOString()
    expect(await idsOf(`?from=${at(today - dayMs)}`)).toEqual([won, lost])
    // The end of the range is excluded.
    expect(await idsOf(`?from=${at(today - 2 * dayMs)}&to=${at(today - dayMs)}`)).toEqual([voided])
    expect(await idsOf(`?ids=${lost}`)).toEqual([lost])
    expect(await idsOf(`?ids=${theirs}`)).toEqual([])
    const page = await get('/user?type=60s&limit=1&page=2')
    expect(page.rows.map(({ _id }) => _id)).toEqual([voided])
    expect(page.body.meta).toMatchObject({ total: 2, hasMore: false })
    for (const bad of ['?type=45s', '?status=open', '?from=yesterday', '?ids=1'])
      expect((await get(`/user${bad}`)).body.code).toBe('BAD_REQUEST')
  })

  test('are summed without bets decided by staff or a script, which are counted separately', async () => {
    await makeBet({ status: 'won', stakeMinor: 100_00n, profitMinor: 5_00n })
    await makeBet({ status: 'won', stakeMinor: 50_00n, profitMinor: 2_50n })
    await makeBet({ status: 'lost', type: '120s', stakeMinor: 100_00n, profitMinor: -12_00n })
    await makeBet({ status: 'voided', stakeMinor: 70_00n })
    await makeBet({ status: 'open' })
    await makeBet({ status: 'won', basis: 'SCRIPTED', profitMinor: 1_000_00n })
    await makeBet({ status: 'lost', basis: 'ADMIN', profitMinor: -1_000_00n })
    await makeBet({ status: 'won', profitMinor: 9_999_00n }, other)
    expect((await get('/user/summary')).body.data).toEqual({
      progress: 1,
      win: 2,
      lose: 1,
      void: 1,
      staked: 250,
      profit: -4.5,
      leftOut: 2,
      isCapped: false,
    })
    expect((await get('/user/summary?type=120s')).body.data).toMatchObject({ win: 0, lose: 1, profit: -12, leftOut: 0 })
    expect((await get(`/user/summary?to=${new Date(0).toISOString()}`)).body.data).toMatchObject({ win: 0, profit: 0 })
  })

  test('are summed to the newest 10,000, and no further', async () => {
    const id = await makeBet({ status: 'won', stakeMinor: 2_00n, profitMinor: 1_00n })
    const copy = (times: number) =>
      db.query(
        `insert into bets select copy.* from bets b, generate_series(1, $2::integer) n,
           lateral jsonb_populate_record(b, jsonb_build_object('id', md5(n || $3)::uuid)) copy where b.id = $1`,
        [id, times, String(times)],
      )
    await copy(9_999)
    const whole = { win: 10_000, staked: 20_000, profit: 10_000 }
    expect((await get('/user/summary')).body.data).toMatchObject({ ...whole, isCapped: false })
    await copy(2)
    expect((await get('/user/summary')).body.data).toMatchObject({ ...whole, isCapped: true })
  })

  test('show the prices around them to their owner, and no prices where another basis decided', async () => {
    const acceptedAtMs = Math.floor(Date.now() / 1000) * 1000 - 60_000
    const bet = await makeBet({ acceptedAtMs })
    const second = acceptedAtMs / 1000
    for (const offset of [-6, -5, 0, 1, 2])
      await db.query(`insert into ticks (source, second, price, quote_at) values ('simulated', $1, $2, $3)`, [
        BigInt(second + offset),
        offset === 1 ? null : 4_000_000 + offset,
        offset === 1 ? null : new Date((second + offset) * 1000),
      ])
    const { status, body } = await get(`/${bet}/ticks`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ source: 'simulated', acceptedAt: new Date(acceptedAtMs).toISOString() })
    expect((body.data as { ticks: Array<{ second: number; price: number | null }> }).ticks).toEqual(
      [-5, 0, 1, 2].map((offset) => ({
        second: second + offset,
        price: offset === 1 ? null : (4_000_000 + offset) / 1000,
        quoteAt: offset === 1 ? null : new Date((second + offset) * 1000).toISOString(),
      })),
    )
    expect((await get(`/${bet}/ticks`, other)).body.code).toBe('NOT_FOUND')
    expect((await get(`/${newId()}/ticks`)).body.code).toBe('NOT_FOUND')
    expect((await get('/not-an-id/ticks')).body.code).toBe('BAD_REQUEST')
    const scripted = await makeBet({ basis: 'SCRIPTED', acceptedAtMs })
    expect(((await get(`/${scripted}/ticks`)).body.data as { ticks: unknown[] }).ticks).toEqual([])
  })
})
