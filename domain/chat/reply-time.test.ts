import { expect, test } from 'vitest'
import { usualWaitMs } from './reply-time.ts'

test('the usual wait is the median, and nothing is said about a few', () => {
  expect(usualWaitMs([])).toBeNull()
  expect(usualWaitMs([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBeNull()
  expect(usualWaitMs([1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000_000])).toBe(6)
  expect(usualWaitMs([9, 1, 8, 2, 7, 3, 6, 4, 5, 10, 11])).toBe(6)
})
