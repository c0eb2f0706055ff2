import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Subject } from '#domain/identity/permissions.ts'
import { points } from '#domain/money.ts'
import { claimOf } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { openNative } from '#server/platform/database/native.ts'
import { brokenInvariants, createAdmin, endWithdrawal, holdWithdrawal } from '#testing/play/books.ts'
import { type Cut, openCutProxy } from '#testing/machines/proxy.ts'
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
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { deleteRound } from './delete-round.ts'
import { type BetAnswer, createBetPlacer } from './place-bets.ts'
import { setResult } from './set-result.ts'
import { settleRound } from './settle-round.ts'

const rising = fixedPrices((second) => second)
const TIMES = 50

describe.runIf(testEngines.includes('native'))('money acts at the same time (PostgreSQL only)', () => {
  /** Two connection pools, as two processes have them. */
  const db = useDatabase('native')
  let other: Database
  let admin: Subject
  let placers: ReadonlyArray<ReturnType<typeof createBetPlacer>>
  beforeAll(() => {
    other = openNative({ url: db.url ?? '', applicationName: 'test-other' })
    placers = [db, other].map((on) => createBetPlacer({ db: on, prices: rising, hints: noHints }, encodeBet))
  })
  beforeEach(async () => {
    admin = await createAdmin(db)
  })
  afterAll(() => other.close())

  const deps = (on: Database = db) => ({ db: on, prices: rising, hints: noHints })
  const told = (answer: BetAnswer) => (answer.ok ? 'accepted' : answer.refusal)
  const tally = (words: readonly string[]) => {
    const counts: Record<string, number> = {}
    for (const word of words) counts[word] = (counts[word] ?? 0) + 1
    return counts
  }
  /** Moves the end of a round to just after now, and settles it from both processes until it has ended. */
  const end = async (roundId: string) => {
    await db.query(
      `update rounds set closes_at = date_trunc('second', clock_timestamp()) + interval '2 s' where id = $1`,
      [roundId],
    )
    for (;;) {
      const states = await Promise.all([settleRound(deps(), roundId), settleRound(deps(other), roundId)])
      if (states.every((state) => state === 'ended')) return
    }
  }

  test(`of 200 bets of one player exactly one is accepted, ${TIMES} times`, async () => {
    const round = await createRound(db)
    const players = await createPlayers(db, TIMES)
    for (let from = 0; from < TIMES; from += 10) {
      // Ten players at once, so that their bets share batches.
      const answers = await Promise.all(
        players
          .slice(from, from + 10)
          .map((player) =>
            Promise.all(Array.from({ length: 200 }, (_, nth) => placers[nth % 2]!(wish(player, round.id, 10)))),
          ),
      )
      for (const own of answers) expect(tally(own.map(told))).toEqual({ accepted: 1, BET_OPEN: 199 })
    }
    expect(await brokenInvariants(db)).toEqual([])
    const { rows } = await db.query(`select count(*) as bets, count(distinct user_id) as players from bets`)
    expect(rows).toEqual([{ bets: BigInt(TIMES), players: BigInt(TIMES) }])
  })

  test(`a balance is spent by one of two different money acts, ${TIMES} times`, async () => {
    const round = await createRound(db)
    const players = await createPlayers(db, TIMES)
    const winners: string[] = []
    for (const [nth, player] of players.entries()) {
      // The order of sending alternates.
      const acts = [
        async () => ((await placers[0]!(wish(player, round.id, 1000))).ok ? 'bet' : null),
        async () => ((await holdWithdrawal(other, newId(), player.id, points(1000))) ? 'withdrawal' : null),
      ]
      const done = await Promise.all((nth % 2 === 0 ? acts : acts.toReversed()).map((act) => act()))
      const accepted = done.filter((act) => act !== null)
      expect(accepted).toHaveLength(1)
      winners.push(...accepted)
      expect((await balancesOf(db, player.id)).wallet).toBe(0n)
    }
    expect(await brokenInvariants(db)).toEqual([])
    const { rows } = await db.query<{ kind: string; total: bigint }>(
      `select kind, sum(balance)::bigint as total from ledger_accounts where owner_id is not null group by kind order by kind`,
    )
    const sum = (act: string) => points(1000 * winners.filter((winner) => winner === act).length)
    expect(rows).toEqual([
      { kind: 'reserved', total: sum('withdrawal') },
      { kind: 'staked', total: sum('bet') },
      { kind: 'wallet', total: 0n },
    ])
  })

  test('the same key in two processes at once makes one bet and one answer', async () => {
    const round = await createRound(db)
    for (const player of await createPlayers(db, TIMES)) {
      const claim = claimOf('key', { stake: 10 })
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, nth) => placers[nth % 2]!({ ...wish(player, round.id, 10), claim })),
      )
      const shown = answers.map((answer) => (answer.ok ? JSON.parse(answer.json) : answer.refusal))
      expect(shown[0]).toMatchObject({ status: 'PROGRESS', score: 10 })
      for (const one of shown) expect(one).toEqual(shown[0])
    }
    const { rows } = await db.query(`select count(*) as n from bets`)
    expect(rows).toEqual([{ n: BigInt(TIMES) }])
    expect(await brokenInvariants(db)).toEqual([])
  })

  test.each<Cut>(['before-commit', 'at-commit', 'after-commit'])(
    'a connection cut %s leaves each bet there once, and answered',
    async (cut) => {
      const proxy = await openCutProxy(db.url ?? '')
      const cutDb = openNative({ url: proxy.url })
      try {
        const hinted: string[] = []
        const place = createBetPlacer(
          {
            db: cutDb,
            prices: rising,
            hints: { ...noHints, betChanged: (_, betId) => void hinted.push(betId) },
          },
          encodeBet,
        )
        const round = await createRound(db)
        const players = await createPlayers(db, 20)
        // One bet alone, then many in a batch, including one that is refused.
        const wishes = players.map((player, nth) => wish(player, round.id, nth === 7 ? 5000 : 10))
        const answers: BetAnswer[] = []
        for (const part of [wishes.slice(0, 1), wishes.slice(1)]) {
          proxy.cutNext(cut)
          answers.push(...(await Promise.all(part.map(place))))
        }
        expect(proxy.cuts()).toBe(2)
        for (const [nth, answer] of answers.entries()) {
          if (nth === 7) expect(answer).toEqual({ ok: false, refusal: 'INSUFFICIENT_BALANCE' })
          else {
            const wished = wishes[nth]!
            expect(answer.ok && JSON.parse(answer.json)).toMatchObject({
              _id: wished.betId,
              userId: { _id: players[nth]!.id },
              gameId: { _id: round.id },
              status: 'PROGRESS',
              score: 10,
              basis: 'PRICE',
            })
          }
        }
        const placed = wishes.filter((_, nth) => nth !== 7).map(({ betId }) => betId)
        const { rows } = await db.query<{ id: string }>(`select id from bets order by id`)
        expect(rows.map(({ id }) => id)).toEqual(placed.toSorted())
        expect(hinted.toSorted()).toEqual(placed.toSorted())
        expect(await brokenInvariants(db)).toEqual([])
      } finally {
        await cutDb.close()
        await proxy.close()
      }
    },
  )

  test('when the database goes away before bets were sent, each is answered with an error and none is placed', async () => {
    const proxy = await openCutProxy(db.url ?? '')
    const gone = openNative({ url: proxy.url })
    await proxy.close()
    const place = createBetPlacer({ db: gone, prices: rising, hints: noHints }, encodeBet)
    const round = await createRound(db)
    const players = await createPlayers(db, 5)
    const ends = await Promise.allSettled(players.map((player) => place(wish(player, round.id))))
    expect(ends.map(({ status }) => status)).toEqual(players.map(() => 'rejected'))
    const { rows } = await db.query(`select count(*) as n from bets`)
    expect(rows).toEqual([{ n: 0n }])
    await gone.close()
  })

  /**
   * Bets of many players from both processes, with a staff act in between: the act starts when the first bet is
   * answered, and the last tenth of the bets start when the act is done.
   */
  const bettingAround = async (players: readonly TestPlayer[], roundId: string, act: () => Promise<unknown>) => {
    const isDone = Promise.withResolvers<void>()
    const betting = players.map(async (player, nth) => {
      if (nth >= players.length * 0.9) await isDone.promise
      else await sleep(nth / 8)
      return placers[nth % 2]!(wish(player, roundId, 10))
    })
    await Promise.race(betting)
    const done = await act().finally(isDone.resolve)
    return { answers: await Promise.all(betting), done }
  }

  test('a bet before an announcement is decided by price, a bet after it must have seen the announcement', async () => {
    for (let time = 0; time < 8; time++) {
      const round = await createRound(db)
      const players = await createPlayers(db, 120)
      const { answers, done } = await bettingAround(players, round.id, () => setResult(deps(), admin, round.id, 'down'))
      expect(isRefused(done)).toBe(false)
      const late = players.filter((_, nth) => !answers[nth]!.ok)
      expect(tally(answers.map(told))).toEqual({
        accepted: players.length - late.length,
        DISCLOSURE_CHANGED: late.length,
      })
      // Refused bets placed nothing, and players who saw the announcement may bet.
      for (const player of late) expect(await balancesOf(db, player.id)).toMatchObject({ staked: 0n })
      const again = await Promise.all(
        late.map((player) => placers[0]!({ ...wish(player, round.id, 10), seenBasis: 'ADMIN' as const })),
      )
      expect(again.every(({ ok }) => ok)).toBe(true)
      await end(round.id)
      const { rows } = await db.query<{ basis: string; status: string; n: bigint }>(
        `select basis, status, count(*) as n from bets where round_id = $1 group by 1, 2 order by 1`,
        [round.id],
      )
      // Every bet was on up, and the price rose.
      const count = (basis: string) => Number(rows.find((row) => row.basis === basis)?.n ?? 0)
      expect(rows.map(({ basis, status }) => `${basis} ${status}`)).toEqual(['ADMIN lost', 'PRICE won'])
      expect([count('ADMIN'), count('PRICE')]).toEqual([late.length, players.length - late.length])
    }
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('bets that race with a delete are refused or returned', async () => {
    for (let time = 0; time < 8; time++) {
      const round = await createRound(db)
      const players = await createPlayers(db, 120)
      const { answers, done } = await bettingAround(players, round.id, () => deleteRound(deps(other), admin, round.id))
      expect(done).toBeNull()
      expect(Object.keys(tally(answers.map(told))).toSorted()).toEqual(['ROUND_NOT_FOUND', 'accepted'])
      expect(await settleRound(deps(), round.id)).toBe('ended')
      const { rows } = await db.query<{ ending: string; n: bigint }>(
        `select status || ' ' || void_reason as ending, count(*) as n from bets where round_id = $1 group by 1`,
        [round.id],
      )
      expect(rows).toEqual([{ ending: 'voided ROUND_DELETED', n: BigInt(answers.filter(({ ok }) => ok).length) }])
    }
    const { rows } = await db.query(
      `select count(*) as n from ledger_accounts where kind = 'wallet' and balance <> $1 and owner_id <> $2`,
      [points(1000), admin.userId],
    )
    expect(rows).toEqual([{ n: 0n }])
    expect(await brokenInvariants(db)).toEqual([])
  })

  test('betting, settling, announcing, deleting, freezing and withdrawing at once never deadlock nor starve', async () => {
    const players = await createPlayers(db, 300)
    const load = new AbortController()
    const rounds = await Promise.all(Array.from({ length: 4 }, () => createRound(db)))
    const slowest: Record<string, number> = {}
    const failures: unknown[] = []
    const done: Record<string, number> = {}
    /** Repeats an act until the load is over, and records its longest duration. */
    const keepOn = async (name: string, act: (nth: number) => Promise<unknown>) => {
      for (let nth = 0; !load.signal.aborted; nth++) {
        const since = performance.now()
        try {
          await act(nth)
        } catch (error) {
          failures.push(error)
        }
        slowest[name] = Math.max(slowest[name] ?? 0, performance.now() - since)
        done[name] = (done[name] ?? 0) + 1
      }
    }
    const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
    const replace = async (round: (typeof rounds)[number]) => {
      rounds[rounds.indexOf(round)] = await createRound(db)
    }
    const seen = ['PRICE', 'PRICE', 'ADMIN', 'SCRIPTED'] as const
    const work = [
      ...Array.from({ length: 40 }, (_, lane) =>
        keepOn('bet', () => placers[lane % 2]!({ ...wish(any(players), any(rounds).id), seenBasis: any(seen) })),
      ),
      ...[db, other].flatMap((on) => [
        keepOn('settle', async () => {
          const round = any(rounds)
          await replace(round)
          await end(round.id)
        }),
        keepOn('announce', () => setResult(deps(on), admin, any(rounds).id, any(['up', 'down'] as const))),
        keepOn('hold', async () => {
          const [id, player] = [newId(), any(players)]
          if (await holdWithdrawal(on, id, player.id, points(5)))
            await endWithdrawal(on, id, player.id, any(['capture', 'release'] as const), admin.userId)
        }),
      ]),
      keepOn('delete', async () => {
        await sleep(20)
        const round = any(rounds)
        await replace(round)
        await deleteRound(deps(), admin, round.id)
      }),
      keepOn('freeze', async (nth) => {
        await db.query(`update users set is_frozen = $2, scripted_outcome = $3 where id = $1`, [
          any(players).id,
          nth % 3 === 0,
          any(['win', 'lose', null] as const),
        ])
        await sleep(2)
      }),
    ]
    await sleep(4_000)
    load.abort()
    await Promise.all(work)
    expect(failures).toEqual([])
    // No act waits behind an endless stream of other locks: 5 s would mean a bet starved in the lock queue.
    expect(Object.entries(slowest).filter(([, ms]) => ms > 5_000)).toEqual([])
    const { rows: stats } = await db.query(`select deadlocks from pg_stat_database where datname = current_database()`)
    expect(stats).toEqual([{ deadlocks: 0n }])
    const { rows: left } = await db.query<{ id: string }>(`select id from rounds where status <> 'ended'`)
    for (const round of left) await end(round.id)
    expect(await brokenInvariants(db)).toEqual([])
    const { rows } = await db.query(`select count(*) as open from bets where status = 'open'`)
    expect(rows).toEqual([{ open: 0n }])
  })
})
