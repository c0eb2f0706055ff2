import { expect, test } from 'vitest'
import { monogramOf } from './monogram.tsx'

test.each([
  ['VietinBank', 'VB'],
  ['Vietcombank', 'VI'],
  ['ACB', 'AC'],
  ['MB Bank', 'MB'],
  ['Nam A Bank', 'NA'],
  ['BIDV', 'BI'],
  ['PVcomBank', 'PV'],
  ['Ngân hàng Đông Á', 'NH'],
  ['bitcoin', 'BI'],
  ['BTC', 'BT'],
  ['1inch', '1I'],
  ['x', 'X'],
  ['', ''],
])('%s is shown as %s', (name, letters) => {
  expect(monogramOf(name)).toBe(letters)
})
