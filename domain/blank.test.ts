import { expect, test } from 'vitest'
import { isBlank } from './blank.ts'

test.each([
  '',
  ' \n\t\u00A0\u3000',
  '\u200B',
  '\u200B\u200C\u200D\u2060\uFEFF',
  '\u00AD',
  '\u202E\u2066\u2069',
  '\uFE0F',
  '\u115F\u1160\u3164\uFFA0',
  '\u{E0020}\u{E007F}',
  '\u2800',
  '\0\u0007',
])('%j shows nothing', (text) => expect(isBlank(text)).toBe(true))

test.each(['a', '.', '\u200Ba', '👍', '👩\u200D👧', '❤\uFE0F', 'ạ', '\u0301', '\ud83d', '\u0600'])(
  '%j shows something',
  (text) => expect(isBlank(text)).toBe(false),
)
