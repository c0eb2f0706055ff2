import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeating } from './repeating.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('leaves out the turns that fall into a longer one, and goes on after a failure', async () => {
  const ends: (() => void)[] = []
  const failures: unknown[] = []
  let turns = 0
  const stop = repeating(
    100,
    async () => {
      turns += 1
      if (turns === 1) throw new Error('once')
      await new Promise<void>((resolve) => ends.push(resolve))
    },
    (error) => failures.push(error),
  )
  await vi.advanceTimersByTimeAsync(100)
  expect([turns, failures]).toEqual([1, [new Error('once')]])
  await vi.advanceTimersByTimeAsync(350)
  expect(turns).toBe(2)
  ends.pop()?.()
  await vi.advanceTimersByTimeAsync(100)
  expect(turns).toBe(3)

  let isStopped = false
  const stopping = stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(500)
  expect([turns, isStopped]).toEqual([3, false])
  ends.pop()?.()
  await stopping
  expect(turns).toBe(3)
})
