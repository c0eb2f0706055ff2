import { describe, expect, test } from 'vitest'
import { holdRows, missingIds } from './held-rows.ts'

type Row = { readonly id: string; readonly at: number; readonly state: string }
const facts = { rowId: (row: Row) => row.id, createdAtMs: (row: Row) => row.at }
const row = (at: number, state = 'pending'): Row => ({ id: `r${at}`, at, state })
const hold = (held: readonly Row[], fresh: readonly Row[], elsewhere?: readonly Row[]) =>
  holdRows(held, fresh, elsewhere, facts)

describe('rows on screen', () => {
  test('change in place', () => {
    const changed = row(2, 'approved')
    expect(hold([row(3), row(2)], [row(3), changed], [])).toEqual({
      rows: [row(3), changed],
      arrived: 0,
      isMoved: false,
    })
  })

  test('new rows are held back, and counted', () => {
    const { rows, arrived, isMoved } = hold([row(3), row(2)], [row(5), row(4)], undefined)
    expect(rows.map(({ id }) => id)).toEqual(['r3', 'r2'])
    expect([arrived, isMoved]).toEqual([2, true])
  })

  test('a row that left the page stays, in its current state', () => {
    const decided = row(3, 'approved')
    const held = hold([row(3), row(2)], [row(2), row(1)], [decided])
    // The older row that filled the page is not new, yet the list has changed.
    expect(held).toEqual({ rows: [decided, row(2)], arrived: 0, isMoved: true })
  })

  test('a row that no longer exists is removed; until that is known, it stays', () => {
    expect(hold([row(3), row(2)], [row(2)], []).rows).toEqual([row(2)])
    expect(hold([row(3), row(2)], [row(2)]).rows).toEqual([row(3), row(2)])
  })

  test('an empty list takes the new rows, also when all its rows are gone', () => {
    expect(hold([], [row(1)])).toEqual({ rows: [row(1)], arrived: 0, isMoved: false })
    expect(hold([row(2)], [row(1)], [])).toEqual({ rows: [row(1)], arrived: 0, isMoved: false })
  })

  test('a new order is held back too', () => {
    expect(hold([row(3), row(2)], [row(2), row(3)], [])).toMatchObject({ arrived: 0, isMoved: true })
  })

  test('an equal answer keeps the same object', () => {
    const rows = [row(3), row(2)]
    const held = hold(rows, rows, [])
    expect(held.rows.every((one, at) => one === rows[at])).toBe(true)
  })
})

test('rows that left the page are listed by id', () =>
  expect(missingIds([row(3), row(2)], [row(2), row(1)], facts.rowId)).toEqual(['r3']))
