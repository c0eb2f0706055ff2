import { expect, test } from 'vitest'
import { cleanViewName, VIEW_NAME_MAX, viewNameKey } from './view-name.ts'

test('a name is one trimmed line of at most 40 characters', () => {
  expect(cleanViewName('  Rút  lớn \n hôm nay ')).toBe('Rút lớn hôm nay')
  expect(cleanViewName('x'.repeat(VIEW_NAME_MAX))).toHaveLength(VIEW_NAME_MAX)
  // Composed: the same letters in two forms are one name.
  expect(cleanViewName('Ru\u0301t')).toBe('Rút')
  for (const wrong of ['', ' \n\t ', 'x'.repeat(VIEW_NAME_MAX + 1), 'a\0b', 'a\u0007b', 'a\ud800'])
    expect([wrong, cleanViewName(wrong)]).toEqual([wrong, null])
})

test('names differ by more than case', () => {
  expect(viewNameKey('Đã Từ Chối')).toBe(viewNameKey('đã từ chối'))
  expect(viewNameKey('Rút')).not.toBe(viewNameKey('Rut'))
})
