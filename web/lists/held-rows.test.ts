import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdRows, missingIds } from './held-rows.ts'

type Row = { readonly id: string; readonly at: number; readonly state: string }
const facts = { rowId: (row: Row) => row.id, createdAtMs: (row: Row) => row.at }
const row = (at: number, state = 'pending'): Row => ({ id: `r${at}`, at, state })
const hold = (
  held: readonly Row[],
  fresh: readonly Row[],
  elsewhere?: readonly Row[],
  isOwnAct?: (row: Row) => boolean,
) => holdRows(held, fresh, elsewhere, { ...facts, isOwnAct })

describe('rows on screen', () => {
  test('change in place', () => {
    const changed = row(2, 'approved')
    expect(hold([row(3), row(2)], [row(3), changed], [])).toEqual({
      rows: [row(3), changed],
      arrived: 0,
      isMoved: false,
      left: [],
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
    // The older row that filled the page follows beneath, where it moves nothing; it is not new.
    expect(held).toEqual({ rows: [decided, row(2), row(1)], arrived: 0, isMoved: true, left: [decided] })
  })

  test('what the user did is no news: the row stays, the next one follows, and nothing waits above', () => {
    const decided = row(1, 'approved')
    const isOwnAct = ({ state }: Row) => state === 'approved'
    const oldestFirst = hold([row(1), row(2)], [row(2), row(3)], [decided], isOwnAct)
    expect(oldestFirst).toEqual({ rows: [decided, row(2), row(3)], arrived: 0, isMoved: false, left: [decided] })
    // Also when nothing is left to do.
    expect(hold([row(1)], [], [decided], isOwnAct)).toEqual({
      rows: [decided],
      arrived: 0,
      isMoved: false,
      left: [decided],
    })
    // A row that the user removed is gone, and the next one follows too.
    expect(hold([row(1), row(2)], [row(2), row(3)], [], isOwnAct)).toMatchObject({
      rows: [row(2), row(3)],
      isMoved: false,
    })
  })

  test('a new row beneath the others is held back, too', () =>
    expect(hold([row(1), row(2)], [row(1), row(2), row(3)], [])).toMatchObject({
      rows: [row(1), row(2)],
      arrived: 1,
      isMoved: true,
    }))

  test('a row that no longer exists is removed; until that is known, it stays', () => {
    expect(hold([row(3), row(2)], [row(2)], []).rows).toEqual([row(2)])
    expect(hold([row(3), row(2)], [row(2)]).rows).toEqual([row(3), row(2)])
  })

  test('an empty list takes the new rows, also when all its rows are gone', () => {
    expect(hold([], [row(1)])).toEqual({ rows: [row(1)], arrived: 0, isMoved: false, left: [] })
    expect(hold([row(2)], [row(1)], [])).toEqual({ rows: [row(1)], arrived: 0, isMoved: false, left: [] })
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

test('the shown rows lead to themselves: storing them during a rendering ends', () => {
  const rows = fc.array(fc.record({ at: fc.integer({ min: 1, max: 5 }), state: fc.constantFrom('a', 'b') }))
  const list = rows.map((made) => made.map(({ at, state }) => row(at, state)))
  fc.assert(
    fc.property(list, list, fc.option(list, { nil: undefined }), (held, fresh, away) => {
      let now: readonly Row[] = held
      for (let pass = 0; pass < 5; pass++) {
        const missing = missingIds(now, fresh, facts.rowId)
        const elsewhere = missing.length === 0 ? [] : away?.filter(({ id }) => missing.includes(id))
        const next = hold(now, fresh, elsewhere).rows
        if (next.length === now.length && next.every((one, at) => one === now[at])) return
        now = next
      }
      throw new Error('These rows never settle')
    }),
  )
})
