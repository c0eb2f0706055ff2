import { describe, expect, test } from 'vitest'
import { points } from '#domain/money.ts'
import { claimOf, verifyLedger } from '#server/features/wallet/index.ts'
import { buildTestApp } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import {
  balancesOf,
  createPlayers,
  createRound,
  encodeBet,
  fixedPrices,
  noHints,
  type TestPlayer,
  wish,
} from '#testing/play/rounds.ts'
import { newId } from '#server/platform/process/ids.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { createBetPlacer } from './place-bets.ts'
import { settleRound } from './settle-round.ts'

describe.each(testEngines)('bets on %s', (engine) => {
  const db = useDatabase(engine)

  const rising = fixedPrices((second) => second)
  const placer = (prices = rising) => createBetPlacer({ db, prices, hints: noHints }, encodeBet)

  const end = async (roundId: string, prices = rising) => {
    // The test can't wait: the round's end is moved to now, and its bets' acceptance stays before it.
    await db.query(
      `update rounds set closes_at = date_trunc('second', clock_timestamp()) + interval '2 s' where id = $1`,
      [roundId],
    )
    return settleRound({ db, prices, hints: noHints }, roundId)
  }

  test('a stake is set aside, a win pays stake and rate, a loss returns the rest', async () => {
    const [up, down] = await createPlayers(db, 2)
    const round = await createRound(db, { type: '60s' })
    const place = placer()
    const answers = await Promise.all([place(wish(up, round.id, 100)), place(wish(down, round.id, 50, 'down'))])
    expect(answers.map(({ ok }) => ok)).toEqual([true, true])
    expect(await balancesOf(db, up.id)).toEqual({ wallet: points(900), staked: points(100), reserved: 0n })
    expect(await end(round.id)).toBe('ended')
    expect(await balancesOf(db, up.id)).toEqual({ wallet: points(1007), staked: 0n, reserved: 0n })
    expect(await balancesOf(db, down.id)).toEqual({ wallet: points(1000) - 350n, staked: 0n, reserved: 0n })
    const { rows } = await db.query(`select status, entry_price, exit_price, profit from bets order by stake`)
    expect(rows.map(({ status, profit }) => [status, profit])).toEqual([
      ['lost', -350n],
      ['won', 700n],
    ])
    expect((await verifyLedger(db, true)).findings).toEqual([])
  })

  test('a tie and a missing tick return the whole stake', async () => {
    const [player, other] = await createPlayers(db, 2)
    const flat = fixedPrices(() => 4_000_000)
    const round = await createRound(db)
    expect((await placer(flat)(wish(player, round.id))).ok).toBe(true)
    await end(round.id, flat)
    const dark = fixedPrices(() => null)
    const second = await createRound(db)
    expect((await placer(dark)(wish(other, second.id))).ok).toBe(true)
    await end(second.id, dark)
    const { rows } = await db.query(`select status, void_reason, profit from bets order by accepted_at, id`)
    expect(rows).toEqual([
      { status: 'voided', void_reason: 'TIE', profit: 0n },
      { status: 'voided', void_reason: 'NO_TICK', profit: 0n },
    ])
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
  })

  test('the deposits that a player has pending leave that much less room for a win', async () => {
    const [player, other] = await createPlayers(db, 2, { welcomePoints: 1_000_000_000_000 - 100 })
    const round = await createRound(db, { type: '60s' })
    const file = (id: string, kind: string, amount: bigint) =>
      db.query(
        `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at)
         values ($1, $2, $3, $4, $1, '', '', '', clock_timestamp())`,
        [newId(), id, kind, amount],
      )
    await file(player.id, 'deposit', points(93))
    await file(player.id, 'withdrawal', points(50))
    await file(other.id, 'deposit', points(93) + 1n)
    const place = placer()
    expect(await place(wish(other, round.id, 100))).toEqual({ ok: false, refusal: 'AMOUNT_LIMIT' })
    expect((await place(wish(player, round.id, 100))).ok).toBe(true)
  })

  test('a win is paid in full past the balance limit, and so is a deposit that was filed before it', async () => {
    const most = 1_000_000_000_000
    const [player] = await createPlayers(db, 1, { welcomePoints: most - 100 })
    const [admin] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0 })
    const round = await createRound(db, { type: '60s' })
    const app = await buildTestApp(db)
    try {
      const call = (who: TestPlayer, method: 'POST' | 'PATCH', path: string, body: object) =>
        app.call(method, `/api/v1/${path}`, { token: bareToken(who), body })
      await call(player, 'POST', 'bank', { bankNumber: '0123456789', nameBank: 'X', nameOwner: 'Vietcombank' })
      const place = placer()
      expect((await place(wish(player, round.id, 100))).ok).toBe(true)
      const deposit = (money: number) => call(player, 'POST', 'transaction', { type: 'DEPOSIT', money })
      expect((await deposit(101)).body.code).toBe('AMOUNT_LIMIT')
      const { _id } = (await deposit(100)).body.data as { _id: string }
      expect(await end(round.id)).toBe('ended')
      expect((await balancesOf(db, player.id)).wallet).toBe(points(most - 100 + 7))
      expect((await call(admin, 'PATCH', `transaction/${_id}`, { status: 'ACCEPT' })).status).toBe(200)
      expect((await balancesOf(db, player.id)).wallet).toBe(points(most + 7))
      // From there nothing more comes in, and the rest can be withdrawn.
      const next = await createRound(db, { type: '60s' })
      expect(await place(wish(player, next.id, 100))).toEqual({ ok: false, refusal: 'AMOUNT_LIMIT' })
      expect((await deposit(1)).body.code).toBe('AMOUNT_LIMIT')
      expect((await call(player, 'POST', 'transaction', { type: 'WITHDRAW', money: 100 })).status).toBe(200)
    } finally {
      await app.close()
    }
    expect((await verifyLedger(db, true)).findings).toEqual([])
  })

  test('one open bet at a time, and never more than the wallet holds', async () => {
    const [player] = await createPlayers(db, 1, { welcomePoints: 100 })
    const round = await createRound(db)
    const place = placer()
    expect(await place(wish(player, round.id, 101))).toEqual({ ok: false, refusal: 'INSUFFICIENT_BALANCE' })
    const answers = await Promise.all(Array.from({ length: 40 }, () => place(wish(player, round.id, 10))))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok && answer.refusal === 'BET_OPEN')).toHaveLength(39)
    expect(await balancesOf(db, player.id)).toEqual({ wallet: points(90), staked: points(10), reserved: 0n })
  })

  test('a repeated key gets the first answer and places nothing; the same key with other input is refused', async () => {
    const [player] = await createPlayers(db, 1)
    const round = await createRound(db)
    const place = placer()
    const claim = claimOf('key-1', { stake: 10 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => place({ ...wish(player, round.id, 10), claim })))
    const jsons = answers.map((answer) => (answer.ok ? JSON.parse(answer.json)._id : answer.refusal))
    expect(new Set(jsons).size).toBe(1)
    expect(answers.every(({ ok }) => ok)).toBe(true)
    const reused = await place({ ...wish(player, round.id, 20), claim: claimOf('key-1', { stake: 20 }) })
    expect(reused).toEqual({ ok: false, refusal: 'KEY_REUSED' })
    const { rows } = await db.query(`select count(*) as n from bets`)
    expect(rows).toEqual([{ n: 1n }])
  })
})
