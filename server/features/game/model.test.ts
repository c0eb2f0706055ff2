import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { type Basis, type Direction, profitOf, type ScriptedOutcome } from '#domain/game/bet.ts'
import { EPOCH_MS, ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { adjustmentTransfer } from '#domain/ledger/transfers.ts'
import { type Minor, points } from '#domain/money.ts'
import { claimOf, OverdrawnError, postTransfers, verifyLedger } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { brokenInvariants, createAdmin, endWithdrawal, holdWithdrawal } from '#testing/play/books.ts'
import { createPlayers, createRound, encodeBet, fixedPrices, noHints, type TestPlayer } from '#testing/play/rounds.ts'
import { resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { deleteRound } from './delete-round.ts'
import { forceCreateRound } from './force-create-round.ts'
import { createBetPlacer } from './place-bets.ts'
import { listOwnBets } from './queries.ts'
import { setResult } from './set-result.ts'
import { settleRound } from './settle-round.ts'

const PLAYERS = 4
const WELCOME_POINTS = 300
/** A short round is too near its end for staff acts, but stays open for bets as long as any of these runs takes. */
const LONG_S = 3600
const SHORT_S = 9

/** Prices for a settlement, each with its effect on a bet by price. */
const paths = {
  rising: (second: number) => 2_000_000 + (second % 1_000_000),
  falling: (second: number) => 3_000_000 - (second % 1_000_000),
  flat: () => 2_500_000,
  dark: () => null,
} as const
type Path = keyof typeof paths

/** One step of a story. Players, rounds, holds and bets are selected by a number, modulo their count. */
type Step =
  | { readonly do: 'bet'; readonly bets: readonly BetStep[] }
  | { readonly do: 'repeat'; readonly nth: number }
  | { readonly do: 'open'; readonly type: RoundType; readonly isShort: boolean }
  | { readonly do: 'force-create' }
  | { readonly do: 'settle'; readonly round: number; readonly path: Path }
  | { readonly do: 'announce'; readonly round: number; readonly direction: Direction }
  | { readonly do: 'delete'; readonly round: number }
  | { readonly do: 'adjust'; readonly who: number; readonly deltaPoints: number }
  | { readonly do: 'hold'; readonly who: number; readonly amountPoints: number | 'all' }
  | { readonly do: 'end-hold'; readonly nth: number; readonly how: 'capture' | 'release' }
  | { readonly do: 'freeze'; readonly who: number; readonly isFrozen: boolean }
  | { readonly do: 'script'; readonly who: number; readonly outcome: ScriptedOutcome | null }
  | { readonly do: 'verify'; readonly isFull: boolean }

interface BetStep {
  readonly who: number
  readonly round: number
  readonly stakePoints: number | 'all'
  readonly direction: Direction
  readonly seen: 'right' | Basis
  readonly key: number | null
}

const anyNth = fc.nat({ max: 11 })
const anyDirection = fc.constantFrom<Direction>('up', 'down')
const anyBet: fc.Arbitrary<BetStep> = fc.record({
  who: fc.nat({ max: PLAYERS - 1 }),
  round: anyNth,
  stakePoints: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 120 }) },
    { weight: 2, arbitrary: fc.constant('all' as const) },
    { weight: 1, arbitrary: fc.constantFrom(-5, 0, 100_001) },
  ),
  direction: anyDirection,
  seen: fc.oneof(
    { weight: 6, arbitrary: fc.constant('right' as const) },
    { weight: 2, arbitrary: fc.constantFrom<Basis>('PRICE', 'ADMIN', 'SCRIPTED') },
  ),
  key: fc.option(fc.nat({ max: 7 }), { freq: 3 }),
})
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ do: fc.constant('bet' as const), bets: fc.array(anyBet, { minLength: 1, maxLength: 6 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), nth: anyNth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      type: fc.constantFrom(...ROUND_TYPES),
      isShort: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'force-create' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      round: anyNth,
      path: fc.constantFrom<Path>('rising', 'rising', 'falling', 'falling', 'flat', 'dark'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('announce' as const), round: anyNth, direction: anyDirection }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), round: anyNth }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      who: anyNth,
      deltaPoints: fc.integer({ min: -200, max: 200 }).filter((delta) => delta !== 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      who: anyNth,
      amountPoints: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constant('all' as const)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end-hold' as const),
      nth: anyNth,
      how: fc.constantFrom<'capture' | 'release'>('capture', 'release'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('freeze' as const),
      who: anyNth,
      isFrozen: fc.constantFrom(true, false, false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('script' as const),
      who: anyNth,
      outcome: fc.constantFrom<ScriptedOutcome | null>('win', 'lose', null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('verify' as const), isFull: fc.boolean() }) },
)

interface ModelPlayer {
  readonly player: TestPlayer
  walletMinor: Minor
  stakedMinor: Minor
  reservedMinor: Minor
  isFrozen: boolean
  scripted: ScriptedOutcome | null
  readonly answers: Map<string, { readonly input: string; readonly answer: unknown }>
}

interface ModelRound {
  readonly id: string
  readonly type: RoundType
  /** Window of a force-created round in the calendar: its number and attempt. */
  readonly window: { readonly index: bigint; readonly attempt: number } | null
  /** When the round locks and ends, Unix ms by this machine's clock, which is also the database's. */
  readonly closesAtMs: number
  state: 'running' | 'deleted' | 'ended'
  announced: Direction | null
}

interface ModelBet {
  readonly id: string
  readonly owner: ModelPlayer
  readonly round: ModelRound
  readonly stakeMinor: Minor
  readonly direction: Direction
  readonly basis: Basis
  readonly scripted: ScriptedOutcome | null
}

interface ModelHold {
  readonly id: string
  readonly owner: ModelPlayer
  readonly amountMinor: Minor
  isOpen: boolean
}

interface Repeatable {
  readonly owner: ModelPlayer
  readonly call: Parameters<ReturnType<typeof createBetPlacer>>[0]
}

/** What the stories that are told at the same time have in common. */
interface Stage {
  readonly db: Database
  readonly admin: Subject
  /** One for all of them, as in a server: bets of several stories share its transactions. */
  readonly place: ReturnType<typeof createBetPlacer>
  /** Runs one work after another: the calendar has one running window of a type. */
  readonly inWindow: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * The expected content of the tables, computed by a second implementation of the rules, and the commands that change
 * both. A story has players and rounds of its own: no act of another story may change what this one expects.
 */
class Story {
  readonly db: Database
  readonly admin: Subject
  readonly players: readonly ModelPlayer[]
  readonly rounds: ModelRound[] = []
  readonly holds: ModelHold[] = []
  readonly accepted: Repeatable[] = []
  openBets: ModelBet[] = []
  beganAtMs = 0
  /** Where the rounds are that it force-created, in windows after the true one. */
  readonly farAway: bigint
  readonly place: ReturnType<typeof createBetPlacer>
  readonly inWindow: Stage['inWindow']

  constructor({ db, admin, place, inWindow }: Stage, nth: number, players: readonly TestPlayer[]) {
    this.db = db
    this.admin = admin
    this.place = place
    this.inWindow = inWindow
    this.farAway = 10_000_000n * BigInt(nth + 1)
    this.players = players.map((player) => ({
      player,
      walletMinor: points(WELCOME_POINTS),
      stakedMinor: 0n,
      reservedMinor: 0n,
      isFrozen: false,
      scripted: null,
      answers: new Map(),
    }))
  }

  deps(path: Path = 'rising') {
    return { db: this.db, prices: fixedPrices(paths[path]), hints: noHints }
  }

  async take(step: Step): Promise<void> {
    this.beganAtMs = Date.now()
    switch (step.do) {
      case 'bet':
        return this.bet(step.bets)
      case 'repeat':
        return this.repeat(step.nth)
      case 'open': {
        const round = await createRound(this.db, { type: step.type, leftS: step.isShort ? SHORT_S : LONG_S })
        this.rounds.push({ ...round, window: null, state: 'running', announced: null })
        return
      }
      case 'force-create':
        return this.forceCreate()
      case 'settle':
        return this.settle(step.round, step.path)
      case 'announce':
        return this.announce(step.round, step.direction)
      case 'delete':
        return this.delete(step.round)
      case 'adjust':
        return this.adjust(step.who, points(step.deltaPoints))
      case 'hold':
        return this.hold(step.who, step.amountPoints)
      case 'end-hold':
        return this.endHold(step.nth, step.how)
      case 'freeze': {
        const owner = this.owner(step.who)
        await this.change(owner, 'is_frozen', step.isFrozen)
        owner.isFrozen = step.isFrozen
        return
      }
      case 'script': {
        const owner = this.owner(step.who)
        await this.change(owner, 'scripted_outcome', step.outcome)
        owner.scripted = step.outcome
        return
      }
      case 'verify':
        expect((await verifyLedger(this.db, step.isFull)).findings).toEqual([])
    }
  }

  /** Several bets of several players at once; those of one player are answered in their order. */
  async bet(steps: readonly BetStep[]): Promise<void> {
    const calls = steps.flatMap((step) => {
      const owner = this.owner(step.who)
      const round = this.round(step.round)
      if (round === undefined) return []
      const stakeMinor = step.stakePoints === 'all' ? owner.walletMinor : points(step.stakePoints)
      const seenBasis = step.seen === 'right' ? basisOf(owner.scripted, round.announced) : step.seen
      const input = { roundId: round.id, stakeMinor, direction: step.direction, seenBasis }
      const claim = step.key === null ? null : claimOf(`key-${step.key}`, input)
      return [{ owner, round, call: { ...input, betId: newId(), token: owner.player.token, claim } }]
    })
    const answers = await Promise.all(calls.map(({ call }) => this.place(call)))
    for (const [index, { owner, round, call }] of calls.entries()) {
      const answer = answers[index]
      const told = answer === undefined ? 'nothing' : answer.ok ? 'accepted' : answer.refusal
      expect(this.expectedAnswers(owner, round, call)).toContain(told)
      if (answer?.ok !== true) continue
      const shown: unknown = JSON.parse(answer.json)
      const known = call.claim === null ? undefined : owner.answers.get(call.claim.key)
      if (known !== undefined) {
        expect(shown).toEqual(known.answer)
        continue
      }
      expect(shown).toMatchObject({ _id: call.betId, status: 'PROGRESS', basis: call.seenBasis })
      if (call.claim !== null) {
        owner.answers.set(call.claim.key, { input: inputOf(call), answer: shown })
        this.accepted.push({ owner, call })
      }
      owner.walletMinor -= call.stakeMinor
      owner.stakedMinor += call.stakeMinor
      this.openBets.push({
        id: call.betId,
        owner,
        round,
        stakeMinor: call.stakeMinor,
        direction: call.direction,
        basis: call.seenBasis,
        scripted: owner.scripted,
      })
    }
  }

  /** Possible answers to a bet; more than one only when the clock decides. */
  expectedAnswers(owner: ModelPlayer, round: ModelRound, call: Repeatable['call']): string[] {
    if (owner.isFrozen) return ['ACCOUNT_PAUSED']
    const known = call.claim === null ? undefined : owner.answers.get(call.claim.key)
    if (known !== undefined) return [known.input === inputOf(call) ? 'accepted' : 'KEY_REUSED']
    if (round.state === 'deleted') return ['ROUND_NOT_FOUND']
    const late = round.state === 'ended' ? 'always' : this.isPast(round.closesAtMs - 1_000)
    const inTime = () => {
      if (call.stakeMinor <= 0n) return 'STAKE_INVALID'
      if (call.stakeMinor > points(100_000)) return 'AMOUNT_LIMIT'
      if (call.stakeMinor % 100n !== 0n) return 'STAKE_INVALID'
      if (owner.stakedMinor > 0n) return 'BET_OPEN'
      if (owner.walletMinor < call.stakeMinor) return 'INSUFFICIENT_BALANCE'
      return basisOf(owner.scripted, round.announced) === call.seenBasis ? 'accepted' : 'DISCLOSURE_CHANGED'
    }
    return late === 'always' ? ['ROUND_CLOSING'] : late === 'perhaps' ? ['ROUND_CLOSING', inTime()] : [inTime()]
  }

  async repeat(nth: number): Promise<void> {
    const repeatable = this.accepted[nth % Math.max(1, this.accepted.length)]
    if (repeatable === undefined) return
    const { owner, call } = repeatable
    const [first, second] = await Promise.all([
      this.place({ ...call, betId: newId() }),
      this.place({ ...call, betId: newId() }),
    ])
    const kept = owner.answers.get(call.claim?.key ?? '')?.answer
    for (const answer of [first, second])
      expect(answer.ok ? JSON.parse(answer.json) : answer.refusal).toEqual(owner.isFrozen ? 'ACCOUNT_PAUSED' : kept)
  }

  async forceCreate(): Promise<void> {
    const { row, askedAtMs } = await this.inWindow(async () => {
      await this.moveForced('into the window')
      const askedAtMs = Date.now()
      const row = await forceCreateRound(this.deps(), this.admin, '120s', askedAtMs)
      await this.moveForced('away', isRefused(row) ? null : row.id)
      return { row, askedAtMs }
    })
    if (isRefused(row)) {
      expect(row.code).toBe('TOO_LATE_TO_CREATE')
      // Refused only in the last 10 s of the window, or after its end.
      const leftMs = 120_000 - ((askedAtMs - EPOCH_MS) % 120_000)
      expect(leftMs - (Date.now() - askedAtMs)).toBeLessThan(10_000)
      return
    }
    const attempts = this.rounds.filter(({ window }) => window?.index === row.index)
    const last = attempts.at(-1)
    if (last !== undefined && last.state !== 'deleted') {
      expect(row.id).toBe(last.id)
      return
    }
    expect(row.attempt).toBe(attempts.length)
    this.rounds.push({
      id: row.id,
      type: '120s',
      window: { index: row.index, attempt: row.attempt },
      closesAtMs: row.closes_at.getTime(),
      state: 'running',
      announced: null,
    })
  }

  /** Moves the rounds that this story force-created, so that each story finds no others in the window. */
  async moveForced(to: 'into the window' | 'away', made: string | null = null): Promise<void> {
    const forced = this.rounds.filter(({ window }) => window !== null).map(({ id }) => id)
    const ids = made === null || forced.includes(made) ? forced : [...forced, made]
    if (ids.length === 0) return
    await this.db.query(`update rounds set index = index + $2 where id = any($1::uuid[])`, [
      ids,
      to === 'away' ? this.farAway : -this.farAway,
    ])
  }

  async settle(nth: number, path: Path): Promise<void> {
    const round = this.round(nth)
    if (round === undefined) return
    // The test can't wait: the round's end is moved to now, and bets accepted so far still have an entry tick.
    await this.db.query(
      `update rounds set closes_at = date_trunc('second', clock_timestamp()) + interval '2 s' where id = $1 and status <> 'ended'`,
      [round.id],
    )
    expect(await settleRound(this.deps(path), round.id)).toBe('ended')
    if (round.state === 'running') {
      await this.close(round, path)
      round.state = 'ended'
    }
  }

  /** Books every open bet of a round by the round's ending, and compares the result with the owner's view. */
  async close(round: ModelRound, path: Path | null): Promise<void> {
    const closing = this.openBets.filter((bet) => bet.round === round)
    this.openBets = this.openBets.filter((bet) => bet.round !== round)
    for (const bet of closing) {
      const sign = path === null ? 0n : signOf(bet, path)
      const profitMinor = sign * profitOf(round.type, bet.stakeMinor)
      bet.owner.walletMinor += bet.stakeMinor + profitMinor
      bet.owner.stakedMinor -= bet.stakeMinor
      const [shown] = await listOwnBets(this.db, bet.owner.player.id, 1, 0)
      expect(shown).toMatchObject({
        id: bet.id,
        basis: bet.basis,
        profitMinor,
        status: sign === 0n ? 'voided' : sign > 0n ? 'won' : 'lost',
        voidReason: sign !== 0n ? null : path === null ? 'ROUND_DELETED' : path === 'flat' ? 'TIE' : 'NO_TICK',
      })
    }
  }

  async announce(nth: number, direction: Direction): Promise<void> {
    const round = this.round(nth)
    if (round === undefined) return
    const row = await setResult(this.deps(), this.admin, round.id, direction)
    const told = isRefused(row) ? row.code : 'announced'
    const ended = round.state === 'ended' ? 'always' : this.isPast(round.closesAtMs)
    const late = this.isPast(round.closesAtMs - 10_000)
    const inTime = round.announced === null ? 'announced' : 'RESULT_ALREADY_SET'
    const expected =
      round.state === 'deleted'
        ? ['ROUND_NOT_FOUND']
        : [
            ...(ended === 'never' ? [] : ['ROUND_ENDED']),
            ...(ended === 'always' || late === 'never' || round.announced !== null ? [] : ['TOO_LATE']),
            ...(ended === 'always' || (late === 'always' && round.announced === null) ? [] : [inTime]),
          ]
    expect(expected).toContain(told)
    if (told === 'announced') round.announced = direction
  }

  async delete(nth: number): Promise<void> {
    const round = this.round(nth)
    if (round === undefined) return
    const told = (await deleteRound(this.deps(), this.admin, round.id))?.code ?? 'deleted'
    const late = this.isPast(round.closesAtMs - 10_000)
    const expected =
      round.state === 'deleted'
        ? ['ROUND_NOT_FOUND']
        : round.state === 'ended' || late === 'never'
          ? ['deleted']
          : late === 'always'
            ? ['TOO_LATE']
            : ['deleted', 'TOO_LATE']
    expect(expected).toContain(told)
    if (told !== 'deleted' || round.state !== 'running') return
    round.state = 'deleted'
    await this.close(round, null)
  }

  async adjust(who: number, deltaMinor: Minor): Promise<void> {
    const owner = this.owner(who)
    const transfer = adjustmentTransfer(newId(), owner.player.id, deltaMinor, this.admin.userId, 'Điều chỉnh')
    const posting = this.db.tx((tx) => postTransfers(tx, [transfer], Date.now()))
    if (owner.walletMinor + deltaMinor < 0n) {
      await expect(posting).rejects.toThrow(OverdrawnError)
      return
    }
    await posting
    owner.walletMinor += deltaMinor
  }

  async hold(who: number, amountPoints: number | 'all'): Promise<void> {
    const owner = this.owner(who)
    const amountMinor = amountPoints === 'all' ? owner.walletMinor : points(amountPoints)
    if (amountMinor === 0n) return
    const id = newId()
    const isEnough = owner.walletMinor >= amountMinor
    expect(await holdWithdrawal(this.db, id, owner.player.id, amountMinor)).toBe(isEnough)
    if (!isEnough) return
    owner.walletMinor -= amountMinor
    owner.reservedMinor += amountMinor
    this.holds.push({ id, owner, amountMinor, isOpen: true })
  }

  async endHold(nth: number, how: 'capture' | 'release'): Promise<void> {
    const hold = this.holds[nth % Math.max(1, this.holds.length)]
    if (hold === undefined) return
    expect(await endWithdrawal(this.db, hold.id, hold.owner.player.id, how, this.admin.userId)).toBe(hold.isOpen)
    if (!hold.isOpen) return
    hold.isOpen = false
    hold.owner.reservedMinor -= hold.amountMinor
    if (how === 'release') hold.owner.walletMinor += hold.amountMinor
  }

  /** A staff command on a user: the row is locked for the change. */
  change(owner: ModelPlayer, column: 'is_frozen' | 'scripted_outcome', value: boolean | string | null) {
    return this.db.query(`update users set ${column} = $2 where id = $1`, [owner.player.id, value])
  }

  owner(who: number): ModelPlayer {
    return this.players[who % this.players.length] as ModelPlayer
  }

  /** Mostly a running round: most steps on an ended round are refused and change nothing. */
  round(nth: number): ModelRound | undefined {
    const running = this.rounds.filter(({ state }) => state === 'running')
    const among = nth < 8 && running.length > 0 ? running : this.rounds
    return among[nth % among.length]
  }

  /** Whether an instant was past when the running step read the clock, at some time since the step began. */
  isPast(atMs: number): 'never' | 'perhaps' | 'always' {
    return Date.now() < atMs ? 'never' : this.beganAtMs >= atMs ? 'always' : 'perhaps'
  }

  /** The balances that its players should have, by owner and kind of account. */
  get balances(): Array<[string, Minor]> {
    return this.players.flatMap(({ player, walletMinor, stakedMinor, reservedMinor }): Array<[string, Minor]> => [
      [`${player.id} wallet`, walletMinor],
      [`${player.id} staked`, stakedMinor],
      [`${player.id} reserved`, reservedMinor],
    ])
  }
}

/** Compares the whole database with the promises of the books, and every player's balances with those of the stories. */
async function check(db: Database, stories: readonly Story[]): Promise<void> {
  expect(await brokenInvariants(db)).toEqual([])
  const { rows } = await db.query<{ owner_id: string; kind: string; balance: bigint }>(
    `select owner_id, kind, balance from ledger_accounts where owner_id = any($1::uuid[])`,
    [stories.flatMap(({ players }) => players.map(({ player }) => player.id))],
    { name: 'story-balances' },
  )
  const found = Object.fromEntries(rows.map(({ owner_id, kind, balance }) => [`${owner_id} ${kind}`, balance]))
  expect(found).toEqual(Object.fromEntries(stories.flatMap(({ balances }) => balances)))
}

const inputOf = ({ roundId, stakeMinor, direction, seenBasis }: Repeatable['call']): string =>
  `${roundId} ${stakeMinor} ${direction} ${seenBasis}`

/** What decides a bet that is placed now: a script before an announcement, and the price without either. */
const basisOf = (scripted: ScriptedOutcome | null, announced: Direction | null): Basis => {
  if (scripted !== null) return 'SCRIPTED'
  return announced === null ? 'PRICE' : 'ADMIN'
}

/** A bet's result as a sign: by its script, by the announcement, or by the path of the price. */
function signOf(bet: ModelBet, path: Path): -1n | 0n | 1n {
  if (bet.basis === 'SCRIPTED') return bet.scripted === 'win' ? 1n : -1n
  if (bet.basis === 'ADMIN') return bet.round.announced === bet.direction ? 1n : -1n
  if (path === 'flat' || path === 'dark') return 0n
  return (path === 'rising') === (bet.direction === 'up') ? 1n : -1n
}

/** Stories that once found a fault, or that random generation rarely produces. */
const KEPT: ReadonlyArray<{ readonly name: string; readonly steps: readonly Step[] }> = [
  {
    name: 'a forced round is deleted under its bets, and the next attempt takes others',
    steps: [
      { do: 'force-create' },
      { do: 'bet', bets: [plainBet(0, 1), plainBet(1, 1, { key: 1 })] },
      { do: 'announce', round: 1, direction: 'up' },
      { do: 'bet', bets: [plainBet(2, 1)] },
      { do: 'delete', round: 1 },
      { do: 'repeat', nth: 0 },
      { do: 'force-create' },
      { do: 'force-create' },
      { do: 'bet', bets: [plainBet(0, 1), plainBet(1, 1, { key: 1 })] },
      { do: 'settle', round: 1, path: 'rising' },
    ],
  },
  {
    name: 'everything is staked or held, so nothing else can be, until it is back',
    steps: [
      { do: 'hold', who: 0, amountPoints: 'all' },
      { do: 'bet', bets: [plainBet(0, 0), plainBet(1, 0, { stakePoints: 'all' })] },
      { do: 'hold', who: 1, amountPoints: 1 },
      { do: 'adjust', who: 1, deltaPoints: -1 },
      { do: 'settle', round: 0, path: 'falling' },
      { do: 'hold', who: 1, amountPoints: 'all' },
      { do: 'end-hold', nth: 0, how: 'release' },
      { do: 'end-hold', nth: 0, how: 'capture' },
      { do: 'end-hold', nth: 1, how: 'capture' },
      { do: 'verify', isFull: true },
    ],
  },
  {
    name: 'a script outranks an announcement, and what changes afterwards changes no accepted bet',
    steps: [
      { do: 'bet', bets: [plainBet(3, 0, { direction: 'down' })] },
      { do: 'script', who: 0, outcome: 'lose' },
      { do: 'announce', round: 0, direction: 'up' },
      {
        do: 'bet',
        bets: [plainBet(0, 0, { seen: 'ADMIN' }), plainBet(0, 0), plainBet(1, 0, { seen: 'PRICE' }), plainBet(1, 0)],
      },
      { do: 'script', who: 0, outcome: 'win' },
      { do: 'script', who: 1, outcome: 'lose' },
      { do: 'freeze', who: 1, isFrozen: true },
      { do: 'announce', round: 0, direction: 'down' },
      { do: 'settle', round: 0, path: 'falling' },
      { do: 'settle', round: 0, path: 'rising' },
    ],
  },
]

function plainBet(who: number, round: number, rest: Partial<BetStep> = {}): BetStep {
  return { who, round, stakePoints: 100, direction: 'up', seen: 'right', key: null, ...rest }
}

/**
 * So many stories are told at the same time, in one database: the next act of each, all at once, then a check of
 * everything.
 */
const TOGETHER = 20
/** Stories are made from a seed in blocks, so that the seed of one block is enough to tell a story again. */
const BLOCK = 5 * TOGETHER
/** As many stories as the time allows: fewer on a busy machine, but at least some. */
const STORIES = {
  embedded: { atLeast: 4, atMost: 60, timeMs: inject('isFull') ? 5_000 : 2_000 },
  native: { atLeast: 12, atMost: 60, timeMs: inject('isFull') ? 12_000 : 4_000 },
} as const
/** So many stories of so many steps, however long that takes: `npm run accept -- 10` asks for them. */
const ASKED = { stories: Number(process.env['MODEL_RUNS'] ?? 0), steps: Number(process.env['MODEL_STEPS'] ?? 60) }
const SEED = Number(process.env['MODEL_SEED'] ?? inject('seed'))
/** Time for shrinking a story that found a fault. */
const SHRINK_MS = 30_000

/** Every story that was asked for has all of its steps. */
const anyStory = fc.array(anyStep, {
  minLength: ASKED.stories > 0 ? ASKED.steps : 1,
  maxLength: ASKED.steps,
  size: 'max',
})

describe.each(testEngines)('any order of commands on %s', (engine) => {
  const db = useDatabase(engine, { areReset: false })

  /**
   * Tells stories at the same time. After the first act of each, the second of each and so on, when none is on its way,
   * the whole database and every player's balances are checked; at the end the ledger's own full check runs, too.
   */
  const tell = async (...stories: ReadonlyArray<readonly Step[]>): Promise<void> => {
    await resetDatabase(db)
    const admin = await createAdmin(db)
    const place = createBetPlacer({ db, prices: fixedPrices(paths.rising), hints: noHints }, encodeBet)
    const players = await createPlayers(db, PLAYERS * stories.length, { welcomePoints: WELCOME_POINTS })
    const stage = { db, admin, place, inWindow: createTurns() }
    const told = stories.map((steps, nth) => {
      const own = players.slice(nth * PLAYERS, (nth + 1) * PLAYERS)
      return { steps, world: new Story(stage, nth, own) }
    })
    const worlds = told.map(({ world }) => world)
    await atOnce(worlds.map((world) => world.take({ do: 'open', type: '60s', isShort: false })))
    for (let act = 0; act < Math.max(...stories.map(({ length }) => length)); act++) {
      await atOnce(
        told.map(async ({ steps, world }) => {
          const step = steps[act]
          if (step !== undefined) await world.take(step)
        }),
      )
      await check(db, worlds)
    }
    expect((await verifyLedger(db, true)).findings).toEqual([])
  }

  test.each(KEPT)('leaves the books right: $name', ({ steps }) => tell(steps))

  const timeout = ASKED.stories > 0 ? 86_400_000 : 120_000
  test('leaves the books right after each step of any story', { timeout }, async () => {
    const { atLeast, atMost, timeMs } =
      ASKED.stories > 0 ? { atLeast: ASKED.stories, atMost: ASKED.stories, timeMs: 0 } : STORIES[engine]
    const beganAtMs = performance.now()
    let seed = SEED
    let waiting: Step[][] = []
    for (let count = 0; count < atMost; count += TOGETHER) {
      if (count >= atLeast && performance.now() - beganAtMs > timeMs) break
      if (waiting.length === 0) {
        // The ledger's check makes temporary tables, whose catalog rows nothing else clears away on this engine.
        if (count > 0 && engine === 'embedded') await db.query('vacuum')
        seed = SEED + count / BLOCK
        waiting = fc.sample(anyStory, { seed, numRuns: BLOCK })
        if (ASKED.stories > 0) printProgress(engine, count, performance.now() - beganAtMs)
      }
      const stories = waiting.splice(0, Math.min(TOGETHER, atMost - count))
      await tell(...stories).catch((error: unknown) => explain(error, seed, stories))
    }
  })

  /** Looks for the one story that finds the fault by itself, and makes it short; otherwise it is about several at once. */
  async function explain(error: unknown, seed: number, stories: readonly Step[][]): Promise<never> {
    const which = `MODEL_SEED=${seed} MODEL_RUNS=${ASKED.stories > 0 ? BLOCK : 0} MODEL_STEPS=${ASKED.steps}`
    for (const story of stories) {
      const shorter = fc.array(anyStep, { maxLength: story.length, size: 'max' })
      const { failed, counterexample, errorInstance } = await fc.check(
        fc.asyncProperty(shorter, (steps) => tell(steps)),
        {
          examples: [[story]],
          numRuns: 1,
          plugins: [fc.interruptAfterTimeLimit(SHRINK_MS)],
        },
      )
      if (failed)
        throw new Error(`${which} found a fault. The shortest story with it: ${JSON.stringify(counterexample)}`, {
          cause: errorInstance,
        })
    }
    throw new Error(`${which} found a fault, in acts of several stories at the same time or by the clock.`, {
      cause: error,
    })
  }
})

/** For who waits for thousands of stories. */
function printProgress(engine: string, count: number, tookMs: number): void {
  process.stderr.write(`  ${engine}: ${count} of ${ASKED.stories} stories, ${(tookMs / 1_000).toFixed(0)} s\n`)
}

/** Each work begins when the one before has ended. */
function createTurns(): Stage['inWindow'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}

/** Waits for all of them, also when one fails: no act may go on in the next story's database. */
async function atOnce(acts: ReadonlyArray<Promise<void>>): Promise<void> {
  for (const result of await Promise.allSettled(acts)) if (result.status === 'rejected') throw result.reason
}
