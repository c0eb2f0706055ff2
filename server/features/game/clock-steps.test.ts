import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { ROUND_TYPES, windowOf } from '#domain/game/calendar.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { createMarket, type Market } from '#server/features/market/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { createClock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNative } from '#server/platform/database/native.ts'
import { brokenInvariants, createAdmin, subjectOfPlayer } from '#testing/play/books.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { balancesOf, createPlayers, createRound, encodeBet, noHints, wish } from '#testing/play/rounds.ts'
import { openSettableDatabase, type SettableDatabase } from '#testing/time/settable-database.ts'
import { resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { type EngineDeps, settleDue, startRoundEngine } from './engine.ts'
import { openRound } from './open-round.ts'
import { listBetTicks } from './own-bets.ts'
import { createBetPlacer } from './place-bets.ts'
import { listOwnBets, listRounds, readRoundPrices, readWindowRound, type RoundFilter } from './queries.ts'
import { settleRound } from './settle-round.ts'

const log = createLog('silent')
const simulated = { goldFeed: 'simulated', pythUrl: '', pythApiKey: null, swissquoteUrl: '' } as const
const labelOf = () => 'Giá mô phỏng'
/** The newest rounds of a filter, as a call asks for them. */
const newest = (limit: number, filter: RoundFilter) => ({
  filter,
  sort: { column: 'startTime', isDescending: true },
  page: { page: 1, limit, offset: 0 },
})

describe.each(testEngines)('when the clock of the %s engine is set', (engine) => {
  let db: SettableDatabase
  let admin: Subject
  const running: Array<{ stop(): unknown }> = []
  beforeAll(async () => {
    db = await openSettableDatabase(engine)
  })
  beforeEach(async () => {
    await resetDatabase(db)
    await db.setAhead(0)
    admin = await createAdmin(db)
  })
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop()
  })
  afterAll(() => db.close())

  /** One process: its clock, its market and its engine. On the embedded engine its wall clock is the database's. */
  async function start(own: Database = db) {
    const local = { wallMs: () => Date.now() + db.aheadMs(), monotonicMs: () => performance.now() }
    const clock = await createClock(own, { local })
    running.push(clock)
    const market = createMarket({ db: own, clock, settings: simulated, log })
    await market.start()
    running.push(market)
    const deps = { ...depsOf(market), db: own, clock, log }
    running.push(startRoundEngine(deps))
    return { ...deps, market, place: createBetPlacer(deps, encodeBet) }
  }
  /** Dependencies for the commands alone, with the market's prices and a clock that is always sure. */
  const depsOf = (market: Market) => ({
    db,
    prices: market,
    hints: noHints,
  })
  async function standing() {
    const clock = createFakeClock(Date.now())
    const market = createMarket({ db, clock, settings: simulated, log })
    await market.start()
    running.push(market)
    return { ...depsOf(market), clock, log, market } satisfies EngineDeps & { market: Market }
  }
  const statusOf = async (betId: string) =>
    (
      await db.query<{ status: string; void_reason: string | null }>(
        'select status, void_reason from bets where id = $1',
        [betId],
      )
    ).rows[0]
  const aTick = { timeout: 8_000, interval: 20 }

  test.each([1, 3, 60, 3_600, 86_400])(
    'back by %i s: no bet is accepted before the already public prices have come again',
    async (seconds) => {
      const deps = await standing()
      const [player] = await createPlayers(db, 1)
      const round = await createRound(db, { goneS: 90_000, leftS: 100 })
      const told = Math.floor(Date.now() / 1000)
      await db.freezeAt(told * 1000)
      await deps.prices.ensureTicks(db, 'simulated', told - 1, told)
      const place = createBetPlacer(deps, encodeBet)
      for (const backMs of [seconds * 1000, 500, 1].filter((ms) => ms <= seconds * 1000)) {
        await db.freezeAt(told * 1000 - backMs)
        expect(await place(wish(player, round.id))).toEqual({ ok: false, refusal: 'CLOCK_UNSURE' })
        const row = { price_source: 'simulated', opens_at: new Date(round.opensAtMs) } as never
        expect(await readRoundPrices(db, row)).toMatchObject({ isEntryTold: true })
      }
      expect(await balancesOf(db, player.id)).toMatchObject({ wallet: 100_000n, staked: 0n })
      // The second of the last public price has come: the prices after it are unknown to everybody.
      await db.freezeAt(told * 1000 + 1)
      expect(await place(wish(player, round.id))).toMatchObject({ ok: true })
    },
  )

  test('no round is written before its window, nor found before it', async () => {
    const deps = await standing()
    const { opensAtMs } = windowOf('30s', Date.now())
    for (const aheadMs of [1, 3_000, 3_600_000]) {
      await db.freezeAt(opensAtMs - aheadMs)
      expect(await openRound(db, deps.prices, '30s', opensAtMs + 2)).toBe('early')
    }
    await db.freezeAt(opensAtMs)
    expect(await openRound(db, deps.prices, '30s', opensAtMs + 2)).toBe('made')
    await db.freezeAt(opensAtMs - 300)
    expect(await readWindowRound(db, '30s', opensAtMs + 2)).toBeNull()
    expect(await listRounds(db, newest(9, { isForStaff: true }), admin, labelOf)).toEqual([])
  })

  test('a round beyond the calendar is deleted by the system once the clock is sure, and its bets are void', async () => {
    const deps = await standing()
    const [player] = await createPlayers(db, 1)
    const ahead = await createRound(db, { goneS: -3_600, leftS: 3_660 })
    const near = await createRound(db, { type: '90s', goneS: 0, leftS: 90 })
    await db.freezeAt(ahead.opensAtMs + 5_000)
    const bet = wish(player, ahead.id)
    expect(await createBetPlacer(deps, encodeBet)(bet)).toMatchObject({ ok: true })
    await db.freezeAt(near.opensAtMs - 100)
    deps.clock.setSure(false)
    expect(await settleDue(deps)).toBe(true)
    expect(await statusOf(bet.betId)).toMatchObject({ status: 'open' })
    deps.clock.setSure(true)
    await settleDue(deps)
    expect(await statusOf(bet.betId)).toEqual({ status: 'voided', void_reason: 'ROUND_DELETED' })
    expect(await balancesOf(db, player.id)).toMatchObject({ wallet: 100_000n, staked: 0n })
    const { rows: acts } = await db.query('select actor, act, target from audit_log')
    expect(acts).toEqual([{ actor: 'system', act: 'round.delete', target: `round:${ahead.id}` }])
    const { rows: told } = await db.query<{ kind: string; fields: string }>(
      `select kind, fields from book_queue where kind = 'act'`,
    )
    expect(told).toEqual([
      {
        kind: 'act',
        fields: `,"act":"round.delete","actor":null,"round":"${ahead.id}","bet":null,"amount":null,"c":null}`,
      },
    ])
    // A tenth of a second does not count as a step of the clock: that round stays.
    const { rows } = await db.query<{ id: string }>('select id from rounds where deleted_at is null')
    expect(rows).toEqual([{ id: near.id }])
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('a round settled while the clock was ahead hides its prices until their seconds come again', async () => {
    const deps = await standing()
    const [player] = await createPlayers(db, 1)
    const round = await createRound(db, { type: '30s', goneS: 0, leftS: 30 })
    await db.freezeAt(round.opensAtMs + 20_000)
    const bet = wish(player, round.id)
    expect(await createBetPlacer(deps, encodeBet)(bet)).toMatchObject({ ok: true })
    await db.freezeAt(round.closesAtMs)
    await settleRound(deps, round.id)
    const shown = async () => {
      const [own] = await listOwnBets(db, player.id, 1, 0)
      const ticks = await listBetTicks(db, player.id, bet.betId, labelOf)
      const asked = newest(1, { type: '30s', isForStaff: false })
      const [listed] = await listRounds(db, asked, subjectOfPlayer(player), labelOf)
      return {
        entry: own?.entryPrice !== null,
        exit: own?.exitPrice !== null,
        ticksAfterNow: ticks?.ticks.filter(({ second }) => second * 1000 > round.opensAtMs + 15_000).length,
        open: listed?.openPrice !== null,
        close: listed?.closePrice !== null,
      }
    }
    expect(await shown()).toEqual({ entry: true, exit: true, ticksAfterNow: 15, open: true, close: true })
    await db.freezeAt(round.opensAtMs + 15_000)
    expect(await shown()).toEqual({ entry: false, exit: false, ticksAfterNow: 0, open: true, close: false })
    const row = { price_source: 'simulated', opens_at: new Date(round.opensAtMs + 21_000) } as never
    expect(await readRoundPrices(db, row)).toMatchObject({ openPrice: null })
    await db.freezeAt(round.opensAtMs + 25_000)
    expect(await shown()).toMatchObject({ entry: true, exit: false, close: false })
    await db.freezeAt(round.closesAtMs)
    expect(await shown()).toMatchObject({ entry: true, exit: true, close: true })
  })

  test('a round that was being settled when the clock was set back is settled to its end', async () => {
    const deps = await standing()
    const [player] = await createPlayers(db, 1)
    const round = await createRound(db, { type: '30s', goneS: 0, leftS: 30 })
    await db.freezeAt(round.opensAtMs + 20_000)
    const bet = wish(player, round.id)
    expect(await createBetPlacer(deps, encodeBet)(bet)).toMatchObject({ ok: true })
    await db.freezeAt(round.closesAtMs)
    await deps.prices.ensureTicks(db, 'simulated', round.opensAtMs / 1000, round.closesAtMs / 1000)
    await db.query(`update rounds set status = 'settling' where id = $1`, [round.id])
    await db.freezeAt(round.closesAtMs - 3_600_000)
    await settleDue(deps)
    expect((await statusOf(bet.betId))?.status).not.toBe('open')
  })

  test.each(inject('isFull') ? [3, 3_600, 86_400] : [3, 86_400])(
    'forward by %i s and back, with bets arriving: nothing hangs, nothing is known early',
    async (seconds) => {
      const own = db.url === null ? null : openNative({ url: db.url, max: 6 })
      const processes = [await start(), ...(own === null ? [] : [await start(own)])]
      try {
        const players = await createPlayers(db, 40)
        // In the last seconds of a window the calendar opens no more rounds.
        const always = await createRound(db, { type: '120s', leftS: 100 })
        let next = 0
        const placed: Array<{ id: string; sentAtMs: number }> = []
        const bet = async (): Promise<void> => {
          const process = processes[next % processes.length]!
          const player = players[next++ % players.length]!
          // Like the route: the process's own clock is checked first.
          if (!process.clock.isSure()) return
          const row = await readWindowRound(db, ROUND_TYPES[next % 4]!, process.clock.now())
          const call = wish(player, row?.id ?? always.id)
          const sentAtMs = Date.now()
          if ((await process.place(call)).ok) placed.push({ id: call.betId, sentAtMs })
        }
        const isBetting = { on: true }
        const betting = (async () => {
          while (isBetting.on) {
            await Promise.all([bet(), bet(), bet()])
            await sleep(10)
          }
        })()
        const lastSeconds = () => processes.map(({ market }) => market.lastTick('simulated')?.second ?? 0)
        const areAt = (ahead: number) => () =>
          lastSeconds().every((second) => Math.abs(second - Math.floor(Date.now() / 1000) - ahead) <= 1)
        await expect.poll(areAt(0), aTick).toBe(true)
        await expect.poll(() => placed.length, aTick).toBeGreaterThan(0)
        await db.setAhead(seconds * 1000)
        await expect.poll(areAt(seconds), aTick).toBe(true)
        await sleep(300)
        await db.setAhead(0)
        const { rows: ahead } = await db.query(
          `select 1 from ticks where second > extract(epoch from clock_timestamp()) + 1`,
        )
        expect(ahead.length).toBeGreaterThan(0)
        await expect.poll(areAt(0), aTick).toBe(true)
        await expect.poll(() => processes.every(({ clock }) => clock.isSure()), aTick).toBe(true)
        isBetting.on = false
        await betting

        // Bets of rounds beyond the calendar are void by now; the other bets end with their round.
        await expect
          .poll(async () => {
            const { rows } = await db.query(
              `select 1 from bets b join rounds r on r.id = b.round_id
                where b.status = 'open' and (r.closes_at < clock_timestamp() - interval '1.5 s'
                  or r.closes_at > clock_timestamp() + interval '121 s')`,
            )
            return rows.length
          }, aTick)
          .toBe(0)
        // Ticks are stamped by the machine's own clock, which was never set: no tick existed before the bet was sent.
        const { rows: early } = await db.query(
          `select b.id from unnest($1::uuid[], $2::timestamptz[]) as b (id, sent_at)
             join bets on bets.id = b.id join rounds r on r.id = bets.round_id
             join ticks t on t.source = r.price_source and t.second >= bets.entry_from
            where t.recorded_at < b.sent_at`,
          [placed.map(({ id }) => id), placed.map(({ sentAtMs }) => new Date(sentAtMs))],
        )
        expect(early).toEqual([])
        expect((await verifyLedger(db, true)).findings).toEqual([])
      } finally {
        for (const one of running.splice(0).toReversed()) await one.stop()
        await own?.close()
      }
    },
  )
})
