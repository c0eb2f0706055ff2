import { act, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useFolding } from './use-folding.ts'

type Row = { readonly id: string; readonly isDone: boolean }

function List({ isCovered }: { readonly isCovered: boolean }) {
  const [rows, setRows] = useState<readonly Row[]>(['a', 'b', 'c'].map((id) => ({ id, isDone: id === 'b' })))
  const held = {
    rows,
    arrived: 0,
    isMoved: false,
    left: rows.filter(({ id }) => id !== 'a'),
    show: () => {},
    drop: (...ids: readonly string[]) => setRows(rows.filter(({ id }) => !ids.includes(id))),
  }
  useFolding({ held, rowId: ({ id }) => id, isDone: ({ isDone }) => isDone })
  return (
    <>
      <ul>
        {rows.map(({ id }) => (
          <li key={id} data-row-id={id} tabIndex={-1}>
            {id}
          </li>
        ))}
      </ul>
      {isCovered && <div role="dialog" />}
    </>
  )
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const shown = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('a row that is done folds away after a moment, and the focus goes to the one that takes its place', async () => {
  render(<List isCovered={false} />)
  screen.getByText('b').focus()
  await later(4_900)
  expect(shown()).toEqual(['a', 'b', 'c'])
  await later(200)
  expect(shown()).toEqual(['a', 'c'])
  expect(document.activeElement?.textContent).toBe('c')
})

test('none folds beneath a dialog; the moment begins once it has closed', async () => {
  const { rerender } = render(<List isCovered />)
  await later(20_000)
  expect(shown()).toEqual(['a', 'b', 'c'])
  rerender(<List isCovered={false} />)
  await later(4_900)
  expect(shown()).toEqual(['a', 'b', 'c'])
  await later(200)
  expect(shown()).toEqual(['a', 'c'])
})
