import { describe, expect, test } from 'vitest'
import { dayAfter } from '#domain/day.ts'
import { NO_TOTALS } from '#domain/statistics/play.ts'
import { rangeOf } from './range.ts'
import { balancesOf, barsOf, drawnDays } from './series.ts'
import { csvName, writeStatisticsCsv } from './statistics-csv.ts'
import { statisticsTexts as texts } from './statistics-texts.ts'
import {
  averageOf,
  netSentence,
  runSentences,
  runsOf,
  shareRows,
  shareSentences,
  stakeSentences,
  summarySentences,
  timeText,
} from './statistics-words.ts'
import { someDay, someStatistics } from '#web/testing/statistics.ts'

const ofType = (won: number, lost: number) =>
  someStatistics({ types: [{ type: '30s' as const, ...NO_TOTALS, won, lost }] })

describe('the range', () => {
  const own = { from: null, to: null }
  test('counts today among its days', () => {
    expect(rangeOf({ name: 'week', own }, '2026-11-22')).toEqual({ from: '2026-11-16', to: '2026-11-22' })
    expect(rangeOf({ name: 'month', own }, '2026-03-01')).toEqual({ from: '2026-01-31', to: '2026-03-01' })
    expect(rangeOf({ name: 'all', own }, '2026-11-22')).toEqual({ from: null, to: null })
  })

  test('of the player’s own needs both ends in their order', () => {
    const of = (from: string | null, to: string | null) => rangeOf({ name: 'own', own: { from, to } }, '2026-11-22')
    expect(of('2026-11-01', null)).toBeNull()
    expect(of('2026-11-02', '2026-11-01')).toBeNull()
    expect(of('2026-11-01', '2026-11-01')).toEqual({ from: '2026-11-01', to: '2026-11-01' })
  })
})

describe('what pictures draw', () => {
  test('is every day of the range to today, also those without a bet', () => {
    const statistics = someStatistics({ days: [someDay('2026-11-19')] })
    expect(drawnDays(statistics)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'])
    expect(drawnDays({ ...statistics, range: { from: '2026-11-21', to: '2026-12-24' } })).toEqual([
      '2026-11-21',
      '2026-11-22',
    ])
    expect(drawnDays(someStatistics())).toEqual(['2026-11-22'])
    // An answer about years that nobody has asked for fills no memory.
    expect(drawnDays({ ...statistics, range: { from: '0002-11-20', to: null } })).toHaveLength(10_958)
  })

  test('is a bar for each day, each week or each month, and adds up alike', () => {
    for (const [ago, step, most] of [
      [91, 'day', 92],
      [92, 'week', 14],
      [734, 'week', 105],
      [735, 'month', 26],
    ] as const) {
      const first = dayAfter('2026-11-22', -ago)
      const days = [someDay(first, { won: 1, netMinor: 5n }), someDay('2026-11-22', { lost: 2, netMinor: -7n })]
      const statistics = someStatistics({ days })
      const { step: seen, bars } = barsOf(statistics, drawnDays(statistics))
      expect([ago, seen]).toEqual([ago, step])
      expect(bars.length).toBeLessThanOrEqual(most)
      expect(bars.reduce((sum, { netMinor }) => sum + netMinor, 0n)).toBe(-2n)
      expect([bars[0]?.firstDay, bars.at(-1)?.lastDay]).toEqual([first, '2026-11-22'])
    }
  })

  test('is the last balance that was known', () => {
    const days = [someDay('2026-11-20', { balanceMinor: 5n }), someDay('2026-11-22', { balanceMinor: 9n, won: 1 })]
    const all = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22']
    expect(balancesOf(someStatistics({ days }), all)).toEqual([null, 5n, 5n, 9n])
    expect(balancesOf(someStatistics({ days, openingBalanceMinor: 1n }), all)).toEqual([1n, 5n, 5n, 9n])
  })
})

describe('the sentences', () => {
  test('say that a share lies where a coin’s also lies, or not, and never what comes', () => {
    expect(shareSentences(shareRows(ofType(58, 62))[0])).toEqual([
      texts.shareFits('48.3%', '39.6%', '57.2%'),
      texts.shareWithin('40.8%', '59.2%'),
    ])
    expect(shareSentences(shareRows(ofType(90, 30))[0])[1]).toBe(texts.shareOutside('40.8%', '59.2%'))
    expect(shareSentences(shareRows(ofType(10, 9))[0])).toEqual([texts.shareFew('19')])
    expect(shareSentences(shareRows(ofType(0, 0))[0])).toEqual([texts.shareNone])
    expect(shareRows(ofType(58, 62)).map(({ label }) => label)).toEqual([texts.allTypes, '30s'])
  })

  test('compare the mean stakes', () => {
    const of = (loss: bigint, win: bigint) =>
      stakeSentences(
        someStatistics({ afterLoss: { bets: 3, stakedMinor: loss }, afterWin: { bets: 2, stakedMinor: win } }),
      )
    expect(of(100_00n, 50_00n)).toEqual([texts.stakesMean('33.33', '25.00'), texts.stakesHigher])
    expect(of(75_00n, 50_00n)).toEqual([texts.stakesMean('25.00', '25.00'), texts.stakesAlike])
    expect(stakeSentences(someStatistics())).toEqual([texts.stakesFew])
    expect(averageOf({ bets: 3, stakedMinor: 200n })).toBe(67n)
    expect(averageOf({ bets: 0, stakedMinor: 0n })).toBeNull()
  })

  test('stand beside the runs of a coin', () => {
    const runs = (longestWins: number) => runsOf({ ...ofType(60, 60), longestWins, longestLosses: 6 })
    const [six, twenty] = [runs(6), runs(20)]
    if (six === null || twenty === null) throw new Error('There are decided bets.')
    expect(runSentences(six)).toEqual([
      texts.runsMean('6', '6'),
      texts.runsChance('120', '4', '11', '6.3'),
      texts.runsWithin,
    ])
    expect(runSentences(twenty).at(-1)).toBe(texts.runsOutside)
    expect(runsOf(someStatistics())).toBeNull()
  })

  test('count days, and leave apart what the price did not decide', () => {
    const days = [1n, -1n, 0n, 2n].map((netMinor, at) => someDay(`2026-11-2${at}`, { netMinor, won: 1 }))
    expect(netSentence(someStatistics({ days: [...days, someDay('2026-11-29', { netMinor: 9n })] }))).toBe(
      texts.netMeans('2', '1'),
    )
    expect(summarySentences({ ...ofType(3, 1), leftOut: 2 })).toContain(texts.leftOut('2'))
    expect(summarySentences(ofType(3, 1))).not.toContain(texts.leftOut('0'))
  })

  test('say a time in hours and minutes', () => {
    expect([59_999, 60_000, 3_599_999, 3_600_000, 90_060_000].map(timeText)).toEqual([
      'dưới 1 phút',
      '1 phút',
      '59 phút',
      '1 giờ 0 phút',
      '25 giờ 1 phút',
    ])
  })
})

test('the file holds a line for each day, with plain numbers and empty where there is no balance', () => {
  const statistics = someStatistics({
    days: [
      someDay('2026-11-20', { won: 2, lost: 1, voided: 1, stakedMinor: 300_00n, netMinor: -2_50n, playedMs: 150_000 }),
      someDay('2026-11-21', { balanceMinor: 1_234_50n }),
    ],
  })
  const [head, ...lines] = writeStatisticsCsv(statistics).split('\r\n')
  expect(head).toBe('\uFEFFNgày,Thắng,Thua,Hoàn,Điểm đặt,Ròng,Chơi (phút),Số dư cuối ngày')
  expect(lines).toEqual(['2026-11-20,2,1,1,300.00,-2.50,3,', '2026-11-21,0,0,0,0.00,0.00,0,1234.50', ''])
  expect(csvName(statistics)).toBe('kim-phien-thong-ke-2026-11-20-2026-11-22.csv')
})
