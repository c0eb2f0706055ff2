import { expect, test } from 'vitest'
import { ApiError } from './http.ts'
import { createIntentKeys } from './intent-keys.ts'

const failed = (status: number) => new ApiError({ status, code: 'ANY', message: 'x' })

test('the same intent without an answer keeps its key', () => {
  const keys = createIntentKeys()
  const key = keys.keyFor('withdraw 100')
  for (const status of [0, 408, 500, 503]) {
    keys.settle(failed(status))
    expect(keys.keyFor('withdraw 100')).toBe(key)
  }
})

test('after an answer the same is a new intent', () => {
  const keys = createIntentKeys()
  const key = keys.keyFor('withdraw 100')
  keys.settle()
  const second = keys.keyFor('withdraw 100')
  expect(second).not.toBe(key)
  keys.settle(failed(422))
  expect(keys.keyFor('withdraw 100')).not.toBe(second)
})

test('another intent has a key of its own', () => {
  const keys = createIntentKeys()
  const key = keys.keyFor('withdraw 100')
  keys.settle(failed(0))
  expect(keys.keyFor('withdraw 200')).not.toBe(key)
})
