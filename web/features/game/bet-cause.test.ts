import { expect, test } from 'vitest'
import { betCause } from './bet-cause.ts'
import { aBet, aWonBet } from '#web/testing/game.ts'

const settled = { entryPrice: 3_712_752, exitPrice: 3_711_686, settledAtMs: 1 } as const

test.each([
  ['a win', aWonBet({ ...settled, exitPrice: 3_713_234 }), 'Giá vàng lên $0.482, bạn chọn Mua 100 điểm.'],
  ['a loss', aWonBet({ ...settled, status: 'lost' }), 'Giá vàng xuống $1.066, bạn chọn Mua 100 điểm.'],
  ['a win by staff', aWonBet({ ...settled, basis: 'ADMIN' }), 'Bạn chọn Mua 100 điểm.'],
  [
    'a stake that came back',
    aBet({ status: 'voided', voidReason: 'TIE', settledAtMs: 1 }),
    'Giá vào bằng giá ra, bạn chọn Mua 100 điểm.',
  ],
] as const)('the cause of %s is one sentence', (_, bet, sentence) => {
  expect(betCause(bet)).toBe(sentence)
})
