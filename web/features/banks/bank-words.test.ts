import { describe, expect, test } from 'vitest'
import { findBanks, loadBankSuggestions } from './bank-words.ts'

const banks = await loadBankSuggestions()
const found = (typed: string) => findBanks(banks, typed).map(({ shortName }) => shortName)

test('an empty field shows every bank', () => {
  expect(found('')).toHaveLength(banks.length)
  expect(found('   ')).toHaveLength(banks.length)
})

describe('a bank is found', () => {
  test.each([
    ['viet', 'VietABank'],
    ['vcb', 'Vietcombank'],
    ['Ngoại Thương', 'Vietcombank'],
    ['ngoai thuong', 'Vietcombank'],
    ['ngoaithuong', 'Vietcombank'],
    ['quân đội', 'MB Bank'],
    ['MBB', 'MB Bank'],
    ['mbbank', 'MB Bank'],
    ['ky thuong', 'Techcombank'],
    ['dong a', 'DongA Bank'],
  ])('by %s', (typed, shortName) => {
    expect(found(typed)).toContain(shortName)
  })

  test('by the start of its own name first', () => {
    expect(found('vietcom')[0]).toBe('Vietcombank')
    expect(found('acb')[0]).toBe('ACB')
    expect(found('sai gon').every((name) => name !== 'Vietcombank')).toBe(true)
  })
})

test('unknown text finds nothing, and no character of it works as a pattern', () => {
  expect(found('(')).toHaveLength(banks.length)
  expect(found('khong co ngan hang nay')).toEqual([])
  expect(found('.*')).toHaveLength(banks.length)
})
