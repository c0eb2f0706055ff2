import { describe, expect, test } from 'vitest'
import type { LimitsState } from '#domain/game/limits.ts'
import { limitsTexts } from './limits-texts.ts'
import { numberProblems } from '#web/ui/typed-texts.ts'
import { describeChange, digitsOf, durationText, limitOf, limitProblem, pendingWords } from './limits-words.ts'

const nowMs = Date.parse('2026-11-20T08:00:00.000Z')
const none = { dailyStakeMinor: null, dailyLossMinor: null, reminderMinutes: null, timeoutUntilMs: null }
const at = (limits: Partial<LimitsState['limits']>, pending: LimitsState['pending'] = null): LimitsState => ({
  limits: { ...none, ...limits },
  pending,
})

describe('the effect of saving', () => {
  test('an unchanged form has none', () => {
    expect(describeChange(at({ dailyStakeMinor: 500_00n }), { ...none, dailyStakeMinor: 500_00n }, nowMs)).toEqual([])
  })
  test('a first limit and a lower one apply at once', () => {
    expect(describeChange(at({}), { ...none, dailyStakeMinor: 500_00n }, nowMs)).toEqual([limitsTexts.willLower])
    expect(describeChange(at({ dailyLossMinor: 9_00n }), { ...none, dailyLossMinor: 5_00n }, nowMs)).toEqual([
      limitsTexts.willLower,
    ])
  })
  test('a higher limit, or none, applies after a day', () => {
    expect(describeChange(at({ dailyStakeMinor: 500_00n }), { ...none, dailyStakeMinor: 600_00n }, nowMs)).toEqual([
      limitsTexts.willRaise,
    ])
    expect(describeChange(at({ dailyStakeMinor: 500_00n }), none, nowMs)).toEqual([limitsTexts.willRaise])
  })
  test('lowering one and raising the other shows both effects', () => {
    const before = at({ dailyStakeMinor: 500_00n, dailyLossMinor: 50_00n })
    expect(describeChange(before, { ...none, dailyStakeMinor: 400_00n, dailyLossMinor: 60_00n }, nowMs)).toEqual([
      limitsTexts.willLower,
      limitsTexts.willRaise,
    ])
  })
  test('the effect on a pending raise', () => {
    const pending = { dailyStakeMinor: 900_00n, dailyLossMinor: null, takesEffectAtMs: nowMs + 3_600_000 }
    const before = at({ dailyStakeMinor: 500_00n }, pending)
    expect(describeChange(before, { ...none, dailyStakeMinor: 400_00n }, nowMs)).toEqual([
      limitsTexts.willLower,
      limitsTexts.willCancelRaise,
    ])
    expect(describeChange(before, { ...none, dailyStakeMinor: 800_00n }, nowMs)).toEqual([limitsTexts.willReplaceRaise])
    expect(describeChange(before, { ...none, dailyStakeMinor: 500_00n, reminderMinutes: 30 }, nowMs)).toEqual([])
  })
  test('a change that the server would refuse shows no effect', () => {
    expect(describeChange(at({}), { ...none, reminderMinutes: 1 }, nowMs)).toEqual([])
  })
})

test('a pending raise names only the limits it changes', () => {
  const { limits } = at({ dailyStakeMinor: 500_00n, dailyLossMinor: 50_00n })
  const takesEffectAtMs = nowMs
  expect(pendingWords(limits, { dailyStakeMinor: 1_000_00n, dailyLossMinor: 50_00n, takesEffectAtMs })).toBe(
    'Từ 15:00 20/11/2026 giới hạn đặt: 1,000 điểm',
  )
  expect(pendingWords(limits, { dailyStakeMinor: null, dailyLossMinor: 60_00n, takesEffectAtMs })).toBe(
    'Từ 15:00 20/11/2026 giới hạn đặt: không giới hạn, giới hạn thua: 60 điểm',
  )
})

test('digits are converted to limits and back', () => {
  expect(limitOf('', 5n)).toBeNull()
  expect(limitOf('0', 5n)).toBe(0n)
  expect(limitOf('1500', 5n)).toBe(1_500_00n)
  expect(limitOf('1.500.000', 5n)).toBe(1_500_000_00n)
  // What can't be read changes nothing, and is refused.
  expect(limitOf('1.500,5', 5n)).toBe(5n)
  expect(['', '1.500', '1.500,5', '-5'].map(limitProblem)).toEqual([
    ...[undefined, undefined, numberProblems.fraction, numberProblems.signed],
  ])
  expect(digitsOf(null)).toBe('')
  expect(digitsOf(1_500_00n)).toBe('1500')
})

test.each([
  [0, '0 phút'],
  [59 * 60_000 + 59_999, '59 phút'],
  [60 * 60_000, '1 giờ'],
  [125 * 60_000, '2 giờ 5 phút'],
])('%i ms reads %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
