import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from './query-client.ts'
import { useAct } from './use-act.ts'

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
