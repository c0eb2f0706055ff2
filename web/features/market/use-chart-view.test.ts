import { expect, test } from 'vitest'
import { viewOf } from './use-chart-view.ts'

test.each([
  ['without a bet: hours', null, null, false, '60m'],
  ['with a bet: the round', null, null, true, 'round'],
  ['pinned, with a bet', null, '60m', true, '60m'],
  ['pinned, without one', null, 'round', false, 'round'],
  ['looked at for now', '1m', '60m', true, '1m'],
] as const)('%s', (_, chosen, pin, holdsBet, view) => {
  expect(viewOf(chosen, pin, holdsBet)).toBe(view)
})
