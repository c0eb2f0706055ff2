import { expect, test } from 'vitest'
import { badBankFields, type BankDetails } from './bank.ts'

const good: BankDetails = { accountNumber: '0123456789', accountHolder: 'NGUYEN VAN AN', bankName: 'Ngân hàng mẫu' }
const badOf = (changes: Partial<BankDetails>) => badBankFields({ ...good, ...changes })

test('an account number is 4 to 24 digits', () => {
  expect(['0123', '1'.repeat(24)].map((accountNumber) => badOf({ accountNumber }))).toEqual([[], []])
  for (const accountNumber of ['', '123', '1'.repeat(25), '12 34', '12a4', '-1234', '１２３４', '1234\n'])
    expect(badOf({ accountNumber })).toEqual(['accountNumber'])
})

test('names have 1 to 80 characters after trimming', () => {
  expect(badOf({ accountHolder: `  ${'x'.repeat(80)}  `, bankName: 'y' })).toEqual([])
  expect(badOf({ accountHolder: '   ' })).toEqual(['accountHolder'])
  expect(badOf({ accountHolder: 'x'.repeat(81) })).toEqual(['accountHolder'])
  expect(badOf({ bankName: '' })).toEqual(['bankName'])
  expect(badOf({ bankName: 'x'.repeat(81) })).toEqual(['bankName'])
})

test('every bad field is named, in the order of the form', () => {
  expect(badBankFields({ accountNumber: '', accountHolder: '', bankName: '' })).toEqual([
    'accountNumber',
    'accountHolder',
    'bankName',
  ])
})
