import { describe, expect, test } from 'vitest'
import { createFairStarts } from './fair-starts.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('requests that come together', () => {
  test('are begun at once while they are few', () => {
    const start = createFairStarts(3)
    const begun: number[] = []
    for (let n = 0; n < 3; n++) start('a', () => begun.push(n))
    expect(begun).toEqual([0, 1, 2])
  })

  test('let other events run when they are many, however quickly each begins, and all of them begin', async () => {
    const start = createFairStarts(3)
    let begun = 0
    const arrive = () => start('a', () => begun++)
    for (let n = 0; n < 10; n++) arrive()
    const seen: number[] = [begun]
    for (let turn = 0; begun < 20 && turn < 40; turn++) {
      await nextTurn()
      seen.push(begun)
      if (turn < 10) arrive()
    }
    expect(begun).toBe(20)
    expect(seen.length).toBeGreaterThan(5)
    for (let turn = 1; turn < seen.length; turn++)
      expect((seen[turn] ?? 0) - (seen[turn - 1] ?? 0)).toBeLessThanOrEqual(3)
  })

  test('take turns by key: a key behind a crowd of another key waits for one of its works', async () => {
    const start = createFairStarts(1)
    const begun: string[] = []
    for (let n = 0; n < 10; n++) start('crowd', () => begun.push(`crowd ${n}`))
    start('other', () => begun.push('other'))
    for (let turn = 0; turn < 40 && begun.length < 11; turn++) await nextTurn()
    expect(begun).toHaveLength(11)
    expect(begun.indexOf('other')).toBeLessThanOrEqual(2)
  })

  test('a work that throws keeps nobody else from beginning', async () => {
    const start = createFairStarts(1)
    const begun: string[] = []
    expect(() =>
      start('a', () => {
        throw new Error('failed')
      }),
    ).toThrow('failed')
    start('a', () => begun.push('a'))
    start('b', () => begun.push('b'))
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    expect(begun).toEqual(['a', 'b'])
  })
})
