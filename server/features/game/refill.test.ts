import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sayingUntil } from '#contract/refusal-time.ts'
import { refusals } from '#contract/refusals.ts'
import { dayOf } from '#domain/day.ts'
import { adjustmentTransfer, refillTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { claimOf, postTransfers, verifyLedger } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { openNative } from '#server/platform/database/native.ts'
import { insertBet } from '#testing/play/bets.ts'
import { everythingOf, refusedWith } from '#testing/app/app.ts'
import { brokenInvariants, holdWithdrawal, subjectOfPlayer } from '#testing/play/books.ts'
import { type Cut, openCutProxy } from '#testing/machines/proxy.ts'
import { balancesOf, createPlayers, createRound, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { refill } from './refill.ts'

const path = '/api/v1/user/refill'

describe.each(testEngines)('refills on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [player] = usePeople(db, 1, { welcomePoints: 9 })

  /** A player with so many points. */
  const poor = async (welcomePoints: number) => {
    const [made] = await createPlayers(db, 1, { welcomePoints })
    return made
  }
  const ask = (who: TestPlayer, method: 'GET' | 'POST', headers = {}) =>
    app.call(method, path, { token: who.bearer.slice('Bearer '.length), headers })
  const limitTo = (column: string, value: Date | bigint) =>
    db.query(`insert into player_limits (user_id, ${column}) values ($1, $2)`, [player.id, value])
  const refillsOf = async ({ id }: TestPlayer) =>
    (
      await db.query<{ id: string; amount: bigint; actor: string }>(
        `select id, amount, actor from ledger_transfers where reason = 'REFILL' and ref = $1`,
        [`user:${id}`],
      )
    ).rows

  test('fills up to the welcome points, as a transfer of the player’s own that the ledger shows', async () => {
    expect((await ask(player, 'GET')).body.data).toEqual({ amount: 991, reason: null })
    const { status, body } = await ask(player, 'POST')
    expect([status, body.data]).toEqual([200, { amount: 991, score: 1000 }])
    expect(await balancesOf(db, player.id)).toEqual({ wallet: points(1000), staked: 0n, reserved: 0n })
    const day = dayOf(Date.now())
    expect(await refillsOf(player)).toEqual([
      { id: `user:${player.id}:refill:${day}`, amount: points(991), actor: player.id },
    ])
    const ledger = await app.call('GET', '/api/v1/user/ledger?reason=REFILL', {
      token: player.bearer.slice('Bearer '.length),
    })
    expect(ledger.rows).toEqual([
      expect.objectContaining({ reason: 'REFILL', walletDelta: 991, balanceAfter: 1000, actor: player.username }),
    ])
    expect(await brokenInvariants(db)).toEqual([])
    expect((await verifyLedger(db, true)).findings).toEqual([])
  })

  test('counts open stakes and pending withdrawals, and fills the wallet alone', async () => {
    await holdWithdrawal(db, newId(), player.id, points(4))
    expect((await ask(player, 'POST')).body.data).toEqual({ amount: 991, score: 996 })
    const richer = await poor(10)
    await holdWithdrawal(db, newId(), richer.id, points(10))
    expect((await ask(richer, 'GET')).body.data).toEqual({
      amount: 0,
      reason: refusedWith('REFILL_NOT_YET').body.message,
    })
    expect(await ask(richer, 'POST')).toMatchObject(refusedWith('REFILL_NOT_YET'))
  })

  test('comes once on a Vietnamese day, and again on another', async () => {
    const yesterday = dayOf(Date.now() - 24 * 3_600_000)
    await db.tx((tx) => postTransfers(tx, [refillTransfer(player.id, yesterday, 50n)], Date.now()))
    expect((await ask(player, 'POST')).body.data).toEqual({ amount: 990.5, score: 1000 })
    expect(await refillsOf(player)).toHaveLength(2)
    // Everything is gone again on the same day.
    await db.tx((tx) =>
      postTransfers(tx, [adjustmentTransfer('spent', player.id, -points(1000), 'test', 'x')], Date.now()),
    )
    const before = await everythingOf(db)
    expect((await ask(player, 'GET')).body.data).toMatchObject({ reason: refusals.REFILL_TAKEN.message })
    expect(await ask(player, 'POST')).toMatchObject(refusedWith('REFILL_TAKEN'))
    expect(await everythingOf(db)).toEqual(before)
  })

  test('is refused in a time-out, and changes nothing', async () => {
    const until = new Date(Date.now() + 3_600_000)
    await limitTo('timeout_until', until)
    const before = await everythingOf(db)
    const reason = sayingUntil(refusals.TIMED_OUT.message, until.getTime())
    expect((await ask(player, 'GET')).body.data).toEqual({ amount: 0, reason })
    expect((await ask(player, 'POST')).body).toMatchObject({ code: 'TIMED_OUT', message: reason })
    expect(await everythingOf(db)).toEqual(before)
  })

  test('is refused at a reached loss limit of the day', async () => {
    await limitTo('daily_loss', 500n)
    expect((await ask(player, 'GET')).body.data).toMatchObject({ reason: null })
    const round = await createRound(db)
    await insertBet(db, player.id, round.id, {
      ...{ status: 'lost', stakeMinor: 10_000n, profitMinor: -500n, entrySecond: 1, entryPrice: 2, exitPrice: 1 },
    })
    expect(await ask(player, 'POST')).toMatchObject(refusedWith('LOSS_LIMIT_REACHED'))
    expect(await refillsOf(player)).toEqual([])
  })

  test('is refused to staff, to a frozen player and while the books are checked', async () => {
    const [admin] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0 })
    expect(await ask(admin, 'POST')).toMatchObject(refusedWith('STAFF_CANNOT_PLAY'))
    app.ledger.isOk = false
    expect(await ask(player, 'POST')).toMatchObject(refusedWith('LEDGER_CHECK_FAILED'))
    app.ledger.isOk = true
    await db.query(`update users set is_frozen = true where id = $1`, [player.id])
    expect(await ask(player, 'POST')).toMatchObject(refusedWith('ACCOUNT_PAUSED'))
    expect(await refillsOf(player)).toEqual([])
  })

  test('repeats its answer for the same key, and books nothing again', async () => {
    const headers = { 'idempotency-key': newId() }
    const answers = await Promise.all([ask(player, 'POST', headers), ask(player, 'POST', headers)])
    expect(answers.map(({ status, body }) => [status, body.data])).toEqual([
      [200, { amount: 991, score: 1000 }],
      [200, { amount: 991, score: 1000 }],
    ])
    expect(await refillsOf(player)).toHaveLength(1)
  })

  test('books the day’s refill once, also where the check before it is passed by', async () => {
    const book = () => db.tx((tx) => postTransfers(tx, [refillTransfer(player.id, '2026-01-01', 100n)], Date.now()))
    await book()
    await expect(book()).rejects.toThrow(/ledger_transfers_pkey/)
  })
})

describe.runIf(testEngines.includes('native'))('refills at the same time (PostgreSQL only)', () => {
  const db = useDatabase('native')
  let other: Database
  const told: string[] = []
  const hints = { balanceChanged: (userId: string, minor: bigint) => void told.push(`${userId} ${minor}`) }
  beforeAll(() => {
    other = openNative({ url: db.url ?? '', applicationName: 'test-other' })
  })
  beforeEach(() => {
    told.length = 0
  })
  afterAll(() => other.close())

  const fill = async (on: Database, player: TestPlayer, key = newId()) => {
    const answer = await refill(
      { db: on, hints, welcomePoints: 1000 },
      subjectOfPlayer(player),
      claimOf(key, {}),
      ({ amountMinor }) => JSON.stringify(String(amountMinor)),
    )
    return isRefused(answer) ? answer.code : 'filled'
  }

  test('of 20 at once, from two processes, one fills: 25 times', async () => {
    const players = await createPlayers(db, 25, { welcomePoints: 5 })
    for (const player of players) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, nth) => fill(nth % 2 === 0 ? db : other, player)),
      )
      expect(answers.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'REFILL_NOT_YET'), 'filled'])
      expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
    }
    expect(told).toHaveLength(25)
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('one at the same time as a withdrawal fills up to the welcome points in all', async () => {
    const players = await createPlayers(db, 25, { welcomePoints: 5 })
    for (const [nth, player] of players.entries()) {
      const acts = [() => fill(db, player), () => holdWithdrawal(other, newId(), player.id, points(5))]
      await Promise.all((nth % 2 === 0 ? acts : acts.toReversed()).map((act) => act()))
      const { wallet, staked, reserved } = await balancesOf(db, player.id)
      expect(wallet + staked + reserved).toBe(points(1000))
    }
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('one that is tried again after a deadlock does not take that of another device for its own', async () => {
    const [player] = await createPlayers(db, 1, { welcomePoints: 5 })
    let attempts = 0
    const deadlocked: Database = {
      ...db,
      async tx(work, options) {
        if (++attempts > 1) return await db.tx(work, options)
        expect(await fill(other, player)).toBe('filled')
        return await db.tx(async (tx) => {
          await tx.query(`do $$ begin raise exception using errcode = '40P01'; end $$`)
          return await work(tx)
        }, options)
      },
    }
    expect([await fill(deadlocked, player), attempts]).toEqual(['REFILL_NOT_YET', 2])
  })

  test.each<[Cut]>([['before-commit'], ['at-commit'], ['after-commit']])(
    'a connection cut %s fills once',
    async (cut) => {
      const proxy = await openCutProxy(db.url ?? '')
      const through = openNative({ url: proxy.url, applicationName: 'test-cut' })
      try {
        const [player] = await createPlayers(db, 1, { welcomePoints: 5 })
        proxy.cutNext(cut)
        expect(await fill(through, player)).toBe('filled')
        expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
        expect(await brokenInvariants(db)).toEqual([])
      } finally {
        await through.close()
        await proxy.close()
      }
    },
  )
})
