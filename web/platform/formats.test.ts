import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatAge,
  formatAmount,
  formatCoinPrice,
  formatCount,
  formatCountdown,
  formatDate,
  formatDateMinute,
  formatDateTime,
  formatDay,
  formatGoldChange,
  formatGoldDifference,
  formatGoldNumber,
  formatGoldPrice,
  formatMinute,
  formatPercentChange,
  formatSignedAmount,
  formatTime,
  formatTimeLeft,
  formatWholeAmount,
  remainingSeconds,
} from './formats.ts'

describe('amounts and prices', () => {
  test.each([
    [123450n, '1,234.50'],
    [0n, '0.00'],
    [5n, '0.05'],
    [-50n, '−0.50'],
    [100_000_000_000_000n, '1,000,000,000,000.00'],
    [99_999_999_999_999_99n, '99,999,999,999,999.99'],
  ])('%s minor units read %s', (minor, text) => expect(formatAmount(minor)).toBe(text))

  test('signed amounts carry + or a real minus, and zero neither', () => {
    expect([500n, -500n, 0n].map(formatSignedAmount)).toEqual(['+5.00', '−5.00', '0.00'])
  })

  test('whole amounts drop the decimals, but never a fraction', () => {
    expect([100_000n, 1_000_000n, 12_345n].map(formatWholeAmount)).toEqual(['1,000', '10,000', '123.45'])
  })

  test('gold always has three decimals', () => {
    expect(formatGoldPrice(4_132_114)).toBe('$4,132.114')
    expect(formatGoldPrice(4_000_000)).toBe('$4,000.000')
    expect(formatGoldNumber(4_130_902)).toBe('4,130.902')
    expect([6_420, -6_420, 0].map(formatGoldDifference)).toEqual(['6.420', '6.420', '0.000'])
    expect([6_420, -6_420, 0].map(formatGoldChange)).toEqual(['+6.420', '−6.420', '0.000'])
  })

  test.each([
    [97_482.1, '$97,482.10'],
    [1, '$1.00'],
    [0.5234, '$0.5234'],
    [0.052345, '$0.05235'],
    [0.00001234, '$0.00001234'],
    [0.99996, '$1.00'],
    [0.00099996, '$0.001000'],
    [0, '$0.00'],
  ])('a coin at %s reads %s', (dollars, text) => expect(formatCoinPrice(dollars)).toBe(text))

  test.each([
    [1.2401, '1.24%'],
    [-0.631, '0.63%'],
    [0.001, '0.00%'],
    [-0.001, '0.00%'],
    [1234.5, '1,234.50%'],
  ])('the size of a change of %s reads %s', (percent, text) => expect(formatPercentChange(percent)).toBe(text))

  test('counts are grouped as Intl does for en-US', () => {
    expect(formatCount(927_418)).toBe('927,418')
    const intl = new Intl.NumberFormat('en-US')
    fc.assert(
      fc.property(fc.maxSafeInteger(), (count) => {
        expect(formatCount(count)).toBe(intl.format(count))
      }),
    )
  })
})

describe('dates and times in Vietnam', () => {
  const justAfterMidnight = Date.UTC(2026, 10, 20, 17, 0, 5)

  test('DD/MM/YYYY and 24 hours, whatever the zone of this machine', () => {
    expect(formatDate(justAfterMidnight)).toBe('21/11/2026')
    expect(formatMinute(justAfterMidnight)).toBe('00:00')
    expect(formatTime(justAfterMidnight)).toBe('00:00:05')
    expect(formatTime(new Date(Date.UTC(2026, 10, 20, 8, 4, 12)))).toBe('15:04:12')
    expect(formatDateTime(Date.UTC(2026, 0, 2, 3, 4, 5))).toBe('02/01/2026 10:04:05')
    expect(formatDateMinute(Date.UTC(2026, 0, 2, 3, 4, 5))).toBe('02/01/2026 10:04')
  })

  test('equal Intl’s vi-VN in Asia/Ho_Chi_Minh at every moment', () => {
    const two = '2-digit'
    const zone = { timeZone: 'Asia/Ho_Chi_Minh', hourCycle: 'h23' } as const
    const date = new Intl.DateTimeFormat('vi-VN', { ...zone, day: two, month: two, year: 'numeric' })
    const time = new Intl.DateTimeFormat('vi-VN', { ...zone, hour: two, minute: two, second: two })
    const moment = fc.integer({ min: Date.UTC(1976, 0, 1), max: Date.UTC(2099, 11, 31) })
    fc.assert(
      fc.property(moment, (at) => {
        expect(formatDate(at)).toBe(date.format(at))
        expect(formatTime(at)).toBe(time.format(at))
        expect(formatMinute(at)).toBe(time.format(at).slice(0, 5))
      }),
    )
  })

  test('today and yesterday go by the Vietnamese calendar', () => {
    expect(formatDay(justAfterMidnight, justAfterMidnight + 3_600_000)).toBe('Hôm nay')
    expect(formatDay(justAfterMidnight - 6_000, justAfterMidnight)).toBe('Hôm qua')
    expect(formatDay(justAfterMidnight - 6_000 - 86_400_000, justAfterMidnight)).toBe('19/11/2026')
    // A moment of tomorrow is neither.
    expect(formatDay(justAfterMidnight, justAfterMidnight - 10_000)).toBe('21/11/2026')
  })
})

describe('ages and countdowns', () => {
  test.each([
    [400, '0.4 giây trước'],
    [-30, '0.0 giây trước'],
    [9_949, '9.9 giây trước'],
    [9_950, '10 giây trước'],
    [59_999, '59 giây trước'],
    [60_000, '1 phút trước'],
    [3_600_000, '1 giờ trước'],
    [432_000_000, '5 ngày trước'],
  ])('%s ms reads %s', (ms, text) => expect(formatAge(ms)).toBe(text))

  test.each([
    [18_000, '00:18'],
    [17_999, '00:18'],
    [17_011, '00:18'],
    [17_005, '00:17'],
    [17_000, '00:17'],
    [120_000, '02:00'],
    [1, '00:00'],
    [0, '00:00'],
    [-5_000, '00:00'],
  ])('%s ms left reads %s', (ms, text) => expect(formatCountdown(ms)).toBe(text))

  test.each([
    [0, '00:00'],
    [3_599_000, '59:59'],
    [3_600_000, '1 giờ 0 phút'],
    [130_319_999, '36 giờ 11 phút'],
  ])('%s ms left of something far away reads %s', (ms, text) => expect(formatTimeLeft(ms)).toBe(text))

  test('a tick a few ms early or late counts as on its second', () => {
    expect(remainingSeconds(5_000)).toBe(5)
    expect(remainingSeconds(4_960)).toBe(5)
    expect(remainingSeconds(5_004)).toBe(5)
    expect(remainingSeconds(5_011)).toBe(6)
  })
})
