import { describe, expect, test } from 'vitest'
import { numberProblems } from '#web/ui/typed-texts.ts'
import { amountOf, amountProblem, everything } from './request-amount.ts'

describe('an amount', () => {
  test.each([
    ['deposit', '', 0n, 'Vui lòng nhập số tiền'],
    ['deposit', '0', 0n, 'Vui lòng nhập số tiền'],
    ['deposit', '1', 0n, null],
    ['deposit', '1000000000', 0n, null],
    ['deposit', '1000000001', 0n, 'Số điểm vượt quá giới hạn cho phép'],
    ['deposit', '9999999999999', 0n, 'Số điểm vượt quá giới hạn cho phép'],
    ['deposit', '1.000.000', 0n, null],
    ['deposit', '123,456.00', 0n, null],
    ['deposit', '123,456.78', 0n, numberProblems.fraction],
    ['deposit', '-50', 0n, numberProblems.signed],
    ['deposit', '1e3', 0n, numberProblems.unclear],
    ['deposit', '1,000.000', 0n, numberProblems.unclear],
    ['withdrawal', '', 100_00n, 'Vui lòng nhập số tiền'],
    ['withdrawal', '100', 100_00n, null],
    ['withdrawal', '100', 99_99n, 'Số dư không đủ'],
    ['withdrawal', '101', 100_00n, 'Số dư không đủ'],
    ['withdrawal', everything, 1234_56n, null],
    ['withdrawal', everything, 99n, 'Rút ít nhất 1 điểm'],
    ['withdrawal', everything, 2_000_000_000_00n, 'Số điểm vượt quá giới hạn cho phép'],
    ['withdrawal', everything, 0n, 'Vui lòng nhập số tiền'],
  ] as const)('%s of "%s" with %d: %s', (kind, digits, balanceMinor, sentence) => {
    expect(amountProblem(kind, digits, balanceMinor)).toBe(sentence)
  })
})

test('"Rút hết" takes the balance to its last cent, whatever it is when the form is sent', () => {
  expect(amountOf(everything, 1234_56n)).toBe(1234_56n)
  expect(amountOf(everything, 1250_00n)).toBe(1250_00n)
  expect(amountOf('1234', 1234_56n)).toBe(1234_00n)
  expect(amountOf('1.234', 1234_56n)).toBe(1234_00n)
  expect(amountOf('1.234,5', 1234_56n)).toBe(0n)
})
