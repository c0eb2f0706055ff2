import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { BASES } from '#domain/game/bet.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { dayAfter, dayOf, startOfDayMs } from '#domain/day.ts'
import { type MadeBet, makeHistory, recountStatistics } from '#testing/play/bets.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'
import { postTransfers } from '#server/features/wallet/index.ts'
import { adjustmentTransfer } from '#domain/ledger/transfers.ts'
import { foldPlayer } from './fold-player.ts'
import { rollUp } from './roll-up.ts'

const dayMs = 86_400_000
const won: MadeBet = {
  type: '30s',
  basis: 'PRICE',
  status: 'won',
  stakePoints: 100,
  acceptedAtMs: 0,
  lastsMs: 20_000,
  settledAtMs: 0,
}
const betAt = (acceptedAtMs: number, changes: Partial<MadeBet> = {}): MadeBet => ({
  ...won,
  acceptedAtMs,
  settledAtMs: acceptedAtMs + 20_050,
  ...changes,
})

describe.each(testEngines)('statistics on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [player, other] = usePeople(db, 2)

  const ask = (query = '', who = player) =>
    app.call('GET', `/api/v1/user/statistics${query}`, { token: who.bearer.slice('Bearer '.length) })
  /** What the call answers, as the recount writes it: days with bets, without their balance and their time. */
  const read = async (query = '', who = player) => {
    const { status, body } = await ask(query, who)
    expect(status).toBe(200)
    const { days, types, afterWin, afterLoss, playedMs, longestWins, longestLosses, leftOut } = body.data as {
      days: Array<Record<'day' | 'win' | 'lose' | 'void' | 'staked' | 'profit' | 'playedMs' | 'balance', unknown>>
    } & Record<string, unknown>
    return {
      days: days
        .filter(({ win, lose, void: voided }) => Number(win) + Number(lose) + Number(voided) > 0)
        .map(({ playedMs: _, balance: __, ...rest }) => rest),
      ...{ types, afterWin, afterLoss, playedMs, longestWins, longestLosses, leftOut },
    }
  }
  const marks = async () =>
    (await db.query<{ bets: bigint; user_id: string }>(`select user_id, bets from statistics_marks`)).rows

  const nowMs = Date.now()
  /** A history of at most twelve days up to an hour ago, each bet after the end of the one before. */
  const history = fc
    .array(
      fc.record({
        type: fc.constantFrom(...ROUND_TYPES),
        basis: fc.constantFrom(...BASES, 'PRICE' as const, 'PRICE' as const),
        status: fc.constantFrom('won', 'lost', 'voided', 'won', 'lost'),
        stakePoints: fc.integer({ min: 1, max: 1000 }),
        lastsMs: fc.integer({ min: 1, max: 120_000 }),
        lateMs: fc.integer({ min: -30_000, max: 5_000 }),
        gapMs: fc.oneof(
          fc.integer({ min: 0, max: 700_000 }),
          fc.constantFrom(0, 599_999, 600_000, 600_001),
          fc.integer({ min: 0, max: dayMs }),
        ),
      }),
      { maxLength: 40 },
    )
    .map((made) => {
      let atMs = nowMs - 12 * dayMs
      return made.flatMap(({ gapMs, lateMs, ...bet }): MadeBet[] => {
        const acceptedAtMs = atMs + gapMs
        const settledAtMs = acceptedAtMs + Math.max(1, bet.lastsMs + lateMs)
        atMs = Math.max(settledAtMs, acceptedAtMs + bet.lastsMs)
        return atMs < nowMs ? [{ ...bet, acceptedAtMs, settledAtMs }] : []
      })
    })

  test('are those of a recount, whenever days are folded and however late a bet comes', async () => {
    // At least one day is not folded yet when it is read: all bets are counted before it is folded.
    const cuts = fc.array(fc.integer({ min: 26 * 3_600_000, max: 12 * dayMs }), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(history, cuts, fc.nat(11), fc.nat(4), async (bets, foldedAt, first, length) => {
        const [someone] = await createPlayers(db, 1)
        let from = 0
        for (const [at, ageMs] of foldedAt.toSorted((a, b) => b - a).entries()) {
          // All but the last part is there when days up to that time are folded; some bets of it come later.
          const until = Math.floor((bets.length * (at + 1)) / 4)
          await makeHistory(db, someone.id, bets.slice(from, until))
          from = until
          await foldPlayer(db, someone.id, nowMs - ageMs)
        }
        await makeHistory(db, someone.id, bets.slice(from))
        expect(await read('', someone)).toEqual(await recountStatistics(db, someone.id))
        const range = { from: dayOf(nowMs - first * dayMs), to: dayOf(nowMs - (first - length) * dayMs) }
        expect(await read(`?from=${range.from}&to=${range.to}`, someone)).toEqual(
          await recountStatistics(db, someone.id, range),
        )
      }),
      { numRuns: inject('isFull') ? 40 : 10 },
    )
  })

  test('count a bet at once that a clock set back brought into the last folded days', async () => {
    const yesterday = startOfDayMs(dayOf(nowMs - 2 * dayMs)) + dayMs / 2
    await makeHistory(db, player.id, [betAt(yesterday - 3 * dayMs), betAt(yesterday)])
    expect(await rollUp(db)).toBe(2)
    await makeHistory(db, player.id, [betAt(yesterday - 60_000, { status: 'lost' })])
    const sums = await recountStatistics(db, player.id)
    expect(await read()).toEqual(sums)
    expect(await marks()).toEqual([{ user_id: player.id, bets: 3n }])
  })

  test('add up over a bet that ends days later, and count none that is open', async () => {
    const days = [5, 4, 3, 2].map((ago) => startOfDayMs(dayOf(nowMs - ago * dayMs)) + 60_000)
    const [, , open] = await makeHistory(
      db,
      player.id,
      days.map((at, index) => betAt(at, { status: index === 2 ? 'open' : 'won' })),
    )
    expect(await rollUp(db)).toBe(2)
    expect((await read()).longestWins).toBe(3)
    await db.query(`update bets set status = 'lost', profit = -500, settled_at = clock_timestamp() where id = $1`, [
      open ?? '',
    ])
    expect(await rollUp(db)).toBe(2)
    expect(await marks()).toEqual([{ user_id: player.id, bets: 4n }])
    expect(await read()).toEqual(await recountStatistics(db, player.id))
    expect((await read()).longestWins).toBe(2)
  })

  test('fold no open bet, however many bets of its day come before it', async () => {
    const from = startOfDayMs(dayOf(nowMs - 3 * dayMs))
    // A full chunk of one day.
    const before = Array.from({ length: engine === 'embedded' ? 500 : 5_000 }, (_, nth) => betAt(from + nth * 10_000))
    await makeHistory(db, player.id, [...before, betAt(from + dayMs - 60_000, { status: 'open' })])
    expect(await foldPlayer(db, player.id, nowMs)).toBe(0)
    expect((await ask()).status).toBe(200)
  })

  test('fold a day once it has been over for an hour, each bet once, many processes at a time', async () => {
    const today = startOfDayMs(dayOf(nowMs))
    await makeHistory(
      db,
      player.id,
      Array.from({ length: 30 }, (_, at) =>
        betAt(today - 10 * dayMs + at * 0.4 * dayMs, { status: at % 3 === 0 ? 'lost' : 'won' }),
      ).filter(({ settledAtMs }) => settledAtMs < nowMs),
    )
    await makeHistory(db, other.id, [betAt(today - 1)])
    expect(await foldPlayer(db, other.id, today + 3_599_999)).toBe(0)
    const all = await Promise.all([rollUp(db), rollUp(db), rollUp(db)])
    const sums = await recountStatistics(db, player.id)
    expect(await read()).toEqual(sums)
    const before = all.reduce((sum, folded) => sum + folded, 0)
    expect(before).toBe((await marks()).reduce((sum, { bets }) => sum + Number(bets), 0))
    expect(await rollUp(db)).toBe(0)
    // In the first hour of a day the day before is not folded yet; later it is, above.
    const isFolded = (await marks()).length === 2
    expect(await foldPlayer(db, other.id, today + 3_600_000)).toBe(isFolded ? 0 : 1)
  })

  test('fold a long history in several steps, which may be cut off between any two', async () => {
    const from = startOfDayMs(dayOf(nowMs - 20 * dayMs))
    await makeHistory(
      db,
      player.id,
      Array.from({ length: 2_600 }, (_, at) => betAt(from + at * 600_000, { status: at % 7 < 4 ? 'won' : 'lost' })),
    )
    expect(await foldPlayer(db, player.id, from + 9 * dayMs)).toBeGreaterThan(1_000)
    expect(await foldPlayer(db, player.id, nowMs)).toBeGreaterThan(1_000)
    const counted = await recountStatistics(db, player.id)
    expect(await read()).toEqual(counted)
    expect(counted['longestWins']).toBe(4)
  })

  test('keep a bet that staff removed from their list, and leave apart what the price did not decide', async () => {
    const [hidden] = await makeHistory(db, player.id, [
      betAt(nowMs - 2 * dayMs),
      betAt(nowMs - 2 * dayMs + 60_000, { basis: 'ADMIN' }),
      betAt(nowMs - 3_600_000, { basis: 'SCRIPTED' }),
    ])
    await db.query(`update bets set hidden_at = clock_timestamp() where id = $1`, [hidden ?? ''])
    expect(await read()).toMatchObject({ leftOut: 2, types: [{ gameType: '30s', win: 1, lose: 0 }] })
    expect(await read('', other)).toMatchObject({ leftOut: 0, types: [], days: [] })
  })

  test('show the balance after the last transfer of each day, and the one before the range', async () => {
    const at = (ago: number) => startOfDayMs(dayOf(nowMs - ago * dayMs)) + 3_600_000
    const [someone] = await createPlayers(db, 1, { welcomePoints: 0 })
    const give = (ago: number, points: bigint) =>
      db.tx((tx) =>
        postTransfers(tx, [adjustmentTransfer(crypto.randomUUID(), someone.id, points * 100n, 'system', 'x')], at(ago)),
      )
    await give(6, 1000n)
    await give(6, -100n)
    await give(4, 50n)
    await makeHistory(db, someone.id, [betAt(at(5))])
    const balances = async (query = '') => {
      const { openingBalance, days } = (await ask(query, someone)).body.data as {
        openingBalance: number | null
        days: Array<{ day: string; balance: number | null }>
      }
      return [openingBalance, ...days.map(({ day, balance }) => [day, balance])]
    }
    const day = (ago: number) => dayOf(at(ago))
    const whole = [null, [day(6), 900], [day(5), null], [day(4), 950]]
    expect(await balances()).toEqual(whole)
    await give(0, -950n)
    expect(await balances()).toEqual([...whole, [day(0), 0]])
    expect(await balances(`?from=${day(4)}`)).toEqual([900, [day(4), 950], [day(0), 0]])
    expect(await balances(`?from=${day(3)}&to=${day(1)}`)).toEqual([950])
    expect(await balances(`?from=${dayAfter(day(0))}`)).toEqual([0])
    const stored = await db.query(`select 1 from statistics_days where user_id = $1 and closing_balance is not null`, [
      someone.id,
    ])
    expect(stored.rowCount).toBe(2)
  })

  test('tell every change of the balance, and its lowest and highest over all of them', async () => {
    const at = (ago: number) => startOfDayMs(dayOf(nowMs - ago * dayMs)) + 3_600_000
    const [someone] = await createPlayers(db, 1, { welcomePoints: 0 })
    const give = (ago: number, ...points: readonly bigint[]) =>
      db.tx((tx) =>
        postTransfers(
          tx,
          points.map((one) => adjustmentTransfer(crypto.randomUUID(), someone.id, one * 100n, 'system', 'x')),
          at(ago),
        ),
      )
    const told = async (query = '') => {
      const { lowest, highest, changes } = (await ask(query, someone)).body.data as {
        readonly lowest: number | null
        readonly highest: number | null
        readonly changes: ReadonlyArray<{ readonly balance: number }> | null
      }
      return [lowest, highest, changes?.map(({ balance }) => balance)]
    }
    // On a day that ends at 950 the balance had been at 1,000 and at 40.
    await give(3, 1000n, -960n, 910n)
    expect(await told()).toEqual([40, 1000, [1000, 40, 950]])
    await give(1, -10n)
    expect(await told(`?from=${dayOf(at(2))}`)).toEqual([940, 950, [940]])
    expect(await told(`?to=${dayOf(at(2))}`)).toEqual([40, 1000, [1000, 40, 950]])
    // More than can be listed, then more than is looked at.
    await give(1, ...Array.from({ length: 210 }, () => 1n))
    expect(await told()).toEqual([40, 1150, undefined])
    await give(0, ...Array.from({ length: 2_000 }, () => 1n))
    expect(await told()).toEqual([null, null, undefined])
    expect(await told(`?from=${dayOf(at(-1))}`)).toEqual([3150, 3150, []])
  })

  test('refuse days that are none', async () => {
    for (const bad of ['?from=yesterday', '?from=2026-13-01', '?to=9999-12-31', '?from=2026-11-20T00:00:00.000Z'])
      expect((await ask(bad)).body.code).toBe('BAD_REQUEST')
    expect((await ask('?from=2026-11-21&to=2026-11-20')).status).toBe(200)
    expect((await ask('?from=1900-01-01&to=2099-12-31')).status).toBe(200)
    expect((await app.call('GET', '/api/v1/user/statistics', {})).status).toBe(401)
  })
})
