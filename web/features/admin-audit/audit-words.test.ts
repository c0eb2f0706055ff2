import { describe, expect, test } from 'vitest'
import { actText, changesOf, summaryOf, targetText, targetUserId, valueText } from './audit-words.ts'

describe('the changes of an act', () => {
  test('are labels and amounts, not JSON', () => {
    const row = {
      before: { balance: 1000, vip: null, isFrozen: false },
      after: { balance: 1200.5, vip: 3, isFrozen: true },
    }
    expect(summaryOf(row)).toBe('Số dư: 1,000.00 → 1,200.50 · VIP: – → 3 · Đóng băng: Không → Có')
  })

  test('a decision shows its status and amount', () => {
    const row = {
      before: { status: 'pending', reason: null },
      after: { status: 'rejected', reason: 'sai nội dung', kind: 'deposit', amountMinor: '25050' },
    }
    expect(changesOf(row).map(({ label, before, after }) => [label, before, after])).toEqual([
      ['Trạng thái', 'Đang duyệt', 'Không duyệt'],
      ['Lý do', '–', 'sai nội dung'],
      ['Loại', null, 'Nạp'],
      ['Số tiền', null, '250.50'],
    ])
  })

  test('a missing side or a value that is no object does not crash', () => {
    expect(changesOf({ before: null, after: null })).toEqual([])
    expect(summaryOf({ before: { username: 'an' }, after: null })).toBe('Tài khoản: an → –')
    expect(changesOf({ before: [1], after: 'x' })).toEqual([])
  })

  test('a field of a later version is shown by its name', () =>
    expect(summaryOf({ before: { newField: { a: 1 } }, after: { newField: 2 } })).toBe('newField: {"a":1} → 2'))

  test('text that a person typed is not translated', () => {
    expect(valueText('reason', 'win')).toBe('win')
    expect(valueText('username', 'admin')).toBe('admin')
    expect(valueText('scriptedOutcome', 'win')).toBe('auto win')
    expect(valueText('status', 'toString')).toBe('toString')
    expect(valueText('staffDirection', 'hidden')).toBe('giữ kín tới khi phiên kết thúc')
  })
})

describe('acts and targets', () => {
  test('have words', () => {
    expect(actText('request.approve')).toBe('Duyệt yêu cầu')
    expect(actText('constructor')).toBe('constructor')
    expect(targetText({ target: 'user:1', targetName: 'lananh' })).toBe('lananh')
    expect(targetText({ target: 'request:0193-abcdef', targetName: null })).toBe('Yêu cầu …abcdef')
    expect(targetText({ target: 'other', targetName: null })).toBe('other')
  })
  test('a user can be linked', () => {
    expect(targetUserId({ target: 'user:42' })).toBe('42')
    expect(targetUserId({ target: 'round:42' })).toBeNull()
  })
})
