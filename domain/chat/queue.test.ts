import { expect, test } from 'vitest'
import { chooseHolder, type OnDuty } from './queue.ts'

const nobody: ReadonlySet<string> = new Set()
const one = (id: string, load: number, assignedAtMs: number | null = null, capacity = 20): OnDuty => ({
  id,
  load,
  capacity,
  assignedAtMs,
})

test('a conversation goes to who has the fewest, then to who was given one longest ago', () => {
  expect(chooseHolder([one('a', 2), one('b', 1), one('c', 3)], nobody)?.id).toBe('b')
  expect(chooseHolder([one('a', 1, 200), one('b', 1, 100), one('c', 2)], nobody)?.id).toBe('b')
  // Who was never given one comes first.
  expect(chooseHolder([one('a', 1, 200), one('b', 1)], nobody)?.id).toBe('b')
  expect(chooseHolder([one('b', 1), one('a', 1)], nobody)?.id).toBe('a')
})

test('nobody is given more than their capacity, nor a second one with the same player', () => {
  expect(chooseHolder([one('a', 5, null, 5), one('b', 7)], nobody)?.id).toBe('b')
  expect(chooseHolder([one('a', 0), one('b', 7)], new Set(['a']))?.id).toBe('b')
  expect(chooseHolder([one('a', 0), one('b', 20)], new Set(['a']))).toBeNull()
  expect(chooseHolder([], nobody)).toBeNull()
})
