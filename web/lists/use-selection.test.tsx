import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSelection } from './use-selection.ts'

const select = () => renderHook(() => useSelection('', ['a', 'b', 'c'], (row) => row)).result

test('what an act settled leaves the selection, the rest stays', () => {
  const selection = select()
  act(() => selection.current.setIds(['a', 'b', 'c']))
  act(() => selection.current.leave(new Set(['a', 'c']), true))
  expect(selection.current.picked).toEqual(['b'])
})

test('all rows of the filters stay chosen until the act has settled each', () => {
  const selection = select()
  act(() => selection.current.chooseAll())
  act(() => selection.current.leave(new Set(['a', 'b']), true))
  expect(selection.current.isAll).toBe(true)
  act(() => selection.current.leave(new Set(['c']), false))
  expect([selection.current.isAll, selection.current.selected.size]).toEqual([false, 0])
})
