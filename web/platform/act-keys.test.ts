import { expect, test } from 'vitest'
import { makeActKeys } from './act-keys.ts'

test('the same act tried again has the same key, another act a new one', () => {
  const keyOf = makeActKeys()
  const first = keyOf({ id: 'a', balanceMinor: 5n })
  expect(keyOf({ id: 'a', balanceMinor: 5n })).toBe(first)
  const other = keyOf({ id: 'a', balanceMinor: 6n })
  expect(other).not.toBe(first)
  expect(keyOf({ id: 'a', balanceMinor: 5n })).not.toBe(first)
  expect(makeActKeys()({ id: 'a', balanceMinor: 6n })).not.toBe(other)
})
