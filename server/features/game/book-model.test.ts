import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { checkBook } from '#domain/book/check-book.ts'
import type { SettledLine } from '#domain/book/settled-line.ts'
import { type Basis, basisNow } from '#domain/game/bet.ts'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { sha256 } from '#server/features/book/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { type BookWorld, createBookWorld } from '#testing/book/book-world.ts'
import { testEngines } from '#testing/database/test-database.ts'

const PLAYERS = 12
const STORIES = inject('isFull') ? 12 : 2

/** One step of a story, after which some time passes. */
type Step =
  | { readonly do: 'bet'; readonly who: number; readonly type: RoundType; readonly side: 'UP' | 'DOWN' }
  | { readonly do: 'announce'; readonly type: RoundType; readonly side: 'UP' | 'DOWN' }
  | { readonly do: 'delete'; readonly type: RoundType }
  | { readonly do: 'force-create'; readonly type: RoundType }
  | { readonly do: 'script'; readonly who: number; readonly isWin: boolean | null }
  | { readonly do: 'adjust'; readonly who: number; readonly points: number }
  | { readonly do: 'wait' }

const who = fc.nat({ max: PLAYERS - 1 })
const type = fc.constantFrom(...ROUND_TYPES)
const side = fc.constantFrom<'UP' | 'DOWN'>('UP', 'DOWN')
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ do: fc.constant('bet' as const), who, type, side }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('announce' as const), type, side }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant('delete' as const), type }),
      fc.record({ do: fc.constant('force-create' as const), type }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('script' as const),
      who,
      isWin: fc.constantFrom(true, false, null, null, null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), who, points: fc.integer({ min: 50, max: 2_000 }) }),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'wait' }) },
)
const anyStory = fc.array(fc.tuple(anyStep, fc.integer({ min: 1, max: 9_000 })), {
  minLength: 40,
  maxLength: 70,
  size: 'max',
})

const SEED = inject('seed')

describe.each(testEngines)('any story on %s', (engine) => {
  let world: BookWorld
  beforeAll(async () => void (world = await createBookWorld(engine, PLAYERS)))
  afterAll(() => world.close())

  let nowMs = 1
  const scripts = Array.from({ length: PLAYERS }, (): boolean | null => null)

  /** Rounds of every type are opened at their beginning and settled after their end, as the engine does it. */
  const pass = async (ms: number): Promise<void> => {
    const until = nowMs + ms
    while (nowMs < until) {
      const boundary = (Math.floor(nowMs / 30_000) + 1) * 30_000
      nowMs = Math.min(until, boundary)
      await world.at(nowMs)
      if (nowMs !== boundary) continue
      await world.settle()
      for (const each of ROUND_TYPES) await world.open(each)
    }
    await world.book.turn()
  }

  const running = async (of: RoundType): Promise<{ id: string; isAnnounced: boolean } | undefined> => {
    const { rows } = await world.db.query<{ id: string; isAnnounced: boolean }>(
      `select id, announced_at is not null as "isAnnounced" from rounds
        where type = $1 and status = 'running' and deleted_at is null and opens_at <= clock_timestamp()
        order by index desc, attempt desc limit 1`,
      [of],
    )
    return rows[0]
  }

  const take = async (step: Step): Promise<void> => {
    if (step.do === 'wait') return
    if (step.do === 'script' || step.do === 'adjust') {
      const path = `/api/v1/user/${world.players[step.who]?.id}`
      if (step.do === 'script') {
        scripts[step.who] = step.isWin
        await world.asAdmin('POST', path, { isWin: step.isWin })
      } else await world.asAdmin('POST', path, { score: step.points, reason: 'Điều chỉnh' })
      return
    }
    if (step.do === 'force-create') return void (await world.asAdmin('POST', `/api/v1/game/force-create/${step.type}`))
    const round = await running(step.type)
    if (round === undefined) return
    if (step.do === 'announce') await world.asAdmin('POST', `/api/v1/game/${round.id}`, { result: step.side })
    else if (step.do === 'delete') await world.asAdmin('DELETE', `/api/v1/game/${round.id}`)
    else {
      const isWin = scripts[step.who] ?? null
      const basis: Basis = basisNow(isWin === null ? null : isWin ? 'win' : 'lose', round.isAnnounced ? 'up' : null)
      await world.bet(step.who, round.id, step.side, basis)
    }
  }

  test('the book alone gives every change of a balance by a PRICE bet', { timeout: 240_000 }, async () => {
    for (const each of ROUND_TYPES) await world.open(each)
    // Whatever is drawn, one bet has another basis than the price.
    const scripted: Array<[Step, number]> = [
      [{ do: 'script', who: 0, isWin: true }, 1],
      [{ do: 'bet', who: 0, type: '120s', side: 'UP' }, 1],
      [{ do: 'script', who: 0, isWin: null }, 1],
    ]
    for (const story of [scripted, ...fc.sample(anyStory, { numRuns: STORIES, seed: SEED })])
      for (const [step, ms] of story) {
        await take(step)
        await pass(ms)
      }
    // Everything that runs comes to its end.
    await pass(150_000)
    await world.settle()

    const checked = await checkBook(await world.source(), { sha256, rounds: 'all' })
    expect(checked.faults, `seed ${SEED}`).toEqual([])

    const told = new Map<string, bigint>()
    const bases = new Set<string>()
    for (const entry of await world.entries()) {
      if (entry.k !== 'closed') continue
      const page = await world.app.call('GET', `/api/v1/rounds/${entry.round}/receipt/bets`)
      for (const text of page.body.data as string[]) {
        const line = JSON.parse(text) as SettledLine
        bases.add(line.basis)
        if (line.basis === 'PRICE') told.set(line.id, BigInt(line.profit))
      }
    }
    // A bet takes its stake from the wallet and gives back what its end says: together, its profit.
    const { rows } = await world.db.query<{ id: string; change: bigint }>(
      `select b.id, sum(t.wallet_delta)::bigint as change
         from bets b join ledger_transfers t on t.ref = 'bet:' || b.id::text
        where b.basis = 'PRICE' and b.status <> 'open' group by b.id`,
    )
    const booked = new Map(rows.map(({ id, change }) => [id, change]))
    expect(booked.size, `seed ${SEED}`).toBeGreaterThan(15)
    expect(told, `seed ${SEED}`).toEqual(booked)
    expect(bases.size).toBeGreaterThan(1)
    expect((await verifyLedger(world.db, true)).findings).toEqual([])
    const { rows: left } = await world.db.query(`select 1 from rounds where status = 'ended' and book <> 'closed'`)
    expect(left).toEqual([])
  })
})
