import { describe, expect, test } from 'vitest'
import type { Round } from './api.ts'
import { decidedByText, isSecret, isUndecided, resultOf } from './round-words.ts'

const roundOf = (status: Round['status'], direction: 'up' | 'down' | null): Round =>
  ({ status, result: direction, announcement: { commitment: '', announcedAt: 0, direction, nonce: null } }) as Round

describe('an announced direction', () => {
  test('is secret until the end for every admin but the one who announced it', () => {
    expect([roundOf('running', null), roundOf('settling', null)].map(isSecret)).toEqual([true, true])
    expect(isSecret(roundOf('running', 'up'))).toBe(false)
    expect(isSecret(roundOf('ended', 'up'))).toBe(false)
    expect(isSecret({ ...roundOf('running', null), announcement: null })).toBe(false)
  })

  test('is shown as the result to the admin who announced it', () => {
    expect(resultOf(roundOf('running', 'down'))).toBe('down')
    expect(resultOf(roundOf('running', null))).toBeNull()
  })
})

test('a deleted round has no result, nothing that decides it, and is no tie', () => {
  const deleted = { ...roundOf('ended', 'up'), isDeleted: true }
  expect(resultOf(deleted)).toBeNull()
  const sources = (['PRICE', 'ADMIN'] as const).map((resultSource) => ({ ...deleted, resultSource }))
  expect(sources.map(decidedByText)).toEqual(['', ''])
  expect(sources.map((round) => decidedByText({ ...round, isDeleted: false }))).toEqual(['Giá vàng', 'Quản trị viên'])
  const unannounced = { ...roundOf('ended', null), announcement: null }
  expect([unannounced, { ...unannounced, isDeleted: true }].map(isUndecided)).toEqual([true, false])
})
