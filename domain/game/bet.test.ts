import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BALANCE_MAX_MINOR, points } from '../money.ts'
import {
  BASES,
  basisNow,
  type BetRefusal,
  type BettableRound,
  type BetWish,
  type BettingLimits,
  type BettingPlayer,
  checkStake,
  decidePlaceBet,
  DIRECTIONS,
  PRESET_STAKES,
  type ScriptedOutcome,
} from './bet.ts'
import { EPOCH_MS, locksAtMs, ROUND_TYPES, windowOf } from './calendar.ts'

const opensAtMs = EPOCH_MS + 600_000
const round: BettableRound = {
  id: 'round',
  type: '60s',
  isRunning: true,
  isDeleted: false,
  opensAtMs,
  locksAtMs: opensAtMs + 59_000,
  closesAtMs: opensAtMs + 60_000,
  staffDirection: null,
  isFeedOpen: true,
  isEntryTold: false,
}
const player: BettingPlayer = {
  isStaff: false,
  isFrozen: false,
  scriptedOutcome: null,
  walletMinor: points(1000),
  stakedMinor: 0n,
  pendingDepositsMinor: 0n,
  limits: null,
}
const noLimits: BettingLimits = {
  dailyStakeMinor: null,
  dailyLossMinor: null,
  timeoutUntilMs: null,
  stakedTodayMinor: 0n,
  netLossTodayMinor: 0n,
}
const wish: BetWish = {
  round,
  player,
  stakeMinor: points(100),
  direction: 'up',
  seenBasis: 'PRICE',
  nowMs: opensAtMs + 12_345,
}

const refusalOf = (changed: BetWish): BetRefusal | null => {
  const decision = decidePlaceBet(changed)
  return decision.ok ? null : decision.refusal
}
const withRound = (changes: Partial<BettableRound>, rest: Partial<BetWish> = {}): BetWish => ({
  ...wish,
  ...rest,
  round: { ...round, ...changes },
})
const withPlayer = (changes: Partial<BettingPlayer>, rest: Partial<BetWish> = {}): BetWish => ({
  ...wish,
  ...rest,
  player: { ...player, ...changes },
})
const withLimits = (changes: Partial<BettingLimits>): BetWish => withPlayer({ limits: { ...noLimits, ...changes } })

test('a plain bet is accepted, with its possible win and the earliest second of its entry', () => {
  expect(decidePlaceBet(wish)).toEqual({
    ok: true,
    basis: 'PRICE',
    scriptedOutcome: null,
    entryFromSecond: Math.floor(opensAtMs / 1000) + 13,
    profitMinor: points(7),
  })
})

test('the entry is always a later second, also for a bet accepted exactly on one', () => {
  const decision = decidePlaceBet({ ...wish, nowMs: opensAtMs + 5000 })
  expect(decision).toMatchObject({ ok: true, entryFromSecond: opensAtMs / 1000 + 6 })
})

test('even the last bet of a round has a second for its entry before the end', () => {
  for (const type of ROUND_TYPES) {
    for (const isLive of [false, true]) {
      const { opensAtMs: opens, closesAtMs } = windowOf(type, opensAtMs)
      const lastMs = locksAtMs(closesAtMs, isLive) - 1
      const last = { ...round, type, opensAtMs: opens, closesAtMs, locksAtMs: lastMs + 1 }
      const decision = decidePlaceBet({ ...wish, round: last, nowMs: lastMs })
      if (!decision.ok) throw new Error(decision.refusal)
      expect(decision.entryFromSecond * 1000).toBeGreaterThan(lastMs)
      expect(decision.entryFromSecond * 1000).toBeLessThan(closesAtMs)
    }
  }
})

describe('each refusal', () => {
  const cases: ReadonlyArray<readonly [what: string, refusal: BetRefusal, wish: BetWish]> = [
    ['staff', 'STAFF_CANNOT_PLAY', withPlayer({ isStaff: true })],
    ['a frozen account', 'ACCOUNT_PAUSED', withPlayer({ isFrozen: true })],
    ['no round', 'ROUND_NOT_FOUND', { ...wish, round: null }],
    ['a deleted round', 'ROUND_NOT_FOUND', withRound({ isDeleted: true })],
    ['a round that has not begun', 'ROUND_NOT_FOUND', { ...wish, nowMs: opensAtMs - 1 }],
    ['a round that settles', 'ROUND_CLOSING', withRound({ isRunning: false })],
    ['the instant betting ends', 'ROUND_CLOSING', { ...wish, nowMs: round.locksAtMs }],
    ['a round long over', 'ROUND_CLOSING', { ...wish, nowMs: round.closesAtMs + 1e9 }],
    ['a stale feed', 'FEED_CLOSED', withRound({ isFeedOpen: false })],
    ['a price that is public already', 'CLOCK_UNSURE', withRound({ isEntryTold: true })],
    ['no stake', 'STAKE_INVALID', { ...wish, stakeMinor: 0n }],
    ['a negative stake', 'STAKE_INVALID', { ...wish, stakeMinor: points(-10) }],
    ['a broken point', 'STAKE_INVALID', { ...wish, stakeMinor: points(10) + 1n }],
    [
      'too large a stake',
      'AMOUNT_LIMIT',
      withPlayer({ walletMinor: points(10n ** 9n) }, { stakeMinor: points(100_001) }),
    ],
    [
      'a win that no balance could hold',
      'AMOUNT_LIMIT',
      withPlayer({ walletMinor: BALANCE_MAX_MINOR - points(7) + 1n }),
    ],
    [
      'a win that no balance could hold beside the pending deposits',
      'AMOUNT_LIMIT',
      withPlayer({ walletMinor: BALANCE_MAX_MINOR - points(57), pendingDepositsMinor: points(50) + 1n }),
    ],
    ['a second open bet', 'BET_OPEN', withPlayer({ stakedMinor: 1n })],
    ['too little balance', 'INSUFFICIENT_BALANCE', withPlayer({ walletMinor: points(100) - 1n })],
    ['a time-out', 'TIMED_OUT', withLimits({ timeoutUntilMs: wish.nowMs + 1 })],
    [
      'the day’s stake',
      'STAKE_LIMIT',
      withLimits({ dailyStakeMinor: points(300), stakedTodayMinor: points(200) + 1n }),
    ],
    ['the day’s loss', 'LOSS_LIMIT', withLimits({ dailyLossMinor: points(20), netLossTodayMinor: points(13) + 1n })],
    ['an unseen script', 'DISCLOSURE_CHANGED', withPlayer({ scriptedOutcome: 'lose' })],
    ['an unseen announcement', 'DISCLOSURE_CHANGED', withRound({ staffDirection: 'up' })],
    ['a disclosure that is no longer so', 'DISCLOSURE_CHANGED', { ...wish, seenBasis: 'ADMIN' }],
  ]
  test.each(cases)('%s → %s', (_, refusal, changed) => {
    expect(refusalOf(changed)).toBe(refusal)
  })

  test('accepts a bet that is just inside each limit', () => {
    const accepted: readonly BetWish[] = [
      { ...wish, nowMs: opensAtMs },
      { ...wish, nowMs: round.locksAtMs - 1 },
      { ...wish, stakeMinor: points(1) },
      withPlayer({ walletMinor: points(100_000) }, { stakeMinor: points(100_000) }),
      withPlayer({ walletMinor: points(100) }),
      withPlayer({ walletMinor: BALANCE_MAX_MINOR - points(7) }),
      withPlayer({ walletMinor: BALANCE_MAX_MINOR - points(57), pendingDepositsMinor: points(50) }),
      withLimits({ timeoutUntilMs: wish.nowMs }),
      withLimits({ dailyStakeMinor: points(300), stakedTodayMinor: points(200) }),
      withLimits({ dailyLossMinor: points(20), netLossTodayMinor: points(13) }),
      withLimits({ dailyLossMinor: 0n, netLossTodayMinor: points(-7) }),
      withPlayer({ scriptedOutcome: 'lose' }, { seenBasis: 'SCRIPTED' }),
      withRound({ staffDirection: 'down' }, { seenBasis: 'ADMIN' }),
    ]
    expect(accepted.map(refusalOf)).toEqual(accepted.map(() => null))
  })
})

describe('the order in which refusals are reported', () => {
  /** Each step adds one more fault, from the refusal that is reported last to the one reported first. */
  const ladder: ReadonlyArray<readonly [refusal: BetRefusal, fault: (wish: BetWish) => BetWish]> = [
    ['DISCLOSURE_CHANGED', (w) => ({ ...w, seenBasis: 'SCRIPTED' })],
    ['LOSS_LIMIT', (w) => limited(w, { dailyLossMinor: 0n })],
    ['STAKE_LIMIT', (w) => limited(w, { dailyStakeMinor: 0n })],
    ['TIMED_OUT', (w) => limited(w, { timeoutUntilMs: w.nowMs + 1 })],
    ['INSUFFICIENT_BALANCE', (w) => ({ ...w, player: { ...w.player, walletMinor: 0n } })],
    ['BET_OPEN', (w) => ({ ...w, player: { ...w.player, stakedMinor: 1n } })],
    ['AMOUNT_LIMIT', (w) => ({ ...w, stakeMinor: points(100_001) })],
    ['STAKE_INVALID', (w) => ({ ...w, stakeMinor: points(100_001) + 1n })],
    ['CLOCK_UNSURE', (w) => ({ ...w, round: { ...(w.round ?? round), isEntryTold: true } })],
    ['FEED_CLOSED', (w) => ({ ...w, round: { ...(w.round ?? round), isFeedOpen: false } })],
    ['ROUND_CLOSING', (w) => ({ ...w, nowMs: round.locksAtMs })],
    ['ROUND_NOT_FOUND', (w) => ({ ...w, round: null })],
    ['ACCOUNT_PAUSED', (w) => ({ ...w, player: { ...w.player, isFrozen: true } })],
    ['STAFF_CANNOT_PLAY', (w) => ({ ...w, player: { ...w.player, isStaff: true } })],
  ]
  const limited = (w: BetWish, changes: Partial<BettingLimits>): BetWish => ({
    ...w,
    player: { ...w.player, limits: { ...(w.player.limits ?? noLimits), ...changes } },
  })

  test('does not depend on how many faults there are', () => {
    let faulty = wish
    const told = ladder.map(([, fault]) => {
      faulty = fault(faulty)
      return refusalOf(faulty)
    })
    expect(told).toEqual(ladder.map(([refusal]) => refusal))
  })

  test('names every refusal there is', () => {
    const named: Record<BetRefusal, true> = {
      STAFF_CANNOT_PLAY: true,
      ACCOUNT_PAUSED: true,
      ROUND_NOT_FOUND: true,
      ROUND_CLOSING: true,
      FEED_CLOSED: true,
      CLOCK_UNSURE: true,
      STAKE_INVALID: true,
      AMOUNT_LIMIT: true,
      BET_OPEN: true,
      INSUFFICIENT_BALANCE: true,
      DISCLOSURE_CHANGED: true,
      TIMED_OUT: true,
      STAKE_LIMIT: true,
      LOSS_LIMIT: true,
    }
    expect(ladder.map(([refusal]) => refusal).toSorted()).toEqual(Object.keys(named).toSorted())
  })
})

describe('disclosure', () => {
  const outcomes = [null, 'win', 'lose'] as const satisfies readonly (ScriptedOutcome | null)[]

  test('a script takes precedence over an announcement, an announcement over the price', () => {
    for (const scripted of outcomes) {
      for (const staffDirection of [null, ...DIRECTIONS]) {
        expect(basisNow(scripted, staffDirection)).toBe(
          scripted === null ? (staffDirection === null ? 'PRICE' : 'ADMIN') : 'SCRIPTED',
        )
      }
    }
  })

  test('an accepted bet is always decided by the basis that the player said they saw', () => {
    for (const scriptedOutcome of outcomes) {
      for (const staffDirection of [null, ...DIRECTIONS]) {
        for (const seenBasis of BASES) {
          const decision = decidePlaceBet({
            ...wish,
            seenBasis,
            player: { ...player, scriptedOutcome },
            round: { ...round, staffDirection },
          })
          const isSeen = basisNow(scriptedOutcome, staffDirection) === seenBasis
          expect(decision.ok).toBe(isSeen)
          if (!decision.ok) expect(decision.refusal).toBe('DISCLOSURE_CHANGED')
          else
            expect(decision).toMatchObject({
              basis: seenBasis,
              scriptedOutcome: seenBasis === 'SCRIPTED' ? scriptedOutcome : null,
            })
        }
      }
    }
  })
})

test('an accepted bet never costs more than the wallet holds and never stands beside another', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: points(200_000) }),
      fc.bigInt({ min: 0n, max: 3n }),
      fc.bigInt({ min: -points(10), max: points(200_000) }),
      fc.constantFrom(...ROUND_TYPES),
      fc.integer({ min: -1000, max: 70_000 }),
      (walletMinor, stakedMinor, stakeMinor, type, sinceOpenMs) => {
        const decision = decidePlaceBet({
          ...withPlayer({ walletMinor, stakedMinor }),
          stakeMinor,
          round: { ...round, type },
          nowMs: opensAtMs + sinceOpenMs,
        })
        if (!decision.ok) return
        expect(stakedMinor).toBe(0n)
        expect(stakeMinor).toBeGreaterThan(0n)
        expect(stakeMinor).toBeLessThanOrEqual(walletMinor)
        expect(stakeMinor % 100n).toBe(0n)
        expect(sinceOpenMs).toBeGreaterThanOrEqual(0)
        expect(sinceOpenMs).toBeLessThan(59_000)
        expect(decision.profitMinor).toBeGreaterThan(0n)
        expect(decision.profitMinor).toBeLessThan(stakeMinor)
      },
    ),
    { numRuns: 2000 },
  )
})

test('every preset stake is a valid stake', () => {
  expect(PRESET_STAKES.map((whole) => checkStake(points(whole)))).toEqual(PRESET_STAKES.map(() => null))
})
