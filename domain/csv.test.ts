import { describe, expect, test } from 'vitest'
import { neutralise, writeCsv } from './csv.ts'

describe('a text that could be a formula', () => {
  test.each([
    ['=1+1', `'=1+1`],
    ['+84 90', `'+84 90`],
    ['-5', `'-5`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `'\t'=1`],
    ['\r=1', `'\r'=1`],
    ['  =1', `'  =1`],
    ['＝1', `'＝1`],
    // A spreadsheet with semicolons as separators would read the second half as a cell of its own.
    ['nap;=HYPERLINK("x")', `nap;'=HYPERLINK("x")`],
    ['dòng một\n=2', `dòng một\n'=2`],
  ])('%j is neutralised', (text, safe) => expect(neutralise(text)).toBe(safe))

  test.each(['nạp lần 2', 'a=b', 'rút - gấp', '1,000', '', 'x@y'])('%j stays as it is', (text) =>
    expect(neutralise(text)).toBe(text),
  )
})

describe('the file', () => {
  test('begins with the byte order mark, ends every line with CRLF, and keeps Vietnamese letters', () => {
    expect(writeCsv(['Tài khoản', 'Số điểm'], [['đặng hoà', { decimal: '1234.50' }]])).toBe(
      '\uFEFFTài khoản,Số điểm\r\nđặng hoà,1234.50\r\n',
    )
  })

  test('numbers stay numbers, the negative ones too', () => {
    expect(writeCsv(['a', 'b', 'c'], [[-5, { decimal: '-0.50' }, 0.1]])).toBe('\uFEFFa,b,c\r\n-5,-0.50,0.1\r\n')
  })

  test('a value that is not a number becomes an empty cell, never a formula', () => {
    expect(writeCsv(['a', 'b'], [[Number.NaN, { decimal: '=1' }]])).toBe('\uFEFFa,b\r\n,\r\n')
  })

  test('quotes, commas and line breaks stay inside their cell', () => {
    expect(writeCsv(['a'], [['nói "được", rồi\nđi']])).toBe('\uFEFFa\r\n"nói ""được"", rồi\nđi"\r\n')
    expect(writeCsv(['=a'], [['"=1"']])).toBe(`\uFEFF'=a\r\n"""=1"""\r\n`)
  })
})
