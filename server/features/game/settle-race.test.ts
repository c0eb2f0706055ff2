import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Subject } from '#domain/identity/permissions.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { brokenInvariants, createAdmin, letPass } from '#testing/play/books.ts'
import {
  createPlayers,
  createRound,
  encodeBet,
  fixedPrices,
  noHints,
  type TestPlayer,
  wish,
} from '#testing/play/rounds.ts'
import type { SettleOrder, SettleReport } from '#testing/killed/settle-child.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { createBetPlacer } from './place-bets.ts'
import { setResult } from './set-result.ts'

const CHILD = fileURLToPath(new URL('../../../testing/killed/settle-child.ts', import.meta.url))
/** The test starts some sixty processes; a shared compile cache takes each start to a third of its time. */
const COMPILE_CACHE = fileURLToPath(new URL('../../../.build/compile-cache', import.meta.url))
/** 1,000 bets in the full run. */
const UNIT = inject('isFull') ? 50 : 15
const BETS = 20 * UNIT
/** Four chunks and a remainder, so that the steps between two chunks are covered too. */
const CHUNK_SIZE = Math.floor(4.6 * UNIT)

describe.runIf(testEngines.includes('native'))('4 processes settling the bets of a round (PostgreSQL only)', () => {
  const db = useDatabase('native', { areReset: false })
  let admin: Subject
  let players: TestPlayer[]
  let place: ReturnType<typeof createBetPlacer>
  const children = new Set<ChildProcess>()
  beforeAll(async () => {
    admin = await createAdmin(db)
    players = [
      ...(await createPlayers(db, BETS - 4 * UNIT)),
      ...(await createPlayers(db, 2 * UNIT, { scriptedOutcome: 'win' })),
      ...(await createPlayers(db, 2 * UNIT, { scriptedOutcome: 'lose' })),
    ]
    await db.query('analyze')
    place = createBetPlacer({ db, prices: fixedPrices((second) => second), hints: noHints }, encodeBet)
  })
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  const start = async (): Promise<ChildProcess> => {
    const child = fork(CHILD, [db.url ?? ''], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    })
    children.add(child)
    child.on('exit', () => children.delete(child))
    await once(child, 'message')
    return child
  }
  /** Null when the process died during the order. */
  const order = (child: ChildProcess, dieAt: SettleOrder['dieAt']): Promise<SettleReport | null> =>
    new Promise((resolve) => {
      const onReport = (report: SettleReport) => {
        child.off('exit', onExit)
        resolve(report)
      }
      const onExit = () => {
        child.off('message', onReport)
        resolve(null)
      }
      child.once('message', onReport).once('exit', onExit)
      child.send({ chunkSize: CHUNK_SIZE, dieAt } satisfies SettleOrder)
    })

  /** A round with open bets of all three bases, up and down, whose end has just passed. */
  const dueRound = async (): Promise<string> => {
    const round = await createRound(db, { leftS: 30 })
    const bet = (player: TestPlayer, nth: number, seenBasis: 'PRICE' | 'ADMIN' | 'SCRIPTED') =>
      place({ ...wish(player, round.id, 1 + (nth % 9), nth % 2 === 0 ? 'up' : 'down'), seenBasis })
    const [fair, told, scripted] = [
      players.slice(0, 10 * UNIT),
      players.slice(10 * UNIT, 16 * UNIT),
      players.slice(16 * UNIT),
    ]
    const answers = await Promise.all([
      ...fair.map((player, nth) => bet(player, nth, 'PRICE')),
      ...scripted.map((player, nth) => bet(player, nth, 'SCRIPTED')),
    ])
    expect(isRefused(await setResult({ db, hints: noHints }, admin, round.id, 'down'))).toBe(false)
    answers.push(...(await Promise.all(told.map((player, nth) => bet(player, nth, 'ADMIN')))))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(BETS)
    await letPass(db, 40)
    return round.id
  }

  const stateOf = async (roundId: string) => {
    const { rows } = await db.query<{ status: string; ending: string; n: bigint; transfers: bigint }>(
      `select r.status, b.basis || ' ' || b.direction || ' ' || b.status as ending, count(*) as n, sum(t.n)::bigint as transfers
         from rounds r join bets b on b.round_id = r.id
         cross join lateral (select count(*) as n from ledger_transfers where id in ('bet:' || b.id || ':close:1', 'bet:' || b.id || ':close:2')) t
        where r.id = $1 group by 1, 2 order by 2`,
      [roundId],
    )
    return rows.map(({ status, ending, n, transfers }) => `${status}: ${n} ${ending}, ${transfers} transfers`)
  }
  const ENDED = [
    `ended: ${3 * UNIT} ADMIN down won, ${6 * UNIT} transfers`,
    `ended: ${3 * UNIT} ADMIN up lost, ${6 * UNIT} transfers`,
    `ended: ${5 * UNIT} PRICE down lost, ${10 * UNIT} transfers`,
    `ended: ${5 * UNIT} PRICE up won, ${10 * UNIT} transfers`,
    `ended: ${UNIT} SCRIPTED down lost, ${2 * UNIT} transfers`,
    `ended: ${UNIT} SCRIPTED down won, ${2 * UNIT} transfers`,
    `ended: ${UNIT} SCRIPTED up lost, ${2 * UNIT} transfers`,
    `ended: ${UNIT} SCRIPTED up won, ${2 * UNIT} transfers`,
  ]

  test('processes killed between every pair of steps settle each bet once', { timeout: 600_000 }, async () => {
    const watch = new AbortController()
    let seenEndedWithOpenBet = 0
    let looks = 0
    const watching = (async () => {
      while (!watch.signal.aborted) {
        const { rows } = await db.query<{ n: bigint }>(
          `select count(*) as n from rounds r join bets b on b.round_id = r.id where r.status = 'ended' and b.status = 'open'`,
        )
        seenEndedWithOpenBet += Number(rows[0]?.n)
        looks++
        await sleep(5)
      }
    })()

    // A run without a kill first: it numbers the steps.
    const survivors = await Promise.all([start(), start()])
    const first = await dueRound()
    const steps = (await order(survivors[0], null))?.steps ?? []
    expect(await stateOf(first)).toEqual(ENDED)
    const commits = steps.filter((what) => what.startsWith('commit'))
    const everyDeath: Array<NonNullable<SettleOrder['dieAt']>> = [
      ...steps.map((_, index) => ({ of: 'steps' as const, nth: index + 1, moment: 'before' as const })),
      ...commits.map((_, index) => ({ of: 'commits' as const, nth: index + 1, moment: 'during' as const })),
      ...commits.map((_, index) => ({ of: 'commits' as const, nth: index + 1, moment: 'after' as const })),
    ]
    // Every third one, which the run draws.
    const deaths = everyDeath.filter((_, index) => inject('isFull') || index % 3 === inject('seed') % 3)

    let outlived = 0
    let diedRacing = 0
    let [next, third] = [start(), await start()]
    for (const [nth, dieAt] of deaths.entries()) {
      const alone = await next
      const roundId = await dueRound()
      // The first process is alone until it dies there. The other three race, and now and then one of them dies too.
      // How often a lane finds no bets left differs from run to run, so a run may have fewer steps than the first.
      const alive = await order(alone, dieAt)
      if (alive !== null) {
        outlived++
        const taken = dieAt.of === 'steps' ? alive.steps : alive.steps.filter((what) => what.startsWith('commit'))
        expect(taken.length).toBeLessThan(dieAt.nth)
        alone.kill('SIGKILL')
      }
      next = start()
      const [report, ...reports] = await Promise.all([
        order(third, nth % 3 === 0 ? { of: 'steps', nth: 2 + (nth % 8), moment: 'after' } : null),
        ...survivors.map((survivor) => order(survivor, null)),
      ])
      expect(reports).not.toContain(null)
      expect({ dieAt, state: await stateOf(roundId) }).toEqual({ dieAt, state: ENDED })
      if (nth % 3 === 0) {
        if (report === null) diedRacing++
        third.kill('SIGKILL')
        third = await start()
      }
    }
    await next
    watch.abort()
    await watching
    expect(seenEndedWithOpenBet).toBe(0)
    expect(looks).toBeGreaterThan(deaths.length)
    expect(await brokenInvariants(db)).toEqual([])
    expect((await verifyLedger(db, true)).findings).toEqual([])
    expect(steps.length).toBeGreaterThan(20)
    expect(outlived).toBeLessThan(5)
    expect(diedRacing).toBeGreaterThan(0)
  })
})
