import { describe, expect, test } from 'vitest'
import { gameTexts } from './game-texts.ts'
import { differenceText, outcomeAt, unknownOutcome } from './held-figures.ts'
import { aBet } from '#web/testing/game.ts'

const entryPrice = 4_131_902
const placed = (changes = {}) => aBet({ entryPrice, entryAtMs: aBet().entryFromMs, ...changes })

describe('“if it ended now” says what the settlement would', () => {
  test.each([
    ['up', entryPrice + 212, '+5.00 điểm'],
    ['up', entryPrice - 1, '−5.00 điểm'],
    ['down', entryPrice + 212, '−5.00 điểm'],
    ['down', entryPrice - 1, '+5.00 điểm'],
  ] as const)('%s at %i: %s', (direction, price, text) => {
    expect(outcomeAt(placed({ direction }), price)).toEqual({ text, way: text.startsWith('+') ? 'up' : 'down' })
  })

  test.each(['up', 'down'] as const)('a tie returns the stake to %s', (direction) => {
    expect(outcomeAt(placed({ direction }), entryPrice)).toEqual({ text: gameTexts.refunded, way: 'flat' })
  })

  test('the rate is the type’s, and the stake the bet’s', () => {
    const round = { ...aBet().round, type: '120s' as const }
    expect(outcomeAt(placed({ round, stakeMinor: 1_000n }), entryPrice + 1).text).toBe('+1.20 điểm')
  })
})

test('before the entry, and without a price, nothing is said', () => {
  expect(outcomeAt(aBet(), entryPrice)).toBe(unknownOutcome)
  expect(outcomeAt(placed(), null)).toBe(unknownOutcome)
})

test.each([
  [entryPrice + 212, '▲ $0.212'],
  [entryPrice - 1, '▼ $0.001'],
  [entryPrice, '$0.000'],
  [null, null],
] as const)('the difference to an exit of %s', (exitPrice, text) => {
  expect(differenceText(placed({ exitPrice }))).toBe(text)
})
