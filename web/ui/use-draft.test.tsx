import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { useDraft } from './use-draft.ts'

test('what is typed while a text is on its way stays, and a text from elsewhere takes its place', () => {
  vi.useFakeTimers()
  try {
    const onChange = vi.fn()
    const { result, rerender } = renderHook(({ text }) => useDraft(text, onChange), { initialProps: { text: '' } })
    const draft = () => result.current.draft
    const type = (typed: string) => act(() => result.current.setDraft(typed))
    const pause = () => act(() => void vi.advanceTimersByTime(SEARCH_DEBOUNCE_MS))
    type('abc')
    pause()
    type('abcd')
    rerender({ text: 'abc' })
    expect(draft()).toBe('abcd')
    pause()
    expect(onChange.mock.calls).toEqual([['abc'], ['abcd']])
    // The same for Enter, which does not wait.
    rerender({ text: 'abcd' })
    type('abcde')
    act(() => result.current.handOn('abcde'))
    type('abcdef')
    rerender({ text: 'abcde' })
    expect(draft()).toBe('abcdef')
    // The back button, also to a text that was handed on before.
    for (const text of ['', 'abc', 'abcde']) {
      rerender({ text })
      expect(draft()).toBe(text)
    }
  } finally {
    vi.useRealTimers()
  }
})
