import { expect, test } from 'vitest'
import { cleanTag, decideTags, TAG_MAX, TAGS_MAX } from './tags.ts'

test('a name is in lower case, in one form of its accents, with single spaces', () => {
  expect(cleanTag('  Hoàn   Điểm ')).toBe('hoàn điểm')
  expect(cleanTag('Hoàn'.normalize('NFD'))).toBe('hoàn'.normalize('NFC'))
  expect(cleanTag('a'.repeat(TAG_MAX))).toHaveLength(TAG_MAX)
})

test.each(['', '   ', '\u200B', 'a'.repeat(TAG_MAX + 1), 'a\u0007b', '\uD800'])('%j is no name', (given) => {
  expect(cleanTag(given)).toBeNull()
  expect(decideTags([], { add: [given], remove: [] })).toEqual({ ok: false, refusal: 'TAG_INVALID' })
})

test('what is added and taken away leaves the others, and the same again changes nothing', () => {
  const first = decideTags(['gấp', 'vip'], { add: ['Hoàn điểm', 'VIP'], remove: ['GẤP', 'không có'] })
  expect(first).toEqual({ ok: true, tags: ['hoàn điểm', 'vip'] })
  // What is both stays: who adds wants it there.
  expect(decideTags(['a'], { add: ['a'], remove: ['a'] })).toEqual({ ok: true, tags: ['a'] })
})

test('one too many is refused, but not in the place of another', () => {
  const full = Array.from({ length: TAGS_MAX }, (_, at) => `t${at}`)
  expect(decideTags(full, { add: ['mới'], remove: [] })).toEqual({ ok: false, refusal: 'TOO_MANY_TAGS' })
  expect(decideTags(full, { add: ['mới'], remove: ['t0'] })).toMatchObject({ ok: true })
})
