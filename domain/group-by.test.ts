import { expect, test } from 'vitest'
import { groupBy } from './group-by.ts'

test('groups what has one key, in the order of the first of each', () => {
  const groups = groupBy(['an', 'binh', 'chi', 'bao', 'anh'], (name) => name[0])
  expect([...groups]).toEqual([
    ['a', ['an', 'anh']],
    ['b', ['binh', 'bao']],
    ['c', ['chi']],
  ])
})
