import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Subject } from '#domain/identity/permissions.ts'
import { points } from '#domain/money.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import type { Connections, Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNativeConnections } from '#server/platform/database/native.ts'
import { brokenInvariants, createAdmin, letPass, subjectOfPlayer } from '#testing/play/books.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
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
import { startSuspender, type Suspended, type Suspender } from '#testing/killed/suspend.ts'
import type { SuspendOrder } from '#testing/killed/suspend-child.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { settleDue } from './engine.ts'
import { createBetPlacer } from './place-bets.ts'

const rising = fixedPrices((second) => second)
const BETS = 30
const CHUNK_SIZE = 20
/** Limits from the moment a process is suspended: for bets that it does not hold, and for all bets. */
const OTHERS_WITHIN_MS = 1_500
const ALL_WITHIN_MS = 3_000

describe.runIf(testEngines.includes('native'))('beside a process that is suspended (PostgreSQL only)', () => {
  const db = useDatabase('native')
  /** Connections of a healthy process. */
  let healthy: Connections
  let admin: Subject
  let suspender: Suspender
  beforeAll(() => {
    healthy = openNativeConnections(db.url ?? '')
  })
  beforeEach(async () => {
    admin = await createAdmin(db)
    suspender = await startSuspender(db.url ?? '')
  })
  afterEach(() => suspender.end())
  afterAll(() => healthy.close())

  const place = (on: Database = db) => createBetPlacer({ db: on, prices: rising, hints: noHints }, encodeBet)
  const betOn = async (roundId: string, players: readonly TestPlayer[]) => {
    const placing = place()
    const answers = await Promise.all(players.map((player) => placing(wish(player, roundId))))
    expect(answers.every(({ ok }) => ok)).toBe(true)
  }
  /** Ends a round now; its bets must have been accepted before. */
  const end = (roundId: string) =>
    db.query(
      `update rounds set closes_at = date_trunc('second', clock_timestamp()),
         locks_at = date_trunc('second', clock_timestamp()) - interval '1 s' where id = $1`,
      [roundId],
    )
  /** Settles like a healthy process until nothing is due. Returns after how many ms each round had ended. */
  const settleAll = async (sinceMs: number, roundIds: readonly string[]) => {
    const endedAfterMs = new Map<string, number>()
    const engine = {
      db: healthy.engine,
      prices: rising,
      hints: noHints,
      clock: createFakeClock(),
      log: createLog('silent'),
      chunkSize: CHUNK_SIZE,
    }
    while (endedAfterMs.size < roundIds.length && performance.now() - sinceMs < 20_000) {
      await settleDue(engine)
      const { rows } = await db.query<{ id: string }>(
        `select id from rounds where id = any($1::uuid[]) and status = 'ended'`,
        [roundIds],
      )
      for (const { id } of rows) if (!endedAfterMs.has(id)) endedAfterMs.set(id, performance.now() - sinceMs)
      await sleep(50)
    }
    return roundIds.map((id) => endedAfterMs.get(id) ?? Number.POSITIVE_INFINITY)
  }
  const settledBets = async () => {
    const { rows } = await db.query<{ n: number }>(`select count(*)::int4 as n from bets where status <> 'open'`)
    return rows[0]?.n
  }
  const expectWholeBooks = async () => {
    expect(await brokenInvariants(db)).toEqual([])
    expect((await verifyLedger(db, true)).findings).toEqual([])
  }

  test.each([
    ['a round’s result is fixed', 'from rounds r where r.id = $1 for update'],
    ['bets of a chunk are locked', 'for update skip locked'],
    ['their owners’ accounts are locked', 'from ledger_accounts'],
    ['a round is ended', `(status = 'settling' or deleted_at is not null)`],
  ])('as %s: other bets are settled at once, its own after its transaction was ended', async (_, after) => {
    const players = await createPlayers(db, 2 * BETS)
    const [held, other] = [await createRound(db, { leftS: 30 }), await createRound(db, { leftS: 300 })]
    await betOn(held.id, players.slice(0, BETS))
    await betOn(other.id, players.slice(BETS))
    await letPass(db, 40)
    const suspended = await suspender.suspend({ act: { is: 'settle', chunkSize: CHUNK_SIZE }, after })
    await end(other.id)
    const [heldMs = 0, otherMs = 0] = await settleAll(suspended.atMs, [held.id, other.id])
    expect(otherMs).toBeLessThan(OTHERS_WITHIN_MS)
    expect(heldMs).toBeLessThan(ALL_WITHIN_MS)
    expect(await settledBets()).toBe(2 * BETS)
    // After waking, its transaction is gone and all bets are settled.
    expect(await suspended.wake()).toBe('passed')
    expect(await settledBets()).toBe(2 * BETS)
    await expectWholeBooks()
  })

  /** A suspended act of a player whose bet is due, beside due bets of other players. */
  const besideAct = async (order: (who: TestPlayer, roundId: string) => SuspendOrder) => {
    const players = await createPlayers(db, BETS)
    const [busy] = players as [TestPlayer]
    await db.query(
      `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, '1', 'A', 'B')`,
      [newId(), busy.id],
    )
    const round = await createRound(db, { leftS: 30 })
    await betOn(round.id, players)
    await letPass(db, 40)
    const suspended: Suspended = await suspender.suspend(order(busy, round.id))
    return { round, busy, suspended }
  }

  test('as it files a request: all but that player’s bet are settled at once; woken, it files the request once', async () => {
    const { round, busy, suspended } = await besideAct((who) => ({
      act: { is: 'file', subject: subjectOfPlayer(who), amountMinor: points(100) },
      after: 'insert into cash_requests',
    }))
    const settling = settleAll(suspended.atMs, [round.id])
    await sleep(800)
    expect(await settledBets()).toBe(BETS - 1)
    const [ms = 0] = await settling
    expect(ms).toBeLessThan(ALL_WITHIN_MS)
    expect(await suspended.wake()).toBe('filed')
    expect((await db.query(`select 1 from cash_requests`)).rowCount).toBe(1)
    expect((await balancesOf(db, busy.id)).reserved).toBe(points(100))
    await expectWholeBooks()
  })

  test('as it places a bet in a round: the round is settled after its transaction was ended; woken, it refuses', async () => {
    const [late] = await createPlayers(db, 1)
    const players = await createPlayers(db, BETS)
    const round = await createRound(db, { leftS: 30 })
    await betOn(round.id, players)
    await letPass(db, 40)
    const call = wish(late, round.id)
    // It holds the round's row, so that no process can fix the result.
    const suspended = await suspender.suspend({ act: { is: 'bet', call }, after: 'from rounds r' })
    const [ms = 0] = await settleAll(suspended.atMs, [round.id])
    expect(ms).toBeLessThan(ALL_WITHIN_MS)
    expect(await suspended.wake()).toBe('ROUND_CLOSING')
    expect(await balancesOf(db, late.id)).toEqual({ wallet: points(1000), staked: 0n, reserved: 0n })
    await expectWholeBooks()
  })

  test('as staff delete a round: other rounds are settled at once, and nothing is half done', async () => {
    const players = await createPlayers(db, 2 * BETS)
    const [held, other] = [await createRound(db), await createRound(db)]
    await betOn(held.id, players.slice(0, BETS))
    await betOn(other.id, players.slice(BETS))
    await letPass(db, 40)
    const suspended = await suspender.suspend({
      act: { is: 'delete-round', subject: admin, roundId: held.id },
      after: 'from audit_tip for update',
    })
    await end(other.id)
    const [otherMs = 0] = await settleAll(suspended.atMs, [other.id])
    expect(otherMs).toBeLessThan(OTHERS_WITHIN_MS)
    // Another bet on the held round waits until the server ends the transaction, and is then placed.
    const [next] = await createPlayers(db, 1)
    expect(await place(healthy.bets)(wish(next, held.id))).toMatchObject({ ok: true })
    expect(performance.now() - suspended.atMs).toBeLessThan(ALL_WITHIN_MS)
    const outcome = await suspended.wake()
    const { rows } = await db.query<{ deleted: boolean; acts: number }>(
      `select deleted_at is not null as deleted, (select count(*)::int4 from audit_log) as acts from rounds where id = $1`,
      [held.id],
    )
    // Either it started again and deleted the round, or it was answered with an error: never half of it.
    expect([outcome === 'deleted', rows[0]?.acts]).toEqual([rows[0]?.deleted, rows[0]?.deleted === true ? 1 : 0])
    await expectWholeBooks()
  })
})
