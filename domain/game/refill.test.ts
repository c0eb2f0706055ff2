import { describe, expect, test } from 'vitest'
import { points } from '../money.ts'
import type { BettingLimits } from './bet.ts'
import { decideRefill, type RefillWish } from './refill.ts'

const nowMs = 1_800_000_000_000
const limits: BettingLimits = {
  dailyStakeMinor: null,
  dailyLossMinor: null,
  timeoutUntilMs: null,
  stakedTodayMinor: 0n,
  netLossTodayMinor: 0n,
}
const empty: RefillWish = {
  isStaff: false,
  totalMinor: 0n,
  welcomeMinor: points(1000),
  wasRefilledToday: false,
  limits: null,
  nowMs,
}
const decide = (change: Partial<RefillWish>) => decideRefill({ ...empty, ...change })
const refused = (refusal: string) => ({ ok: false, refusal })

describe('a refill', () => {
  test.each([
    [0n, 100_000n],
    [350n, 99_650n],
    [999n, 99_001n],
  ])('fills %s up to the welcome points', (totalMinor, amountMinor) => {
    expect(decide({ totalMinor })).toEqual({ ok: true, amountMinor })
  })

  test.each([1000n, 1001n, 100_000n])('is refused with %s, which is not below 10 points', (totalMinor) => {
    expect(decide({ totalMinor })).toEqual(refused('REFILL_NOT_YET'))
  })

  test('is refused a second time on a day', () => {
    expect(decide({ wasRefilledToday: true })).toEqual(refused('REFILL_TAKEN'))
    // Tomorrow would not help whoever has enough.
    expect(decide({ wasRefilledToday: true, totalMinor: points(10) })).toEqual(refused('REFILL_NOT_YET'))
  })

  test('is refused where there are no welcome points, or fewer than the player has', () => {
    expect(decide({ welcomeMinor: 0n })).toEqual(refused('REFILL_NOT_YET'))
    expect(decide({ welcomeMinor: 500n, totalMinor: 500n })).toEqual(refused('REFILL_NOT_YET'))
  })

  test('is not for staff', () => {
    expect(decide({ isStaff: true })).toEqual(refused('STAFF_CANNOT_PLAY'))
  })

  test('is refused in a time-out, until the instant of its end', () => {
    const until = (timeoutUntilMs: number) => decide({ limits: { ...limits, timeoutUntilMs } })
    expect(until(nowMs + 1)).toEqual(refused('TIMED_OUT'))
    expect(until(nowMs)).toMatchObject({ ok: true })
  })

  test('is refused at a reached loss limit: where the smallest bet would be', () => {
    // One point in a round of 30 s loses 0.05.
    const lost = (netLossTodayMinor: bigint) =>
      decide({ limits: { ...limits, dailyLossMinor: 10_000n, netLossTodayMinor } })
    expect(lost(9_995n)).toMatchObject({ ok: true })
    expect(lost(9_996n)).toEqual(refused('LOSS_LIMIT_REACHED'))
    expect(lost(10_000n)).toEqual(refused('LOSS_LIMIT_REACHED'))
    expect(lost(-10_000n)).toMatchObject({ ok: true })
  })

  test('does not look at the limit on stakes', () => {
    const atLimit = { ...limits, dailyStakeMinor: 100n, stakedTodayMinor: 100n }
    expect(decide({ limits: atLimit })).toMatchObject({ ok: true })
  })
})
