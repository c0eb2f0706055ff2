import { describe, expect, test } from 'vitest'
import { gameTexts } from './game-texts.ts'
import { heldFigures } from './held-figures.ts'
import { aBet } from './testing.ts'

const entryPrice = 4_131_902
const placed = (changes = {}) => aBet({ entryPrice, entryAtMs: aBet().entryFromMs, ...changes })

describe('“if it ended now” says what the settlement would', () => {
  test.each([
    ['up', entryPrice + 212, '▲ $0.212', '+5.00'],
    ['up', entryPrice - 1, '▼ $0.001', '−5.00'],
    ['down', entryPrice + 212, '▲ $0.212', '−5.00'],
    ['down', entryPrice - 1, '▼ $0.001', '+5.00'],
  ] as const)('%s at %i: %s, %s', (direction, price, difference, outcome) => {
    const figures = heldFigures(placed({ direction }), price)
    expect(figures.difference).toEqual({ text: difference, way: price > entryPrice ? 'up' : 'down' })
    expect(figures.outcome).toEqual({ text: outcome, way: outcome.startsWith('+') ? 'up' : 'down' })
  })

  test.each(['up', 'down'] as const)('a tie returns the stake to %s', (direction) => {
    const figures = heldFigures(placed({ direction }), entryPrice)
    expect(figures).toEqual({
      price: '$4,131.902',
      difference: { text: '$0.000', way: 'flat' },
      outcome: { text: gameTexts.refunded, way: 'flat' },
    })
  })

  test('the rate is the type’s, and the stake the bet’s', () => {
    const round = { ...aBet().round, type: '120s' as const }
    expect(heldFigures(placed({ round, stakeMinor: 1_000n }), entryPrice + 1).outcome.text).toBe('+1.20')
  })
})

test('before the entry, and without a price, nothing is said of difference or outcome', () => {
  const nothing = { text: '–', way: 'flat' }
  expect(heldFigures(aBet(), entryPrice)).toEqual({ price: '$4,131.902', difference: nothing, outcome: nothing })
  expect(heldFigures(placed(), null)).toEqual({ price: '–', difference: nothing, outcome: nothing })
})
