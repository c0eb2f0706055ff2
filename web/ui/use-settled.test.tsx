import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSettled } from './use-settled.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a text settles once typing has paused, and at once where it is taken away', () => {
  const { result, rerender } = renderHook(({ text }) => useSettled(text, 150), { initialProps: { text: '' } })
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
  for (const text of ['n', 'ng', 'ngu']) {
    rerender({ text })
    pass(149)
    expect(result.current).toBe('')
  }
  pass(1)
  expect(result.current).toBe('ngu')
  rerender({ text: 'nguy' })
  expect(result.current).toBe('ngu')
  rerender({ text: '' })
  expect(result.current).toBe('')
})
