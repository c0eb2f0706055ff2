import { expect, test } from 'vitest'
import { REPLY_NAME, replyFor } from './reply.ts'

test('a name has letters without accents and digits, twenty at most', () => {
  const names = ['chao', 'x2', 'a'.repeat(20), '', 'Chao', 'chào', '/a', 'a'.repeat(21)]
  expect(names.map((name) => REPLY_NAME.test(name))).toEqual([true, true, true, false, false, false, false, false])
})

test('the customer’s name is put in as it is', () => {
  expect(replyFor('Chào {tên}, {tên} chờ nhé', 'lan$&')).toBe('Chào lan$&, lan$& chờ nhé')
})
