import { expect, test } from 'vitest'
import { cleanNote, NOTE_TEXT_MAX } from './note.ts'

test.each([
  ['  đã gọi lại  ', 'đã gọi lại'],
  ['một\r\nhai\rba', 'một\nhai\nba'],
  ['x'.repeat(NOTE_TEXT_MAX), 'x'.repeat(NOTE_TEXT_MAX)],
  [` ${'x'.repeat(NOTE_TEXT_MAX)}\n`, 'x'.repeat(NOTE_TEXT_MAX)],
  ['', null],
  [' \n\t ', null],
  ['x'.repeat(NOTE_TEXT_MAX + 1), null],
  ['a\0b', null],
  ['\ud800', null],
])('%j is stored as %j', (text, stored) => {
  expect(cleanNote(text)).toBe(stored)
})
