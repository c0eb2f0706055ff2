import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '#web/platform/query-client.ts'
import { useHeldRows } from './held-rows.ts'

type Row = { readonly id: string }
type View = { readonly viewKey: string; readonly fresh: readonly Row[] }

test('a row that was dropped stays away from its view, and is there in another one', () => {
  const { result, rerender } = renderHook(
    ({ viewKey, fresh }: View) =>
      useHeldRows<Row>({ viewKey, fresh, askFor: undefined, rowId: ({ id }) => id, createdAtMs: () => 0 }),
    {
      initialProps: { viewKey: 'pending', fresh: [{ id: 'a' }, { id: 'b' }] },
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    },
  )
  const shown = () => result.current.rows?.map(({ id }) => id)
  act(() => result.current.drop('a'))
  // The answer was under way at the removal.
  rerender({ viewKey: 'pending', fresh: [{ id: 'a' }, { id: 'b' }] })
  expect(shown()).toEqual(['b'])
  rerender({ viewKey: 'approved', fresh: [{ id: 'a' }] })
  expect(shown()).toEqual(['a'])
})
