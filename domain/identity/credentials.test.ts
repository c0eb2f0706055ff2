import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPassword, isUsername, normalPassword, usernameKey } from './credentials.ts'

describe('a username', () => {
  test('is 3 to 32 ASCII letters and digits', () => {
    expect(['abc', 'A1b2', 'x'.repeat(32), '000'].map(isUsername)).toEqual([true, true, true, true])
    const wrong = [
      '',
      'ab',
      'x'.repeat(33),
      'nguyễn',
      'a b c',
      'abc ',
      'abc\n',
      'a_b',
      'a-b',
      'ａｂｃ',
      'abc\u200b',
      '١٢٣',
    ]
    expect(wrong.filter(isUsername)).toEqual([])
  })

  test('is compared without regard to case, and is otherwise unchanged', () => {
    const names = fc.stringMatching(/^[A-Za-z0-9]{3,32}$/)
    fc.assert(
      fc.property(names, names, (one, other) => {
        expect(isUsername(one)).toBe(true)
        expect(usernameKey(one.toUpperCase())).toBe(usernameKey(one.toLowerCase()))
        expect(usernameKey(one) === usernameKey(other)).toBe(one.toLowerCase() === other.toLowerCase())
      }),
    )
  })
})

test('a password has 6 to 128 characters of any kind', () => {
  expect([5, 6, 128, 129].map((length) => isPassword('ạ'.repeat(length)))).toEqual([false, true, true, false])
  expect(isPassword('      ')).toBe(true)
})

test('a password is counted by its characters, however the keyboard composes them', () => {
  const two = 'ẫẫ'.normalize('NFD')
  expect([two.length, isPassword(two), isPassword('\u{1F600}'.repeat(3))]).toEqual([6, false, false])
  expect(isPassword('ẫ'.repeat(128).normalize('NFD'))).toBe(true)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 140 }), (text) => {
      expect(isPassword(text.normalize('NFD'))).toBe(isPassword(text.normalize('NFC')))
      expect(normalPassword(text.normalize('NFD'))).toBe(normalPassword(text))
    }),
  )
})
