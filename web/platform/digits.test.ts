import { expect, test } from 'vitest'
import { caretIn, groupDigits, readTyped } from './digits.ts'

/** Text with its caret as `|`, as a person sees it, and what is seen after. */
function type(shown: string, before: string, isForward = false): string {
  const caret = shown.indexOf('|')
  const typed = readTyped(before, shown.replace('|', ''), caret, isForward)
  const grouped = groupDigits(typed.digits)
  const at = caretIn(grouped, typed.caret)
  return `${grouped.slice(0, at)}|${grouped.slice(at)}`
}

test.each([
  ['', ''],
  ['7', '7'],
  ['123', '123'],
  ['1234', '1,234'],
  ['1234567890123', '1,234,567,890,123'],
])('%s is shown as %s', (digits, text) => expect(groupDigits(digits)).toBe(text))

test.each([
  ['a digit at the end', '1234|', '123', '1,234|'],
  ['a digit in the middle', '1,29|34', '1234', '12,9|34'],
  ['a letter', '12a|3', '123', '12|3'],
  ['a pasted amount as Vietnamese write it', '1.000.000|', '', '1,000,000|'],
  ['a pasted amount with its unit', '2 500 điểm|', '', '2,500|'],
  ['zeros in front', '00|7', '7', '|7'],
  ['a lone zero', '0|', '', '0|'],
  ['Backspace on a digit', '1,23|', '1234', '123|'],
  ['Backspace on a separator takes the digit before it', '12|345', '12345', '1|,345'],
  ['all of it gone', '|', '12345', '|'],
])('%s: %s', (_, shown, before, after) => expect(type(shown, before)).toBe(after))

test('Delete on a separator takes the digit after it', () => {
  expect(type('12|345', '12345', true)).toBe('1,2|45')
})
