import { expect, test } from 'vitest'
import { mentionedNames } from './note.ts'

test.each([
  ['@lan xem giúp', ['lan']],
  ['nhờ @Lan, @minh2 và @LAN.', ['lan', 'minh2']],
  ['(@lan)\n@minh', ['lan', 'minh']],
  // An address, a word that only begins like a name, and no name at all.
  ['lan@minh.vn', []],
  ['ớ@lan', []],
  ['@lanơi', []],
  ['@ lan @', []],
])('%j mentions %j', (text, names) => {
  expect(mentionedNames(text)).toEqual(names)
})
