import { describe, expect, test } from 'vitest'
import { createTurns } from './turns.ts'

/** A work that lasts until the test ends it. */
function lasting() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { work: () => ended, end }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  test('one after the other for a key, in the order in which they came; other keys do not wait', async () => {
    const turns = createTurns(1, 20)
    const seen: string[] = []
    const first = lasting()
    const works: ReadonlyArray<Promise<void> | null> = [
      turns.run('a', async () => {
        seen.push('a1')
        await first.work()
        seen.push('a1 ended')
      }),
      ...['a2', 'a3'].map((name) => turns.run('a', () => void seen.push(name))),
      turns.run('b', () => void seen.push('b1')),
    ]
    await settled()
    expect(seen).toEqual(['a1', 'b1'])
    expect([turns.isBusy('a'), turns.isBusy('b')]).toEqual([true, false])
    first.end()
    for (const work of works) await work
    expect(seen).toEqual(['a1', 'b1', 'a1 ended', 'a2', 'a3'])
    expect(turns.isBusy('a')).toBe(false)
  })

  test('the given numbers run and wait; one more is refused at once, not when there is room again', async () => {
    const turns = createTurns(2, 3)
    const all = Array.from({ length: 6 }, lasting)
    const runs = all.map(({ work }) => turns.run('a', work))
    expect(runs.map((run) => run === null)).toEqual([false, false, false, false, false, true])
    all[0]?.end()
    await runs[0]
    const late = turns.run('a', () => 'late')
    expect(late).not.toBeNull()
    for (const { end } of all) end()
    expect(await late).toBe('late')
  })

  test('a work that fails gives its turn on', async () => {
    const turns = createTurns(1, 1)
    const failing = turns.run('a', () => {
      throw new Error('failed')
    })
    const next = turns.run('a', () => 'next')
    await expect(failing).rejects.toThrow('failed')
    expect(await next).toBe('next')
    expect(await turns.run('a', () => Promise.resolve('again'))).toBe('again')
  })
})
