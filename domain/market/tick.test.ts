import { expect, test } from 'vitest'
import { pickQuote } from './tick.ts'

const SECOND = 1_800_000_000
const quote = (atMs: number, price = 4_000_000) => ({ atMs: SECOND * 1000 + atMs, price })

test('a tick is the last quote stamped within its two seconds, both ends as written in the rules', () => {
  expect(pickQuote([quote(-2000)], SECOND)).toBeNull()
  expect(pickQuote([quote(-1999)], SECOND)).toEqual(quote(-1999))
  expect(pickQuote([quote(0)], SECOND)).toEqual(quote(0))
  expect(pickQuote([quote(1)], SECOND)).toBeNull()
  expect(pickQuote([], SECOND)).toBeNull()
})

test('a quote’s own timestamp counts, not the order of arrival', () => {
  expect(pickQuote([quote(-100), quote(-900), quote(-1500)], SECOND)).toEqual(quote(-100))
})

test('of equal stamps the last received counts', () => {
  expect(pickQuote([quote(0, 1), quote(0, 2), quote(-1, 3)], SECOND)).toEqual(quote(0, 2))
})
