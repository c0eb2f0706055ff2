import { afterEach, describe, expect, test } from 'vitest'
import { EPOCH_MS, ROUND_TYPES, type RoundType, windowAt, windowOf } from '#domain/game/calendar.ts'
import { createClock } from '#server/platform/process/clock.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { createLog } from '#server/platform/process/log.ts'
import { brokenInvariants, createAdmin } from '#testing/play/books.ts'
import { insertBet } from '#testing/play/bets.ts'
import { createFakeClock, type FakeClock } from '#testing/time/fake-clock.ts'
import { createPlayers, createRound, encodeBet, fixedPrices, noHints, wish } from '#testing/play/rounds.ts'
import { stepDatabase } from '#testing/killed/stepped-database.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { deleteRound } from './delete-round.ts'
import { type EngineDeps, type RoundEngine, startRoundEngine } from './engine.ts'
import { forceCreateRound } from './force-create-round.ts'
import { openRound } from './open-round.ts'
import { createBetPlacer } from './place-bets.ts'
import type { RoundPrices } from './ports.ts'
import { readWindowRound } from './queries.ts'

const rising = fixedPrices((second) => second)
const log = createLog('silent')
/**
 * Every round length divides 360 s, so one round of each type begins at such a boundary. The boundary lies in the past,
 * because no row is written ahead.
 */
const BOUNDARY_MS = EPOCH_MS + 1_000 * 360_000

describe.each(testEngines)('rounds by the calendar on %s', (engine) => {
  const db = useDatabase(engine)
  const running: RoundEngine[] = []
  afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())))

  const start = (over: Partial<EngineDeps> & Pick<EngineDeps, 'clock'>) => {
    const one = startRoundEngine({ db, prices: rising, hints: noHints, log, ...over })
    running.push(one)
    return one
  }
  const rounds = async () => {
    const { rows } = await db.query<{ type: RoundType; index: bigint; attempt: number }>(
      `select type, index, attempt from rounds order by length(type), type, index, attempt`,
    )
    return rows.map(({ type, index, attempt }) => `${type} ${index} ${attempt}`)
  }
  const windowsAt = (nowMs: number, types: readonly RoundType[] = ROUND_TYPES) =>
    types.map((type) => `${type} ${windowOf(type, nowMs).index} 0`)
  const soon = { timeout: 10_000, interval: 5 }

  test('the signed bytes of ticks that may be entries of open bets are stored when the process ends', async () => {
    const now = Math.floor(Date.now() / 1000)
    const players = await createPlayers(db, 3)
    for (const [nth, source] of ['live', 'simulated', 'live'].entries()) {
      const { id } = await createRound(db, { source, goneS: 40 })
      await insertBet(db, players[nth]!.id, id, { status: 'open', entryFrom: now - 20 + nth })
    }
    const kept: Array<readonly [source: string, seconds: readonly number[]]> = []
    const prices: RoundPrices = {
      ...rising,
      isLive: (source) => source === 'live',
      keepEvidence: async (_, source, seconds) => void kept.push([source, seconds]),
    }
    await start({ clock: createFakeClock(now * 1000), prices }).stop()
    expect(kept).toEqual([['live', expect.arrayContaining([now - 20, now - 19, now])]])
    expect(kept[0]?.[1][0]).toBe(now - 20)
  })

  test('begin at their boundary: the first process writes the row, once', async () => {
    const clock = createFakeClock(BOUNDARY_MS - 8)
    const opened: RoundType[] = []
    const hints = { ...noHints, roundOpened: (type: RoundType) => void opened.push(type) }
    const other = createFakeClock(BOUNDARY_MS - 8)
    start({ clock, hints })
    start({ clock: other, hints })
    // Eight ms before the boundary no late row is written, and the next rounds have not begun.
    await expect.poll(() => opened.length, soon).toBe(8)
    expect(await rounds()).toEqual([])
    clock.set(BOUNDARY_MS + 2)
    other.set(BOUNDARY_MS + 2)
    await expect.poll(() => opened.length, soon).toBe(16)
    expect(await rounds()).toEqual(windowsAt(BOUNDARY_MS))
    const { rows } = await db.query<{ type: RoundType; opens: bigint; locks: bigint; closes: bigint }>(
      `select type, (extract(epoch from opens_at) * 1000)::bigint as opens, (extract(epoch from locks_at) * 1000)::bigint as locks,
              (extract(epoch from closes_at) * 1000)::bigint as closes from rounds`,
    )
    for (const { type, opens, locks, closes } of rows) {
      const window = windowOf(type, BOUNDARY_MS)
      expect([Number(opens), Number(locks), Number(closes)]).toEqual([
        BOUNDARY_MS,
        window.closesAtMs - 1_000,
        window.closesAtMs,
      ])
    }
  })

  test('a type that can’t be opened delays no other type, and is tried again', async () => {
    const clock = createFakeClock(BOUNDARY_MS + 5)
    let failures = 0
    const prices: RoundPrices = {
      ...rising,
      chooseSource(opensAtMs, closesAtMs) {
        if (closesAtMs - opensAtMs === 30_000 && failures++ < 3) throw new Error('no source for this type')
        return rising.chooseSource(opensAtMs, closesAtMs)
      },
    }
    start({ clock, prices })
    await expect.poll(rounds, soon).toEqual(windowsAt(BOUNDARY_MS, ['60s', '90s', '120s']))
    await expect.poll(rounds, soon).toEqual(windowsAt(BOUNDARY_MS))
    expect(failures).toBe(4)
  })

  test('every process notifies its own sockets of a new round, also the process that came second', async () => {
    const tellings: string[] = []
    const told = (name: string, clock: FakeClock) =>
      start({ clock, hints: { ...noHints, roundOpened: (type) => void tellings.push(`${name} ${type}`) } })
    told('a', createFakeClock(BOUNDARY_MS + 5))
    told('b', createFakeClock(BOUNDARY_MS + 5))
    await expect.poll(() => tellings.length, soon).toBe(8)
    expect(tellings.toSorted()).toEqual(
      ['a', 'b'].flatMap((name) => ROUND_TYPES.map((type) => `${name} ${type}`)).toSorted(),
    )
    expect(await rounds()).toEqual(windowsAt(BOUNDARY_MS))
  })

  test('a late start writes rows where 10 s remain, and none for windows of the downtime', async () => {
    // 20.5 s in: the 30 s round has 9.5 s left. Earlier windows were missed altogether.
    const clock = createFakeClock(BOUNDARY_MS + 20_500)
    const told: RoundType[] = []
    start({ clock, hints: { ...noHints, roundOpened: (type) => void told.push(type) } })
    await expect.poll(() => told.length, soon).toBe(4)
    expect(await rounds()).toEqual(windowsAt(BOUNDARY_MS, ['60s', '90s', '120s']))
  })

  test.each([
    // A row is written at its start and shortly after it; later only while 10 s remain.
    [0, true],
    [2_999, true],
    [20_000, true],
    [20_001, false],
    [29_999, false],
  ])('a row %i ms after the start of a 30 s window is written: %s', async (lateMs, isWritten) => {
    expect(await openRound(db, rising, '30s', BOUNDARY_MS + lateMs)).toBe(isWritten ? 'made' : 'kept')
    expect(await rounds()).toEqual(isWritten ? windowsAt(BOUNDARY_MS, ['30s']) : [])
    if (isWritten) expect(await openRound(db, rising, '30s', BOUNDARY_MS + lateMs)).toBe('kept')
  })

  test('its source is chosen for its whole window, and a live one locks earlier', async () => {
    const asked: number[][] = []
    const live: RoundPrices = {
      ...rising,
      chooseSource: (...window) => {
        asked.push(window)
        return 'pyth'
      },
      isLive: (source) => source === 'pyth',
    }
    const window = windowAt('90s', 7)
    await openRound(db, live, '90s', window.opensAtMs + 40_000)
    expect(asked).toEqual([[window.opensAtMs, window.closesAtMs]])
    const row = await readWindowRound(db, '90s', window.opensAtMs)
    expect(row).toMatchObject({ price_source: 'pyth', locks_at: new Date(window.closesAtMs - 3_000) })
  })

  test('while the clock is unsure no round is written, and clients are notified when that begins and ends', async () => {
    const clock = createFakeClock(BOUNDARY_MS + 5)
    clock.setSure(false)
    const told: RoundType[] = []
    start({ clock, hints: { ...noHints, roundOpened: (type) => void told.push(type) } })
    await expect.poll(() => told.length, soon).toBe(4)
    expect(await rounds()).toEqual([])
    clock.setSure(true)
    await expect.poll(() => told.length, soon).toBe(12)
    expect(await rounds()).toEqual(windowsAt(BOUNDARY_MS))
  })

  test('after the clock was set back the windows of its new time are opened', async () => {
    const clock = createFakeClock(BOUNDARY_MS + 5)
    start({ clock })
    await expect.poll(rounds, soon).toEqual(windowsAt(BOUNDARY_MS))
    clock.set(BOUNDARY_MS - 360_000 + 5)
    await expect.poll(async () => (await rounds()).length, soon).toBe(8)
    expect((await rounds()).toSorted()).toEqual(
      [...windowsAt(BOUNDARY_MS), ...windowsAt(BOUNDARY_MS - 360_000)].toSorted(),
    )
  })

  test('after a database error the next attempt follows soon', async () => {
    const clock = createFakeClock(BOUNDARY_MS)
    let failures = 0
    const failing = stepDatabase(db, {
      before() {
        if (failures++ < 3) throw new Error('away')
      },
    })
    start({ clock, db: failing })
    await expect.poll(rounds, soon).toEqual(windowsAt(BOUNDARY_MS))
  })

  // On a machine that is busy with other work one run may be late; the requirement is for a server with a machine of
  // its own.
  test('rounds of all types are settled within a second of their end', { retry: 2 }, async () => {
    const clock = await createClock(db)
    try {
      const ends = await Promise.all(ROUND_TYPES.map((type) => createRound(db, { type, leftS: 3 })))
      const place = createBetPlacer({ db, prices: rising, hints: noHints }, encodeBet)
      const players = await createPlayers(db, 20)
      const answers = await Promise.all(players.map((player, nth) => place(wish(player, ends[nth % 4]!.id))))
      expect(answers.every(({ ok }) => ok)).toBe(true)
      start({ clock })
      const settled = () =>
        db.query<{ n: bigint; lag_ms: number }>(
          `select count(*) as n, (extract(epoch from max(ended_at - closes_at)) * 1000)::float8 as lag_ms from rounds
            where id = any($1::uuid[]) and status = 'ended'`,
          [ends.map(({ id }) => id)],
        )
      await expect.poll(async () => (await settled()).rows[0]?.n, { timeout: 10_000, interval: 20 }).toBe(4n)
      const lagMs = (await settled()).rows[0]?.lag_ms
      expect(lagMs).toBeGreaterThanOrEqual(0)
      expect(lagMs).toBeLessThan(1_000)
      const { rows } = await db.query(`select count(*) as n from bets where status = 'won'`)
      expect(rows).toEqual([{ n: 20n }])
      expect(await brokenInvariants(db)).toEqual([])
    } finally {
      clock.stop()
    }
  })

  describe('force-create', () => {
    const deps = () => ({ db, prices: rising, hints: noHints })

    test('takes the rest of the window after a delete; two admins create one round', async () => {
      const admin = await createAdmin(db)
      const nowMs = Date.now()
      const window = windowOf('120s', nowMs)
      if (window.closesAtMs - nowMs < 15_000) {
        // The window is nearly over: no round can be created in it.
        expect(await forceCreateRound(deps(), admin, '30s', nowMs - 30_000)).toMatchObject({
          code: 'TOO_LATE_TO_CREATE',
        })
        return
      }
      const first = await forceCreateRound(deps(), admin, '120s', nowMs)
      if (isRefused(first)) throw first
      expect(first).toMatchObject({ attempt: 0, opens_at: new Date(window.opensAtMs) })
      expect(await forceCreateRound(deps(), admin, '120s', nowMs)).toMatchObject({ id: first.id })
      expect(await deleteRound(deps(), admin, first.id)).toBeNull()
      const both = await Promise.all([1, 2].map(() => forceCreateRound(deps(), admin, '120s', Date.now())))
      const ids = both.map((row) => (isRefused(row) ? row.code : row.id))
      expect(new Set(ids).size).toBe(1)
      expect(both[0]).toMatchObject({ attempt: 1, index: first.index, closes_at: new Date(window.closesAtMs) })
      const opensAtMs = isRefused(both[0]!) ? 0 : both[0]!.opens_at.getTime()
      expect(opensAtMs % 1000).toBe(0)
      expect(opensAtMs).toBeGreaterThanOrEqual(Math.floor(nowMs / 1000) * 1000)
      // The calendar never creates a second attempt.
      expect(await openRound(db, rising, '120s', Date.now())).toBe('kept')
      expect(await rounds()).toHaveLength(2)
    })

    test('is refused with less than 10 s left by the database’s clock, even when the process’s clock says more', async () => {
      const admin = await createAdmin(db)
      // A process whose clock is 25 s behind: that window has at most 5 s left.
      expect(await forceCreateRound(deps(), admin, '30s', Date.now() - 25_000)).toMatchObject({
        code: 'TOO_LATE_TO_CREATE',
      })
      expect(await rounds()).toEqual([])
    })
  })
})
