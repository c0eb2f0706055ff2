import { describe, expect, test } from 'vitest'
import type { AuditAct } from '#contract/back-office.ts'
import { uuid } from '#web/testing/samples.ts'
import type { AuditRow } from './api.ts'
import { actText, changesOf, summaryOf, targetText, targetUserId, valueText } from './audit-words.ts'

const user = `user:${uuid(1)}`
const round = `round:${uuid(9)}`
const chat = `conversation:${uuid(5)}`
const dispute = `dispute:${uuid(6)}`
const profile = { username: 'lananh', creditScore: 90, vip: null, avatar: null, isFrozen: false, scriptedOutcome: null }
const row0: AuditRow = {
  seq: 1,
  atMs: 1,
  actor: 'quantri',
  act: 'user.update',
  target: `request:${uuid(7)}`,
  targetName: null,
  targetOwner: { id: uuid(1), username: 'lananh' },
  targetRound: null,
  before: null,
  after: null,
  names: [
    { id: uuid(1), username: 'lananh' },
    { id: uuid(2), username: 'minh' },
    { id: uuid(3), username: 'thuha' },
  ],
  reason: null,
  hash: '',
}

/** Part of an id, a name of a field, or a stored value that has a word. */
const code =
  /[\da-f]{8}-|[a-z][A-Z]|\b(pending|approved|rejected|opened|upheld|won|running|ended|player|admin|deposit|withdrawal|up)\b/

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
      ['Số điểm', null, '250.50'],
    ])
  })

  test('a missing side or a value that is no object does not crash', () => {
    expect(changesOf({ before: null, after: null })).toEqual([])
    expect(summaryOf({ before: { username: 'an' }, after: null })).toBe('Tài khoản: an → –')
    expect(changesOf({ before: [1], after: 'x' })).toEqual([])
  })

  test('a field of a later version is shown by its name', () =>
    expect(summaryOf({ before: { newField: { a: 1 } }, after: { newField: 2 } })).toBe('newField: {"a":1} → 2'))

  test('capabilities are named as on the screens', () =>
    expect(summaryOf({ before: { capabilities: [] }, after: { capabilities: ['money', 'owner'] } })).toBe(
      'Quyền: chỉ xem → Điểm, Chủ quản',
    ))

  test('text that a person typed is not translated', () => {
    expect(valueText('reason', 'win')).toBe('win')
    expect(valueText('username', 'admin')).toBe('admin')
    expect(valueText('scriptedOutcome', 'win')).toBe('auto win')
    expect(valueText('status', 'toString')).toBe('toString')
    expect(valueText('staffDirection', 'hidden')).toBe('giữ kín tới khi phiên kết thúc')
  })
})

/** A stored row of every act, as the server records it. */
const samples: Readonly<Record<AuditAct, Partial<AuditRow>>> = {
  'user.update': {
    target: user,
    before: { ...profile, balance: 10, password: null },
    after: { ...profile, isFrozen: true, scriptedOutcome: 'win', balance: 20.5, password: 'set' },
  },
  'user.set-role': { target: user, before: { role: 'player' }, after: { role: 'admin' } },
  'user.grant': { target: user, before: { capabilities: [] }, after: { capabilities: ['money', 'owner'] } },
  'user.delete': { target: user, before: { username: 'lananh', role: 'player' }, after: null },
  'user.close': { target: user, before: { username: 'lananh', role: 'player' }, after: null },
  'user.add-factor': { target: user, before: null, after: { kind: 'totp', name: 'Điện thoại' } },
  'user.remove-factor': { target: user, before: { kind: 'passkey', name: 'Máy tính' }, after: null },
  'user.new-recovery-codes': { target: user, before: null, after: null },
  'user.reset-factors': { target: user, before: { factors: 1 }, after: null },
  'user.undo-factors': { target: user, before: { factors: 1, name: 'Điện thoại' }, after: null },
  'user.end-sessions': { target: user, before: { sessions: 2 }, after: null },
  'user.view': { target: user, before: null, after: null },
  'user.search': { target: 'users', before: null, after: { text: '203.0.113.9' } },
  'user.note': { target: user, before: null, after: null },
  'bank.edit': {
    target: user,
    before: { accountNumber: '0123456789', accountHolder: 'LAN ANH', bankName: 'Vietcombank' },
    after: { accountNumber: '0123456780', accountHolder: 'LAN ANH', bankName: 'ACB' },
  },
  'request.approve': {
    before: { status: 'pending', reason: null },
    after: { status: 'approved', reason: null, kind: 'deposit', amountMinor: '25050', owner: uuid(1) },
  },
  'request.reject': {
    before: { status: 'pending', reason: null },
    after: { status: 'rejected', reason: 'sai', kind: 'withdrawal', amountMinor: '25050', owner: uuid(1) },
  },
  'request.edit-reason': {
    before: { status: 'rejected', reason: 'sai' },
    after: { status: 'rejected', reason: 'sai số', kind: 'deposit', amountMinor: '25050', owner: uuid(1) },
  },
  'request.delete': { before: { status: 'pending', kind: 'deposit', amountMinor: '25050' }, after: null },
  'round.set-result': { target: round, before: { staffDirection: null }, after: { staffDirection: 'up' } },
  'round.delete': { target: round, before: { status: 'running' }, after: null },
  'round.hide': { target: round, before: { status: 'ended' }, after: null },
  'round.force-create': { target: round, before: null, after: { type: '60s', roundNumber: 927_418, attempt: 1 } },
  'bet.hide': { target: `bet:${uuid(8)}`, before: { owner: uuid(1), status: 'won' }, after: null },
  'chat.read': { target: chat, before: null, after: { image: 'mO0ZK2PpZ0g2l7mN0jv5zM2B8b7N.png' } },
  'chat.search': { target: 'chat', before: null, after: { text: 'rút điểm' } },
  'chat.customer': { target: user, before: null, after: null },
  'chat.note': { target: chat, before: null, after: null },
  'chat.claim': { target: chat, before: { holder: uuid(2) }, after: { holder: uuid(3) } },
  'chat.hand-over': { target: chat, before: { holder: uuid(3) }, after: { holder: uuid(2) } },
  'chat.assign': { target: chat, before: { holder: null }, after: { holder: uuid(2) } },
  'chat.tags': { target: chat, before: { tags: 'gấp' }, after: { tags: 'gấp, hoàn điểm' } },
  'chat.merge': {
    target: chat,
    before: { kept: uuid(4), merged: uuid(5), holder: uuid(3) },
    after: { holder: uuid(2), messages: 12 },
  },
  'chat.hours': {
    target: 'chat',
    before: { monday: '00:00–24:00', sunday: '00:00–24:00', awayText: 'Hẹn gặp lại' },
    after: { monday: '08:00–17:30', sunday: null, awayText: 'Hẹn gặp lại' },
  },
  'chat.transcript': { target: chat, before: null, after: { messages: 1_234 } },
  'chat.retract': {
    target: chat,
    before: { message: '[tệp: sao kê.pdf]', file: 'mO0ZK2PpZ0g2l7mN0jv5zM2B8b7N.pdf' },
    after: null,
  },
  'dispute.open': { target: dispute, before: null, after: { dispute: 'opened', bet: uuid(8) } },
  'dispute.uphold': {
    target: dispute,
    before: { dispute: 'opened' },
    after: { dispute: 'upheld', owner: uuid(1), bet: uuid(8), amountMinor: '5000' },
  },
  'dispute.reject': {
    target: dispute,
    before: { dispute: 'opened' },
    after: { dispute: 'rejected', owner: uuid(1), bet: uuid(8) },
  },
  'money.propose': {
    target: user,
    before: null,
    after: {
      proposal: 'waiting',
      proposalId: uuid(4),
      kind: 'deposit',
      amountMinor: '1200000000',
      request: uuid(7),
      summedMinor: '1200000500',
    },
  },
  'money.confirm': {
    target: user,
    before: { proposal: 'waiting', proposalId: uuid(4), kind: 'correction', amountMinor: '500', dispute: uuid(6) },
    after: { proposal: 'confirmed', proposer: uuid(3) },
  },
  'money.withdraw': {
    target: user,
    before: { proposal: 'waiting', proposalId: uuid(4), kind: 'adjustment', amountMinor: '-500' },
    after: { proposal: 'overtaken' },
  },
  'money.expire': {
    target: user,
    before: { proposal: 'waiting', proposalId: uuid(4), kind: 'withdrawal', amountMinor: '500', request: uuid(7) },
    after: { proposal: 'expired' },
  },
  'ledger.clear': { target: 'ledger', before: null, after: { transfers: 12_345, accounts: 678 } },
  'log.restart': { target: 'book', before: null, after: { origin: 'kim.example/2', why: 'KEY_LOST' } },
  'audit.acknowledge': {
    target: 'audit:7',
    before: { row: '7', digest: 'a1'.repeat(32), half: 'U+D83D', earlier: '20' },
    after: null,
  },
}

describe('acts and targets', () => {
  test.each(Object.entries(samples))('%s is told in words, without a code or an id', (act, sample) => {
    const row = { ...row0, ...sample, act }
    const told = [actText(act), targetText(row), summaryOf(row), ...changesOf(row).map(({ label }) => label)]
    expect(actText(act)).not.toBe(act)
    for (const text of told) expect(text).not.toMatch(code)
    for (const { label, field } of changesOf(row)) expect(label).not.toBe(field)
  })

  test('show whose a request, a bet, a conversation or a dispute is, and the number of a round', () => {
    const told = (target: string) => targetText({ ...row0, target })
    expect(told(`request:${uuid(7)}`)).toBe('Yêu cầu của lananh')
    expect(told(chat)).toBe('Trò chuyện của lananh')
    expect(targetUserId({ ...row0, target: chat })).toBe(uuid(1))
    expect(targetText({ ...row0, targetRound: { type: '60s', roundNumber: 927_418 } })).toBe('Phiên 60s 927,418')
    expect(summaryOf({ ...row0, ...samples['chat.claim'] })).toBe('Người phụ trách: minh → thuha')
    expect(summaryOf({ ...row0, ...samples['chat.hours'] })).toBe(
      'Thứ Hai: 00:00–24:00 → 08:00–17:30 · Chủ nhật: 00:00–24:00 → –',
    )
  })

  test('have words', () => {
    expect(actText('request.approve')).toBe('Duyệt yêu cầu')
    expect(actText('constructor')).toBe('constructor')
    const none = { targetName: null, targetOwner: null, targetRound: null }
    expect(targetText({ ...none, target: 'user:1', targetName: 'lananh' })).toBe('lananh')
    expect(targetText({ ...none, target: 'request:0193-abcdef' })).toBe('Yêu cầu …abcdef')
    expect(targetText({ ...none, target: 'other' })).toBe('other')
  })
  test('a user can be linked', () => {
    expect(targetUserId({ target: 'user:42', targetOwner: null })).toBe('42')
    expect(targetUserId({ target: 'round:42', targetOwner: null })).toBeNull()
  })
})
