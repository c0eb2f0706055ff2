import { describe, expect, test } from 'vitest'
import { betsTexts } from './bets-texts.ts'
import type { GameBet } from './api.ts'
import { auditTicks, betStory, linePoints, summaryWords } from './own-bets-words.ts'

const none = {
  open: 0,
  won: 0,
  lost: 0,
  voided: 0,
  stakedMinor: 0n,
  profitMinor: 0n,
  leftOut: 0,
  isCapped: false,
}

describe('the totals of bets, in words', () => {
  test('nothing decided by price yet', () => {
    expect(summaryWords(none)).toEqual([betsTexts.none])
  })
  test('wins, losses and their share, and the bets that are not counted', () => {
    const sentences = summaryWords({ ...none, won: 7, lost: 5, voided: 1, open: 1, leftOut: 2 })
    expect(sentences[0]).toBe('12 lệnh có kết quả theo giá: 7 thắng, 5 thua.')
    expect(sentences[1]).toMatch(/^Tỷ lệ thắng 58.3%\./)
    expect(sentences.slice(2)).toEqual([
      '1 lệnh được hoàn điểm.',
      '1 lệnh đang chạy.',
      'Không tính 2 lệnh không do giá quyết định.',
    ])
  })
})

const second = Date.parse('2026-11-20T08:04:00.000Z') / 1000
const bet: GameBet = {
  id: '1',
  owner: { id: 'u', username: 'u' },
  round: { id: 'r', roundNumber: 1, type: '30s' },
  direction: 'up',
  stakeMinor: 100_00n,
  status: 'won',
  basis: 'PRICE',
  entryFromMs: (second + 1) * 1000,
  entryAtMs: (second + 2) * 1000,
  entryPrice: 4_000_000,
  exitPrice: 4_000_512,
  profitMinor: 5_00n,
  voidReason: null,
  closesAtMs: (second + 5) * 1000,
  settledAtMs: (second + 6) * 1000,
  createdAtMs: second * 1000 + 400,
}

describe('the steps that decided a bet', () => {
  const { story } = betsTexts
  test('by price: acceptance, entry, exit, comparison', () => {
    expect(betStory(bet)).toEqual([
      'Lệnh được nhận lúc 15:04:00.',
      'Giá vào là giá đầu tiên được báo sau lúc đó: $4,000.000 lúc 15:04:02.',
      'Giá ra là giá lúc phiên kết thúc: $4,000.512 lúc 15:04:05.',
      'Giá ra cao hơn giá vào $0.512.',
    ])
    expect(betStory({ ...bet, exitPrice: 3_999_000 }).at(-1)).toBe('Giá ra thấp hơn giá vào $1.000.')
  })
  test('a refund states its reason', () => {
    const voided = { ...bet, status: 'voided', profitMinor: 0n } as const
    expect(betStory({ ...voided, voidReason: 'TIE', exitPrice: 4_000_000 }).at(-1)).toBe(story.same)
    const noEntry = { ...voided, voidReason: 'NO_TICK', entryPrice: null, entryAtMs: null } as const
    expect(betStory(noEntry).at(-1)).toBe(story.noEntry)
    expect(betStory({ ...voided, voidReason: 'NO_TICK', exitPrice: null }).at(-1)).toBe(story.noExit)
    expect(betStory({ ...voided, voidReason: 'ROUND_DELETED', exitPrice: null }).at(-1)).toBe(story.deleted)
  })
  test.each(['ADMIN', 'SCRIPTED'] as const)('%s decides, but the round was deleted', (basis) => {
    const voided = { ...bet, basis, status: 'voided', profitMinor: 0n, voidReason: 'ROUND_DELETED' } as const
    const undecided = { ...voided, entryPrice: null, entryAtMs: null, exitPrice: null }
    expect(betStory(undecided)).toEqual(['Lệnh được nhận lúc 15:04:00.', story.deleted])
  })
  test('an open bet, and bets that no price decides', () => {
    expect(betStory({ ...bet, status: 'open', exitPrice: null, profitMinor: null }).at(-1)).toBe(story.running)
    expect(betStory({ ...bet, basis: 'ADMIN' })).toEqual(['Lệnh được nhận lúc 15:04:00.', story.admin])
    expect(betStory({ ...bet, basis: 'SCRIPTED' }).at(-1)).toBe(story.scripted)
  })
})

const ticks = [-1, 0, 1, 2, 3, 4, 5].map((offset) => ({
  second: second + offset,
  price: offset === 3 ? null : 4_000_000 + (offset - 2) * 100,
  quoteAtMs: null,
}))

test('the ticks of a bet, with acceptance, entry and exit marked and compared from the entry on', () => {
  const audited = auditTicks(bet, { source: 's', label: 'l', acceptedAtMs: bet.createdAtMs, ticks })
  expect(audited.map(({ mark }) => mark)).toEqual([null, 'accepted', null, 'entry', null, null, 'exit'])
  expect(audited.map(({ changeText }) => changeText)).toEqual([null, null, null, '0.000', null, '+0.200', '+0.300'])
})

test('the line breaks where a price is missing, and stays inside its box', () => {
  const { runs, place } = linePoints(ticks, 300, 100)
  expect(runs).toEqual(['0,100 50,83.3 100,66.7 150,50', '250,16.7 300,0'])
  expect(place(second + 5, 4_000_300)).toEqual({ x: 300, y: 0 })
})

test('one price, or none, does not divide by zero', () => {
  expect(linePoints([{ second: 1, price: 5 }], 10, 10).runs).toEqual(['0,10'])
  expect(linePoints([], 10, 10).runs).toEqual([])
})
