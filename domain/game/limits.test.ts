import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { points } from '../money.ts'
import {
  decideLimits,
  limitsAt,
  type LimitsState,
  NO_LIMITS,
  type PlayerLimits,
  RAISE_AFTER_MS,
  TIMEOUT_MAX_MS,
} from './limits.ts'

const nowMs = Date.UTC(2026, 5, 15, 12)
const hourMs = 3_600_000
const none = NO_LIMITS.limits
const wish = (changes: Partial<PlayerLimits>): PlayerLimits => ({ ...none, ...changes })
const state = (limits: Partial<PlayerLimits>, pending: LimitsState['pending'] = null): LimitsState => ({
  limits: wish(limits),
  pending,
})
const decide = (before: LimitsState, wished: Partial<PlayerLimits>, atMs = nowMs) =>
  decideLimits(before, wish(wished), atMs)
const accepted = (before: LimitsState, wished: Partial<PlayerLimits>, atMs = nowMs): LimitsState => {
  const decision = decide(before, wished, atMs)
  if (!decision.ok) throw new Error(decision.refusal)
  return decision.state
}

describe('daily limits', () => {
  const hundred = state({ dailyStakeMinor: points(100), dailyLossMinor: points(50) })

  test('are effective at once when set or lowered', () => {
    expect(accepted(NO_LIMITS, { dailyStakeMinor: points(100) })).toEqual(state({ dailyStakeMinor: points(100) }))
    expect(accepted(hundred, { dailyStakeMinor: points(10), dailyLossMinor: 0n })).toEqual(
      state({ dailyStakeMinor: points(10), dailyLossMinor: 0n }),
    )
  })

  test.each([points(200), null])('are raised to %s after 24 hours', (raised) => {
    const waiting = accepted(hundred, { dailyStakeMinor: raised, dailyLossMinor: points(50) })
    expect(waiting.limits.dailyStakeMinor).toBe(points(100))
    expect(limitsAt(waiting, nowMs + RAISE_AFTER_MS - 1)).toBe(waiting)
    expect(limitsAt(waiting, nowMs + RAISE_AFTER_MS)).toEqual(
      state({ dailyStakeMinor: raised, dailyLossMinor: points(50) }),
    )
  })

  test('asking again for the same raise does not restart its 24 hours', () => {
    const raised = { dailyStakeMinor: points(200), dailyLossMinor: points(50) }
    const waiting = accepted(hundred, raised)
    expect(accepted(waiting, raised, nowMs + 5 * hourMs)).toEqual(waiting)
    const other = accepted(waiting, { ...raised, dailyStakeMinor: points(300) }, nowMs + 5 * hourMs)
    expect(other.pending?.takesEffectAtMs).toBe(nowMs + 5 * hourMs + RAISE_AFTER_MS)
  })

  test('lowering one cancels a pending raise; changing neither keeps it', () => {
    const waiting = accepted(hundred, { dailyStakeMinor: points(200), dailyLossMinor: points(50) })
    const kept = { dailyStakeMinor: points(100), dailyLossMinor: points(50) }
    expect(accepted(waiting, { ...kept, reminderMinutes: 30 }).pending).toEqual(waiting.pending)
    expect(accepted(waiting, { ...kept, dailyLossMinor: points(40) }).pending).toBeNull()
  })

  test('a negative limit is refused', () => {
    for (const name of ['dailyStakeMinor', 'dailyLossMinor'] as const)
      expect(decide(NO_LIMITS, { [name]: -1n })).toEqual({ ok: false, refusal: 'LIMIT_RANGE' })
  })

  test('no sequence of changes within a day leaves a limit looser than it was at its start', () => {
    const limit = fc.option(fc.bigInt({ min: 0n, max: 1000n }), { nil: null })
    const step = fc.record({ dailyStakeMinor: limit, dailyLossMinor: limit, afterMs: fc.nat(hourMs) })
    const isLooser = (now: bigint | null, start: bigint | null) => start !== null && (now === null || now > start)
    fc.assert(
      fc.property(limit, limit, fc.array(step, { maxLength: 20 }), (dailyStakeMinor, dailyLossMinor, steps) => {
        let current = state({ dailyStakeMinor, dailyLossMinor })
        let atMs = nowMs
        for (const { afterMs, ...wished } of steps) {
          atMs += afterMs
          current = accepted(current, wished, atMs)
          const { limits } = limitsAt(current, atMs)
          expect(isLooser(limits.dailyStakeMinor, dailyStakeMinor)).toBe(false)
          expect(isLooser(limits.dailyLossMinor, dailyLossMinor)).toBe(false)
        }
      }),
    )
  })
})

describe('a time-out', () => {
  const running = state({ timeoutUntilMs: nowMs + 24 * hourMs })

  test('lasts from an hour to six weeks', () => {
    for (const lengthMs of [hourMs, 24 * hourMs, TIMEOUT_MAX_MS])
      expect(decide(NO_LIMITS, { timeoutUntilMs: nowMs + lengthMs }).ok).toBe(true)
    for (const lengthMs of [hourMs / 2, TIMEOUT_MAX_MS + hourMs])
      expect(decide(NO_LIMITS, { timeoutUntilMs: nowMs + lengthMs })).toEqual({ ok: false, refusal: 'TIMEOUT_RANGE' })
  })

  test('can be made longer, and never shorter', () => {
    expect(accepted(running, { timeoutUntilMs: nowMs + 48 * hourMs }).limits.timeoutUntilMs).toBe(nowMs + 48 * hourMs)
    for (const timeoutUntilMs of [null, nowMs - 1, nowMs + 24 * hourMs - 1])
      expect(decide(running, { timeoutUntilMs })).toEqual({ ok: false, refusal: 'TIMEOUT_CANNOT_SHRINK' })
  })

  test('leaves other changes alone while it runs', () => {
    const lowered = accepted(running, { dailyStakeMinor: points(5), timeoutUntilMs: nowMs + 24 * hourMs })
    expect(lowered.limits).toEqual(wish({ dailyStakeMinor: points(5), timeoutUntilMs: nowMs + 24 * hourMs }))
  })

  test('is dropped once it is over', () => {
    expect(accepted(running, {}, nowMs + 24 * hourMs).limits.timeoutUntilMs).toBeNull()
  })
})

test('a reminder comes every 5 minutes to once a day', () => {
  expect([5, 1440, null].map((reminderMinutes) => decide(NO_LIMITS, { reminderMinutes }).ok)).toEqual([
    true,
    true,
    true,
  ])
  for (const reminderMinutes of [4, 1441, 0, -5])
    expect(decide(NO_LIMITS, { reminderMinutes })).toEqual({ ok: false, refusal: 'REMINDER_RANGE' })
})
