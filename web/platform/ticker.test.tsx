import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import { recordServerTime, resetServerTime } from './server-time.ts'
import { useRefreshAfter } from './refresh-after.ts'
import { useTodayMs, usePassedInstants } from './ticker.ts'

const start = Date.UTC(2026, 10, 21, 8, 0, 0)

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})

afterEach(() => {
  resetServerTime()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

test('a component renders when an instant passes, by the server’s clock, and not in between', () => {
  let renders = 0
  const { result } = renderHook(() => {
    renders += 1
    return usePassedInstants([start - 1, start + 4_500, start + 9_000])
  })
  expect(result.current).toBe(1)
  pass(4_499)
  expect(renders).toBe(1)
  pass(1)
  expect(result.current).toBe(2)
  expect(renders).toBe(2)
  act(() => recordServerTime({ serverTimeMs: start + 60_000, sentAtMs: Date.now(), receivedAtMs: Date.now() }))
  expect(result.current).toBe(3)
})

test('a component that names days renders at each midnight in Vietnam', () => {
  const midnight = Date.UTC(2026, 10, 21, 17)
  const { result } = renderHook(useTodayMs)
  pass(midnight - start - 1)
  expect(result.current).toBe(midnight - 86_400_000)
  pass(1)
  expect(result.current).toBe(midnight)
  pass(86_400_000)
  expect(result.current).toBe(midnight + 86_400_000)
})

test('a countdown’s query is refetched a second after its end, once per end', () => {
  const asked = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue()
  const { rerender } = renderHook(({ endsAtMs }) => useRefreshAfter(endsAtMs, ['admin', 'rounds']), {
    initialProps: { endsAtMs: null as number | null },
  })
  pass(10_000)
  rerender({ endsAtMs: start + 12_000 })
  pass(2_999)
  expect(asked).not.toHaveBeenCalled()
  pass(1)
  expect(asked.mock.calls).toEqual([[{ queryKey: ['admin', 'rounds'] }]])
  pass(60_000)
  expect(asked).toHaveBeenCalledTimes(1)
  // The answer is about a round that is already over: the query is refetched at once.
  rerender({ endsAtMs: start + 42_000 })
  expect(asked).toHaveBeenCalledTimes(2)
  rerender({ endsAtMs: start + 42_000 })
  expect(asked).toHaveBeenCalledTimes(2)
})
