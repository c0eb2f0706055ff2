import { describe, expect, test } from 'vitest'
import type { Round } from './api.ts'
import { isSecret, resultOf } from './round-words.ts'

const roundOf = (status: Round['status'], direction: 'up' | 'down' | null): Round =>
  ({ status, result: direction, announcement: { commitment: '', announcedAt: 0, direction, nonce: null } }) as Round

describe('an announced direction', () => {
  test('is secret for whoever did not announce it, until the end', () => {
    expect([roundOf('running', null), roundOf('settling', null)].map(isSecret)).toEqual([true, true])
    expect(isSecret(roundOf('running', 'up'))).toBe(false)
    expect(isSecret(roundOf('ended', 'up'))).toBe(false)
    expect(isSecret({ ...roundOf('running', null), announcement: null })).toBe(false)
  })

  test('is the result of the round for its announcer', () => {
    expect(resultOf(roundOf('running', 'down'))).toBe('down')
    expect(resultOf(roundOf('running', null))).toBeNull()
  })
})
