import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTurn } from './lazy-part.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16))
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 1))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a task begins when the previous one has settled, or after a second', async () => {
  const begun: string[] = []
  let finish = (): void => {}
  const first = inTurn(async () => {
    begun.push('first')
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return 1
  })
  const second = inTurn(async () => {
    begun.push('second')
    throw new Error('no network')
  })
  const failure = second.catch((error: unknown) => error)
  void inTurn(() => {
    begun.push('endless')
    return new Promise(() => {})
  })
  const last = inTurn(async () => begun.push('last'))

  await vi.advanceTimersByTimeAsync(900)
  expect(begun).toEqual(['first'])
  finish()
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toEqual(['first', 'second', 'endless'])
  expect(await first).toBe(1)
  expect(await failure).toEqual(new Error('no network'))
  await vi.advanceTimersByTimeAsync(900)
  expect(begun).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(200)
  expect(await last).toBe(4)
})
