import { describe, expect, test } from 'vitest'
import { rowsThatFit } from './rows-at-first.ts'
import { changeView, isFiltered, readView, writeView } from './table-search.ts'

const spec = {
  filters: { q: 'text', status: ['pending', 'approved', 'all'] },
  sorts: ['createdAt', 'money'],
  firstSort: '-createdAt',
  hiddenAtFirst: ['ip'],
} as const

const first = {
  page: 1,
  limit: 10,
  sort: '-createdAt',
  hidden: ['ip'],
  filters: { q: '', status: 'pending' },
} as const

describe('reading an address', () => {
  test('a plain address gives the default view', () => expect(readView({}, spec, 10)).toEqual(first))

  test('every parameter', () => {
    const raw = { page: 3, limit: 50, sort: 'money', hide: 'memo.bank', q: 'an', status: 'all' }
    expect(readView(raw, spec, 10)).toEqual({
      page: 3,
      limit: 50,
      sort: 'money',
      hidden: ['memo', 'bank'],
      filters: { q: 'an', status: 'all' },
    })
  })

  test('every hidden column, also when their names together are long', () => {
    const hidden = Array.from({ length: 12 }, (_, nth) => `column${nth}`)
    const view = { ...readView({}, spec, 10), hidden }
    expect(readView(writeView(view, spec, 10), spec, 10).hidden).toEqual(hidden)
  })

  test('a name of digits arrives as a number and is read as a name', () =>
    expect(readView({ q: 12345 }, spec, 10).filters.q).toBe('12345'))

  test.each([
    { page: 0 },
    { page: -1 },
    { page: 1.5 },
    { page: 'x' },
    { page: 1e9 },
    { limit: 7 },
    { limit: '1000' },
    { sort: 'password' },
    { sort: '--money' },
    { status: 'no' },
    { status: null },
    { q: { a: 1 } },
    { q: ['a'] },
  ])('%j is invalid and counts as absent', (raw) => expect(readView(raw, spec, 10)).toEqual(first))

  test('a text is cut to the server’s maximum', () =>
    expect(readView({ q: 'x'.repeat(500) }, spec, 10).filters.q).toHaveLength(64))
})

describe('writing an address', () => {
  test('leaves out every default', () => expect(writeView(first, spec, 10)).toEqual({}))

  test.each([
    { ...first, page: 4 },
    { ...first, limit: 6, sort: '-money' },
    { ...first, hidden: [] },
    { ...first, hidden: ['memo', 'ip'] },
    { ...first, filters: { q: '123', status: 'approved' as const } },
  ])('%j reads back the same', (view) => expect(readView(writeView(view, spec, 10), spec, 10)).toEqual(view))
})

describe('the rows of a page where nobody chose', () => {
  test.each([
    [50, 10],
    [20, 10],
    [64.4, 10],
    [64.5, 20],
    [90, 30],
    [200, 50],
  ])('in a window of %d rem are %d', (height, rows) => expect(rowsThatFit(height, 18.25)).toBe(rows))

  test('are 10 where the screen scrolls as a whole', () => expect(rowsThatFit(1_000)).toBe(10))

  const limitsOf = (search: object) => [10, 20, 30].map((fit) => readView({ ...search }, spec, fit).limit)
  test('are each reader’s own in a plain address, and nothing is written for them', () => {
    expect(limitsOf({})).toEqual([10, 20, 30])
    expect(writeView({ ...first, limit: 20 }, spec, 20)).toEqual({})
  })

  test('stand beside a later page, which has the same rows for everybody', () => {
    const search = writeView({ ...first, limit: 20, page: 3 }, spec, 20)
    expect(search).toEqual({ limit: 20, page: 3 })
    expect(limitsOf(search)).toEqual([20, 20, 20])
    expect(writeView({ ...first, page: 2 }, spec, 10)).toEqual({ limit: 10, page: 2 })
    // Written before a page had its number beside it.
    expect(limitsOf({ page: 3 })).toEqual([10, 10, 10])
  })

  test('give way to a number that was chosen, also ten', () => {
    const search = writeView({ ...first, limit: 10 }, spec, 30)
    expect(search).toEqual({ limit: 10 })
    expect(limitsOf(search)).toEqual([10, 10, 10])
  })
})

describe('a change', () => {
  const third = { ...first, page: 3 }
  test.each([{ filters: { q: 'a' } }, { limit: 20 }, { sort: 'money' }])('%j goes back to page 1', (change) =>
    expect(changeView(third, change, spec).page).toBe(1),
  )
  test('of columns or page keeps the rest', () => {
    expect(changeView(third, { hidden: [] }, spec)).toEqual({ ...third, hidden: [] })
    expect(changeView(third, { page: 4 }, spec)).toEqual({ ...third, page: 4 })
    expect(changeView(third, { filters: { q: 'a' } }, spec).filters).toEqual({ q: 'a', status: 'pending' })
  })
  test('shows whether a filter is active', () => {
    expect(isFiltered(third, spec)).toBe(false)
    expect(isFiltered(changeView(third, { filters: { q: 'a' } }, spec), spec)).toBe(true)
  })
})
