import Fastify from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TickPrice } from '#domain/game/settle.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { points } from '#domain/money.ts'
import { createLog } from '#server/platform/process/log.ts'
import { registerMetrics } from '#server/platform/process/metrics.ts'
import { brokenInvariants, createAdmin, letPass } from '#testing/play/books.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { balancesOf, createPlayers, createRound, encodeBet, fixedPrices, noHints, wish } from '#testing/play/rounds.ts'
import { type StepVisitor, stepDatabase } from '#testing/killed/stepped-database.ts'
import { holdOpen } from '#testing/database/hold-open.ts'
import { resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { deleteRound } from './delete-round.ts'
import { type EngineDeps, settleDue } from './engine.ts'
import type { RoundPrices } from './ports.ts'
import { createBetPlacer } from './place-bets.ts'
import { setResult } from './set-result.ts'
import { DUE_AT_ONCE, settleRound } from './settle-round.ts'
import { measureSettlement } from './watch-settlement.ts'

const rising = fixedPrices((second) => second)

describe.each(testEngines)('what a process leaves behind on %s', (engine) => {
  const db = useDatabase(engine)
  let admin: Subject
  beforeEach(async () => {
    admin = await createAdmin(db)
  })

  const deps = (over: Partial<EngineDeps> = {}): EngineDeps => ({
    db,
    prices: rising,
    hints: noHints,
    clock: createFakeClock(),
    log: createLog('silent'),
    ...over,
  })
  /** Passes of a living process, until no round needs another one. */
  const sweep = async (over: Partial<EngineDeps> = {}) => {
    for (let passes = 1; ; passes++) {
      if (!(await settleDue(deps(over)))) return passes
      if (passes === 20) throw new Error('The due rounds are never done.')
    }
  }
  const betOn = async (roundId: string, count: number) => {
    const players = await createPlayers(db, count)
    const place = createBetPlacer(deps(), encodeBet)
    const answers = await Promise.all(
      players.map((player, nth) => place(wish(player, roundId, 10, nth % 2 === 0 ? 'up' : 'down'))),
    )
    expect(answers.every(({ ok }) => ok)).toBe(true)
    return players
  }
  const stateOf = async (roundId: string) => {
    const { rows } = await db.query<{ state: string }>(
      `select r.status || coalesce(' ' || r.result, '') || ': ' ||
              coalesce((select string_agg(n || ' ' || ending, ', ' order by ending) from (
                select b.status || coalesce(' ' || b.void_reason, '') as ending, count(*) as n
                  from bets b where b.round_id = r.id group by 1) e), 'no bets') as state
         from rounds r where r.id = $1`,
      [roundId],
    )
    return rows[0]?.state
  }

  test.each([
    // A kill after a statement is the same as one before the next statement. Only a COMMIT leaves a different state.
    ['before each step', 'before', 15],
    ['after each COMMIT', 'after', 5],
  ] as const)('is finished by the next, wherever it died: %s', async (_name, moment, atLeast) => {
    let crashes = 0
    for (let at = 1; ; at++) {
      await resetDatabase(db)
      const round = await createRound(db, { leftS: 30 })
      await betOn(round.id, 7)
      await letPass(db, 40)
      let passed = 0
      const visitor: StepVisitor = {
        [moment](_step: number, what: string) {
          if ((moment === 'before' || what.startsWith('commit')) && ++passed === at) throw new Error('crash')
        },
      }
      const dying = settleRound({ ...deps(), db: stepDatabase(db, visitor), chunkSize: 3 }, round.id)
      const end = await dying.catch((error: Error) => error.message)
      // Past the last step nothing crashes: every step was covered.
      if (end === 'ended') break
      expect(end).toBe('crash')
      crashes++
      await sweep()
      expect({ at, state: await stateOf(round.id) }).toEqual({ at, state: 'ended up: 3 lost, 4 won' })
      expect(await brokenInvariants(db)).toEqual([])
    }
    expect(crashes).toBeGreaterThanOrEqual(atLeast)
  })

  test('rounds of a downtime are settled by their ticks, all types and those without bets too', async () => {
    const types = ['30s', '60s', '90s', '120s'] as const
    const rounds = await Promise.all(types.map((type, nth) => createRound(db, { type, leftS: 30 + nth })))
    for (const round of rounds.slice(0, 3)) await betOn(round.id, 2)
    await letPass(db, 3600)
    expect(await sweep()).toBe(1)
    for (const [nth, round] of rounds.entries())
      expect(await stateOf(round.id)).toBe(nth === 3 ? 'ended up: no bets' : 'ended up: 1 lost, 1 won')
    expect(await brokenInvariants(db)).toEqual([])
    expect(await sweep()).toBe(1)
  })

  test('a deleted round whose bets are still open returns their stakes, before its end and after', async () => {
    const early = await createRound(db)
    const late = await createRound(db, { leftS: 30 })
    const players = [...(await betOn(early.id, 2)), ...(await betOn(late.id, 2))]
    // As if a process died right after it had committed the delete.
    await db.query(`update rounds set deleted_at = clock_timestamp()`)
    await db.query(`update rounds set closes_at = closes_at - interval '1 minute' where id = $1`, [late.id])
    await sweep()
    for (const round of [early, late]) expect(await stateOf(round.id)).toBe('ended: 2 voided ROUND_DELETED')
    for (const player of players) expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('a round with incomplete ticks is not touched until they are complete', async () => {
    const round = await createRound(db, { leftS: 30 })
    await betOn(round.id, 2)
    await letPass(db, 40)
    const dark: RoundPrices = { ...rising, ensureTicks: async () => ({ ticks: [], isComplete: false }) }
    expect(await settleDue(deps({ prices: dark }))).toBe(true)
    expect(await stateOf(round.id)).toBe('running: 2 open')
    await sweep()
    expect(await stateOf(round.id)).toBe('ended up: 1 lost, 1 won')
  })

  test('rounds that fail delay no other, however many they are', async () => {
    const [bad, good] = [await createRound(db, { leftS: 29, source: 'broken' }), await createRound(db, { leftS: 31 })]
    for (let more = 1; more < DUE_AT_ONCE; more++) await createRound(db, { leftS: 30, source: 'broken' })
    await betOn(bad.id, 2)
    await betOn(good.id, 2)
    await letPass(db, 40)
    const half: RoundPrices = {
      ...rising,
      ensureTicks(on, source, from, to) {
        if (source === 'broken') return Promise.reject(new Error('no such source'))
        return rising.ensureTicks(on, source, from, to)
      },
    }
    expect(await settleDue(deps({ prices: half }))).toBe(true)
    expect(await stateOf(bad.id)).toBe('running: 2 open')
    expect(await stateOf(good.id)).toBe('ended up: 1 lost, 1 won')
  })

  test('how long rounds wait is measured: each once, by who settled it, and those that still wait', async () => {
    const bad = await createRound(db, { leftS: 29, source: 'broken' })
    const good = await createRound(db, { leftS: 30 })
    const deleted = await createRound(db, { leftS: 31 })
    for (const { id } of [bad, good, deleted]) await betOn(id, 2)
    const process = () => {
      const { registry, ...metrics } = registerMetrics(Fastify(), { metricsToken: null, isDevelopment: true })
      const watch = measureSettlement({ registry, ...metrics }, { now: () => Date.now() })
      const valueOf = async (name: string) =>
        Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await registry.metrics())?.[1] ?? Number.NaN)
      return { watch, valueOf }
    }
    const [one, other] = [process(), process()]
    expect(await deleteRound(deps({ watch: one.watch }), admin, deleted.id)).toBeNull()
    await letPass(db, 40)
    const half: RoundPrices = {
      ...rising,
      ensureTicks: (on, source, from, to) =>
        source === 'broken' ? Promise.reject(new Error('no such source')) : rising.ensureTicks(on, source, from, to),
    }
    await settleDue(deps({ prices: half, watch: one.watch }))
    expect(await stateOf(good.id)).toBe('ended up: 1 lost, 1 won')
    expect(await one.valueOf('settlement_lag_seconds_count')).toBe(1)
    const lagS = await one.valueOf('settlement_lag_seconds_sum')
    expect(lagS).toBeGreaterThan(9.9)
    expect(lagS).toBeLessThan(40)
    expect(await one.valueOf('settlement_waiting_seconds')).toBeGreaterThan(10.9)

    await sweep({ watch: other.watch })
    expect(await stateOf(bad.id)).toBe('ended up: 1 lost, 1 won')
    expect(await stateOf(deleted.id)).toMatch(/^ended: 2 voided/)
    await settleDue(deps({ watch: one.watch }))
    expect(await one.valueOf('settlement_waiting_seconds')).toBe(0)
    expect(await one.valueOf('settlement_lag_seconds_count')).toBe(1)
    expect(await other.valueOf('settlement_lag_seconds_count')).toBe(1)
    expect(await other.valueOf('settlement_lag_seconds_sum')).toBeGreaterThan(10.9)
  })

  test('nothing is settled while the database’s time is unknown', async () => {
    const round = await createRound(db, { leftS: 30 })
    await betOn(round.id, 2)
    await letPass(db, 40)
    const clock = createFakeClock()
    clock.setCanSettle(false)
    expect(await settleDue(deps({ clock }))).toBe(false)
    expect(await stateOf(round.id)).toBe('running: 2 open')
    clock.setCanSettle(true)
    await settleDue(deps({ clock }))
    expect(await stateOf(round.id)).toBe('ended up: 1 lost, 1 won')
  })

  test('a delete that committed after the row was read counts: the round is settled as it is under its lock', async () => {
    const round = await createRound(db, { leftS: 30 })
    await betOn(round.id, 2)
    await letPass(db, 40)
    // A delete may wait long for its lock, with the clock read before: the first statement still reads a running row.
    const stepped = stepDatabase(db, {
      async after(step) {
        if (step === 1) await db.query(`update rounds set deleted_at = clock_timestamp() where id = $1`, [round.id])
      },
    })
    expect(await settleRound({ ...deps(), db: stepped }, round.id)).toBe('ended')
    expect(await stateOf(round.id)).toBe('ended: 2 voided ROUND_DELETED')
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('a result and its prices are fixed once, and a deleted round never gets any', async () => {
    const announced = await createRound(db, { leftS: 30 })
    const tied = await createRound(db, { leftS: 31 })
    const deleted = await createRound(db, { leftS: 32 })
    await betOn(announced.id, 2)
    await setResult(deps(), admin, announced.id, 'down')
    expect(await deleteRound(deps(), admin, deleted.id)).toBeNull()
    await letPass(db, 40)
    // Only the round that ends at the tied second has equal prices.
    const { rows: times } = await db.query<{ opens: bigint; closes: bigint }>(
      `select extract(epoch from opens_at)::bigint as opens, extract(epoch from closes_at)::bigint as closes from rounds where id = $1`,
      [tied.id],
    )
    const flatAt = new Set([Number(times[0]?.opens), Number(times[0]?.closes)])
    await settleRound({ ...deps(), prices: fixedPrices((second) => (flatAt.has(second) ? 7 : second)) }, tied.id)
    await sweep()
    const { rows } = await db.query<{
      id: string
      result: string | null
      open_price: number | null
      is_settling: boolean
    }>(`select id, result, open_price, settling_at is not null as is_settling from rounds`)
    const byId = new Map(rows.map((row) => [row.id, row]))
    // The direction that staff set is the round's result, but decides no bet placed before it.
    expect(byId.get(announced.id)).toMatchObject({ result: 'down', is_settling: true })
    expect(await stateOf(announced.id)).toBe('ended down: 1 lost, 1 won')
    expect(byId.get(tied.id)).toMatchObject({ result: null, open_price: 7 })
    expect(byId.get(deleted.id)).toMatchObject({ result: null, open_price: null, is_settling: false })
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('two processes that settle at once share the work, and a missing tick voids by NO_TICK', async () => {
    const round = await createRound(db, { leftS: 30 })
    await betOn(round.id, 20)
    await letPass(db, 40)
    const closes = await db.query<{ closes: bigint }>(
      `select extract(epoch from closes_at)::bigint as closes from rounds where id = $1`,
      [round.id],
    )
    const last = Number(closes.rows[0]?.closes)
    const prices: RoundPrices = {
      ...rising,
      async ensureTicks(on, source, from, to) {
        const { ticks, isComplete } = await rising.ensureTicks(on, source, from, to)
        const gone = (tick: TickPrice): TickPrice => ({ ...tick, price: null, quoteAtMs: null })
        return { ticks: ticks.map((tick) => (tick.second === last ? gone(tick) : tick)), isComplete }
      },
    }
    const states = await Promise.all([1, 2, 3].map(() => settleRound({ ...deps(), prices, chunkSize: 4 }, round.id)))
    expect(states).toContain('ended')
    await sweep({ prices })
    expect(await stateOf(round.id)).toBe('ended: 20 voided NO_TICK')
    expect(await brokenInvariants(db)).toEqual([])
  })

  describe.runIf(engine === 'native')('with a second connection (PostgreSQL only)', () => {
    test('a round does not end while another process holds a bet of it', async () => {
      const round = await createRound(db, { leftS: 30 })
      await betOn(round.id, 6)
      await letPass(db, 40)
      const bet = `select 1 from bets where id = (select id from bets order by id limit 1) for update`
      const held = await holdOpen(db, (tx) => tx.query(bet))
      try {
        expect(await settleRound(deps(), round.id)).toBe('helping')
        expect(await stateOf(round.id)).toMatch(/^settling up: .*1 open/)
        // A second pass finds the same state and changes nothing.
        expect(await settleDue(deps())).toBe(true)
        expect(await stateOf(round.id)).toMatch(/^settling up: .*1 open/)
      } finally {
        await held.commit()
      }
      await sweep()
      expect(await stateOf(round.id)).toBe('ended up: 3 lost, 3 won')
    })
  })
})
