import { describe, expect, test } from 'vitest'
import { isWithinBounds } from './payload-bounds.ts'

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))
const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

describe('small enough for a schema', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'.repeat(60_000)],
    ['a number too large for any', Number.POSITIVE_INFINITY],
    ['no fields', {}],
    ['64 fields', keys(64)],
    ['what a client missed in 500 conversations', { known: Array.from({ length: 500 }, () => ({ a: 1, b: 2 })) }],
    ['eight in each other', nested(8)],
    ['a parsed query, which has no prototype', Object.assign(Object.create(null), { a: '1', b: ['1', '2'] })],
  ])('%s', (_name, payload) => {
    expect(isWithinBounds(payload)).toBe(true)
  })
})

describe('too much for a schema', () => {
  test.each([
    ['65 fields', keys(65)],
    ['6,500 fields', keys(6_500)],
    ['501 items', Array.from({ length: 501 }, () => 0)],
    ['nine in each other', nested(9)],
    ['30,000 in each other', nested(30_000)],
    ['few fields, each with many', { a: Array.from({ length: 40 }, () => keys(60)) }],
    ['bytes', { token: Buffer.alloc(8) }],
    ['an array buffer', new ArrayBuffer(8)],
  ])('%s', (_name, payload) => {
    expect(isWithinBounds(payload)).toBe(false)
  })
})
