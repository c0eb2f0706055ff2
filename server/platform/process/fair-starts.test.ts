import { describe, expect, test } from 'vitest'
import { createFairStarts } from './fair-starts.ts'

const busyFor = (ms: number): void => {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('requests that come together', () => {
  test('are begun at once while they are few', () => {
    const start = createFairStarts(50)
    const begun: number[] = []
    for (let n = 0; n < 3; n++) start('a', () => begun.push(n))
    expect(begun).toEqual([0, 1, 2])
  })

  test('let other events run when they are many, and all of them begin', async () => {
    const start = createFairStarts(5)
    let begun = 0
    for (let n = 0; n < 20; n++)
      start('a', () => {
        busyFor(2)
        begun++
      })
    const seen: number[] = [begun]
    for (let turn = 0; begun < 20 && turn < 40; turn++) {
      await nextTurn()
      seen.push(begun)
    }
    expect(begun).toBe(20)
    expect(seen.length).toBeGreaterThan(5)
    for (let turn = 1; turn < seen.length; turn++)
      expect((seen[turn] ?? 0) - (seen[turn - 1] ?? 0)).toBeLessThanOrEqual(3)
  })

  test('take turns by key: a key behind a crowd of another key waits for one of its works', async () => {
    const start = createFairStarts(1)
    const begun: string[] = []
    const begin = (name: string) => () => {
      busyFor(2)
      begun.push(name)
    }
    for (let n = 0; n < 10; n++) start('crowd', begin(`crowd ${n}`))
    start('other', begin('other'))
    for (let turn = 0; turn < 40 && begun.length < 11; turn++) await nextTurn()
    expect(begun).toHaveLength(11)
    expect(begun.indexOf('other')).toBeLessThanOrEqual(2)
  })

  test('a work that throws keeps nobody else from beginning', async () => {
    const start = createFairStarts(1)
    const begun: string[] = []
    start('a', () => busyFor(2))
    start('a', () => begun.push('a'))
    expect(() =>
      createFairStarts(1)('a', () => {
        throw new Error('failed')
      }),
    ).toThrow('failed')
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    expect(begun).toEqual(['a'])
  })
})
