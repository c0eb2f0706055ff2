import { describe, expect, test } from 'vitest'
import { findBanks, loadBankSuggestions } from './bank-words.ts'

const banks = await loadBankSuggestions()
const found = (typed: string) => findBanks(banks, typed).map(({ shortName }) => shortName)

test('nothing typed shows every bank', () => {
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

  test('whose own name begins with it first', () => {
    expect(found('vietcom')[0]).toBe('Vietcombank')
    expect(found('acb')[0]).toBe('ACB')
    expect(found('sai gon').every((name) => name !== 'Vietcombank')).toBe(true)
  })
})

test('what is in no list finds nothing, and no letter of it is taken for a pattern', () => {
  expect(found('(')).toHaveLength(banks.length)
  expect(found('khong co ngan hang nay')).toEqual([])
  expect(found('.*')).toHaveLength(banks.length)
})
