import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { looping, onDemand, repeating, stopAll } from './jobs.ts'

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

test('runs the first turn at once where that is asked for, says which failure is not the first, and ends a turn by its signal', async () => {
  const failures: boolean[] = []
  let turns = 0
  const stop = repeating(
    100,
    async (signal) => {
      turns += 1
      if (turns === 4) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      else if (turns !== 3) throw new Error('away')
    },
    (_error, isAgain) => failures.push(isAgain),
    { isAtOnce: true },
  )
  await vi.advanceTimersByTimeAsync(0)
  expect(turns).toBe(1)
  await vi.advanceTimersByTimeAsync(500)
  expect([turns, failures]).toEqual([4, [false, true]])
  await stop()
})

test('a loop waits after each turn as long as the turn says, and a stop ends the wait', async () => {
  vi.useRealTimers()
  let turns = 0
  const stop = looping(async () => (++turns < 3 ? 1 : 3_600_000))
  await vi.waitFor(() => expect(turns).toBe(3))
  await stop()
  expect(turns).toBe(3)
})

test('what was started last is stopped first, each once', async () => {
  const stopped: string[] = []
  const started = ['first', 'second'].map((name) => async () => void stopped.push(name))
  await stopAll(started)
  await stopAll(started)
  expect(stopped).toEqual(['second', 'first'])
})

test('what is done on demand is done once at a time, and no more once it is stopped', async () => {
  const ends: (() => void)[] = []
  const { begin, stop } = onDemand(
    () => new Promise<void>((resolve) => ends.push(resolve)),
    () => {},
  )
  expect([begin(), begin()]).toEqual([true, false])
  ends.pop()?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(begin()).toBe(true)
  ends.pop()?.()
  await stop()
  expect(begin()).toBe(false)
})
