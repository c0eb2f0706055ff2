import { expect, test } from 'vitest'
import { PRESET_STAKES, profitOf, STAKE_MAX_POINTS, STAKE_MIN_POINTS } from './game/bet.ts'
import { RATE_PERCENT, ROUND_TYPES, type RoundType } from './game/calendar.ts'
import { decideSettlement, type SettlingBet, type SettlingRound, type TickPrice } from './game/settle.ts'
import { closeBetTransfers, stakeTransfer } from './ledger/transfers.ts'
import { points } from './money.ts'

const closesAtMs = 1_800_000_000_000
const acceptedAtMs = closesAtMs - 20_500
const exits = { won: 2, lost: 0, voided: 1 } as const
type Ending = keyof typeof exits

/** A price of 1 in every second except the last, whose price decides. */
const ticksFor =
  (ending: Ending) =>
  (second: number): TickPrice => ({
    second,
    price: second * 1000 === closesAtMs ? exits[ending] : 1,
    quoteAtMs: second * 1000,
  })

const accounts = ['wallet', 'staked', 'house'] as const

/** Runs one bet through all rules from stake to settlement. Returns the fault found in the books, or null. */
function faultOf(
  type: RoundType,
  wholeStake: number,
  ending: Ending,
  tickAt: (second: number) => TickPrice,
): string | null {
  const stakeMinor = points(wholeStake)
  const round: SettlingRound = { type, closesAtMs, staffDirection: null, isDeleted: false }
  const bet: SettlingBet = {
    direction: 'up',
    stakeMinor,
    basis: 'PRICE',
    seenBasis: 'PRICE',
    scriptedOutcome: null,
    acceptedAtMs,
  }
  const outcome = decideSettlement(round, bet, tickAt)
  if (outcome.status !== ending) return `ended ${outcome.status}`

  const balances = { wallet: stakeMinor, staked: 0n, house: 0n }
  const transfers = [
    stakeTransfer('b', 'u', stakeMinor),
    ...closeBetTransfers('b', 'u', stakeMinor, outcome.profitMinor),
  ]
  for (const { from, to, amountMinor } of transfers) {
    if (amountMinor <= 0n) return 'a transfer that is not positive'
    balances[from.kind as keyof typeof balances] -= amountMinor
    balances[to.kind as keyof typeof balances] += amountMinor
    if (balances.wallet < 0n || balances.staked < 0n) return 'a user account below zero'
  }
  // One per cent of a point is one minor unit, so this expectation is computed in whole numbers, independently of the
  // rule.
  const profit = BigInt(wholeStake * RATE_PERCENT[type])
  const expectedMinor = ending === 'won' ? stakeMinor + profit : ending === 'lost' ? stakeMinor - profit : stakeMinor
  if (balances.wallet !== expectedMinor) return `paid ${balances.wallet}, not ${expectedMinor}`
  if (balances.staked !== 0n) return `${balances.staked} left in staked`
  if (accounts.reduce((sum, kind) => sum + balances[kind], 0n) !== stakeMinor) return 'points made or lost on the way'
  return null
}

const endings = Object.keys(exits) as Ending[]
const cases = ROUND_TYPES.flatMap((type) => endings.map((ending) => [type, ending] as const))

test.each(cases)('%s, %s: every stake from 1 to 100,000 points is booked exactly', (type, ending) => {
  const tickAt = ticksFor(ending)
  const faults: string[] = []
  let seen = 0
  for (let stake = STAKE_MIN_POINTS; stake <= STAKE_MAX_POINTS; stake++) {
    seen++
    const fault = faultOf(type, stake, ending, tickAt)
    if (fault !== null && faults.length < 5) faults.push(`${stake}: ${fault}`)
  }
  expect(faults).toEqual([])
  expect(seen).toBe(100_000)
})

test('every preset pays what the screen promises', () => {
  for (const type of ROUND_TYPES) {
    for (const preset of PRESET_STAKES) {
      expect(Number(profitOf(type, points(preset)))).toBe(preset * RATE_PERCENT[type])
      for (const ending of endings) expect(faultOf(type, preset, ending, ticksFor(ending))).toBeNull()
    }
  }
})
