import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { queryClient } from '#web/platform/query-client.ts'
import { toast } from './toast.tsx'
import { type ActOptions, useAct } from './use-act.ts'

test.each([true, false])(
  'a failure that is handled (%s) is drawn nowhere else, and everybody learns of it',
  async (isHandled) => {
    const refused = new Error('refused')
    const seen: unknown[] = []
    const stop = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') seen.push(event.action.error)
    })
    const drawn: (string | undefined)[] = []
    const { result } = renderHook(() => {
      const acting = useAct({
        run: () => Promise.reject(refused),
        failText: () => 'không được',
        onFailure: () => isHandled,
      })
      drawn.push(acting.failure)
      return acting
    })
    await act(async () => result.current.start())
    expect(seen).toEqual([refused])
    expect(new Set(drawn)).toEqual(new Set(isHandled ? [undefined] : [undefined, 'không được']))
    stop()
  },
)

test('what is forgotten is the failure shown, never that of the act under way', async () => {
  const answer = Promise.withResolvers<void>()
  const { result } = renderHook(() => useAct({ run: () => answer.promise, failText: () => 'không được' }))
  act(() => result.current.start())
  act(() => result.current.forget())
  await act(async () => answer.reject(new Error('refused')))
  await waitFor(() => expect(result.current.failure).toBe('không được'))
  act(() => result.current.forget())
  await waitFor(() => expect(result.current.failure).toBeUndefined())
})

test('is busy with its input from the press itself on, and no longer once it is answered', async () => {
  const answer = Promise.withResolvers<void>()
  const { result } = renderHook(() => useAct({ run: (_: string) => answer.promise, failText: '' }))
  act(() => result.current.start('wish'))
  expect([result.current.isBusy, result.current.wish]).toEqual([true, 'wish'])
  await act(async () => answer.resolve())
  expect([result.current.isBusy, result.current.wish]).toEqual([false, undefined])
})

test.each<{ kind: string; isLeft: boolean; options: Partial<ActOptions<void, unknown>>; told: readonly string[] }>([
  { kind: 'is left', isLeft: true, options: {}, told: ['không được'] },
  { kind: 'is left, with a text of its own', isLeft: true, options: { failText: String }, told: ['Error: refused'] },
  { kind: 'is left, and would have shown it', isLeft: true, options: { onFailure: () => true }, told: ['không được'] },
  { kind: 'is there and draws it', isLeft: false, options: {}, told: [] },
  { kind: 'is there and draws nothing', isLeft: false, options: { isToasted: true }, told: ['không được'] },
])('a failure of a form that $kind: a toast says $told', async ({ isLeft, options, told }) => {
  const shown = vi.spyOn(toast, 'error').mockReturnValue()
  const answer = Promise.withResolvers<void>()
  const { result, unmount } = renderHook(() =>
    useAct({ run: () => answer.promise, failText: 'không được', ...options }),
  )
  act(() => result.current.start())
  if (isLeft) unmount()
  await act(async () => answer.reject(new Error('refused')))
  await waitFor(() => expect(shown.mock.calls).toEqual(told.map((text) => [text])))
  shown.mockRestore()
})

test('what a browser gave up by itself is told by a toast to whoever is still there', async () => {
  const shown = vi.spyOn(toast, 'error').mockReturnValue()
  const run = () => Promise.reject(new DOMException('gave up', 'AbortError'))
  const { result } = renderHook(() => useAct({ run, failText: 'không được', isToasted: true }))
  await act(async () => result.current.start())
  await waitFor(() => expect(shown.mock.calls).toEqual([['không được']]))
  shown.mockRestore()
})

test('a download that is given up when its screen is left is no failure', async () => {
  const shown = vi.spyOn(toast, 'error').mockReturnValue()
  const settled = vi.fn<() => void>()
  const run = (_: void, signal: AbortSignal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  const { result, unmount } = renderHook(() => useAct({ run, failText: 'không được', onSettled: settled }))
  await act(async () => result.current.start())
  unmount()
  await waitFor(() => expect(settled).toHaveBeenCalledOnce())
  expect(shown).not.toHaveBeenCalled()
  shown.mockRestore()
})
