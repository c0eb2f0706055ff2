import { expect, test } from 'vitest'
import type { LedgerRow } from '#contract/wallet.ts'
import { writeLedgerCsv } from './ledger-csv.ts'
import { requestOf } from './ledger-words.ts'

const row: LedgerRow = {
  id: 'bet:1:stake',
  position: 12,
  reason: 'BET_STAKE',
  deltaMinor: -10_00n,
  balanceAfterMinor: 990_05n,
  actor: 'khach1',
  ref: 'bet:1',
  note: null,
  createdAtMs: Date.parse('2026-11-20T08:04:12.000Z'),
}

test('the file begins with the byte order mark, has one line per row and Windows line ends', () => {
  const csv = writeLedgerCsv([row])
  expect(csv.codePointAt(0)).toBe(0xfeff)
  expect(csv.slice(1).split('\r\n')).toEqual([
    'STT,Thời gian,Lý do,Thay đổi,Số dư sau,Người thực hiện,Ghi chú,Mã tham chiếu',
    '12,20/11/2026 15:04:12,Đặt lệnh,-10.00,990.05,khach1,,bet:1',
    '',
  ])
})

test('the system actor has a label', () => {
  expect(writeLedgerCsv([{ ...row, actor: 'system' }])).toContain(',Hệ thống,')
})

test.each(['=1+1', '+84', '-2', '@SUM(A1)', '\t=1', '\r=1'])('%j does not become a formula', (text) => {
  expect(writeLedgerCsv([{ ...row, note: text }])).not.toContain(`,${text}`)
})

test('a row belongs to its request, where there is one', () => {
  expect(requestOf('request:019b')).toBe('019b')
  for (const ref of ['bet:019a', 'user:019c', 'request:', '']) expect(requestOf(ref)).toBeNull()
})
