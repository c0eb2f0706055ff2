import { expect, test } from 'vitest'
import { GAP, placeholdersOf, REPLY_NAME, replyFor } from './reply.ts'

test('a name has letters without accents and digits, twenty at most', () => {
  const names = ['chao', 'x2', 'a'.repeat(20), '', 'Chao', 'chào', '/a', 'a'.repeat(21)]
  expect(names.map((name) => REPLY_NAME.test(name))).toEqual([true, true, true, false, false, false, false, false])
})

test('what is known of the customer is put in as it is, and what is not leaves a gap', () => {
  const facts = new Map([
    ['tên', 'lan$&'],
    ['số dư', '1,250.00 điểm'],
  ])
  expect(replyFor('Chào {tên}, {tên} có {Số dư}', facts)).toBe('Chào lan$&, lan$& có 1,250.00 điểm')
  expect(replyFor('{tên} ở phiên {phiên}, {mã} {constructor}'.normalize('NFD'), facts)).toBe(
    `lan$& ở phiên ${GAP}, ${GAP} ${GAP}`.normalize('NFD'),
  )
  expect(replyFor('{} {a{b}} {x=1}', facts)).toBe(`{} {a${GAP}} {x=1}`)
  expect(placeholdersOf('{tên} có {Số dư} {x=1}')).toEqual(['tên', 'số dư'])
})
