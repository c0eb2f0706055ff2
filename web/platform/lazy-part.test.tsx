import { act, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTurn, useIsReloadNeeded, useLazyPart } from './lazy-part.ts'

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

test('a wanted part whose code could not be fetched is fetched again: after a while, and at the next press or focus', async () => {
  const load = vi.fn<() => Promise<{ name: string }>>().mockRejectedValue(new Error('no network'))
  let renders = 0
  const { result, rerender } = renderHook(
    ({ isWanted }) => {
      renders += 1
      return useLazyPart(load, isWanted)
    },
    { initialProps: { isWanted: true } },
  )
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(0)
  expect(result.current).toMatchObject({ part: undefined, hasFailed: true })
  expect(load).toHaveBeenCalledTimes(1)

  await pass(5_000)
  expect(load).toHaveBeenCalledTimes(2)
  const rendersThen = renders
  for (const event of ['click', 'focus']) {
    fireEvent(document.body, new Event(event, { bubbles: false }))
    // One fetch at a time, however often is pressed.
    fireEvent.click(document.body)
    await pass(0)
  }
  expect(load).toHaveBeenCalledTimes(4)
  expect(renders).toBe(rendersThen)

  rerender({ isWanted: false })
  fireEvent.click(document.body)
  await pass(20_000)
  expect(load).toHaveBeenCalledTimes(4)

  rerender({ isWanted: true })
  await pass(0)
  expect(load).toHaveBeenCalledTimes(5)
  load.mockResolvedValue({ name: 'here' })
  await pass(5_000)
  expect(result.current).toMatchObject({ part: { name: 'here' }, hasFailed: false })
  fireEvent.click(document.body)
  await pass(20_000)
  expect(load).toHaveBeenCalledTimes(6)
})

test('a part that fails for 30 s asks for a reload, unless there is no network, until nobody wants it', async () => {
  // A browser that keeps a failed `import()` fails at once, for ever.
  const load = vi.fn<() => Promise<{ name: string }>>().mockRejectedValue(new Error('kept failure'))
  const needed = renderHook(() => useIsReloadNeeded())
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { rerender, unmount } = renderHook(({ isWanted }) => useLazyPart(load, isWanted), {
    initialProps: { isWanted: true },
  })
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(0)
  await pass(60_000)
  onLine.mockReturnValue(true)
  await pass(25_000)
  expect(needed.result.current).toBe(false)
  await pass(10_000)
  expect(needed.result.current).toBe(true)
  rerender({ isWanted: false })
  expect(needed.result.current).toBe(false)
  rerender({ isWanted: true })
  await pass(40_000)
  expect(needed.result.current).toBe(true)
  unmount()
  await pass(0)
  expect(needed.result.current).toBe(false)
  onLine.mockRestore()
})

test('a second component that wants a failing part takes no offer of a reload back', async () => {
  const load = vi.fn<() => Promise<{ name: string }>>().mockRejectedValue(new Error('kept failure'))
  const needed = renderHook(() => useIsReloadNeeded())
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const first = renderHook(() => useLazyPart(load))
  await pass(0)
  await pass(40_000)
  const second = renderHook(() => useLazyPart(load))
  await pass(0)
  expect(needed.result.current).toBe(true)
  second.unmount()
  expect(needed.result.current).toBe(true)
  first.unmount()
  expect(needed.result.current).toBe(false)
})
