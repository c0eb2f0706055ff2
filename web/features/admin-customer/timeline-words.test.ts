import { expect, test } from 'vitest'
import type { TimelineEntry } from '#contract/customer.ts'
import { uuid } from '#web/testing/samples.ts'
import { type CustomerWords, entryWords } from './timeline-words.ts'

const words: CustomerWords = {
  device: (userAgent: string | null) => userAgent ?? 'Thiết bị không rõ',
  reason: (reason: string) => `lý do ${reason}`,
  act: (act: string) => `việc ${act}`,
  change: () => 'VIP: – → 3',
  statuses: {
    bet: { lost: { label: 'Thua', tone: 'down' } },
    request: { pending: { label: 'Đang duyệt', tone: 'warn' } },
  },
}
const entry = (fields: Partial<TimelineEntry> & Pick<TimelineEntry, 'kind'>): TimelineEntry => ({
  cursor: `1~${fields.kind}:1`,
  atMs: 1,
  ref: '1',
  actor: null,
  amountMinor: null,
  profitMinor: null,
  word: null,
  status: null,
  text: null,
  round: null,
  before: null,
  after: null,
  ...fields,
})

test.each([
  [
    entry({
      kind: 'bet',
      word: 'up',
      amountMinor: 1_000n,
      profitMinor: -50n,
      status: 'lost',
      round: { id: uuid(1), roundNumber: 927418, type: '60s' },
    }),
    {
      title: 'Đặt 10 điểm · Mua ▲',
      detail: 'Phiên 60s số 927,418',
      amount: { minor: -50n, isSigned: true },
      badge: { label: 'Thua', tone: 'down' },
    },
  ],
  [
    entry({ kind: 'request', word: 'withdrawal', amountMinor: 500n, status: 'pending' }),
    {
      title: 'Yêu cầu rút điểm',
      detail: null,
      amount: { minor: 500n, isSigned: false },
      badge: { label: 'Đang duyệt', tone: 'warn' },
    },
  ],
  [
    entry({ kind: 'decision', word: 'deposit', amountMinor: 500n, status: 'rejected', actor: 'an', text: 'Sai số' }),
    { title: 'Yêu cầu nạp bị từ chối', detail: 'bởi an · Sai số', amount: { minor: 500n, isSigned: false } },
  ],
  [
    entry({ kind: 'transfer', word: 'ADJUSTMENT', amountMinor: -5n, actor: 'system', text: 'Bù' }),
    { title: 'lý do ADJUSTMENT', detail: 'bởi hệ thống · Bù', amount: { minor: -5n, isSigned: true } },
  ],
  [entry({ kind: 'transfer', word: 'NEWER', amountMinor: 5n }), { title: 'NEWER', detail: null }],
  [entry({ kind: 'session', text: '10.0.0.1' }), { title: 'Đăng nhập', detail: 'Thiết bị không rõ · 10.0.0.1' }],
  [
    entry({ kind: 'act', word: 'user.update', actor: 'an' }),
    { title: 'việc user.update', detail: 'bởi an · VIP: – → 3' },
  ],
  [entry({ kind: 'note', actor: 'an', text: 'một\nhai' }), { title: 'Ghi chú của an', detail: 'một\nhai' }],
  [
    entry({ kind: 'answer', status: 'upheld', actor: 'an', text: 'Đúng vậy', amountMinor: 150n }),
    { title: 'Khiếu nại được chấp nhận', detail: 'bởi an · Đúng vậy', amount: { minor: 150n, isSigned: true } },
  ],
])('$kind', (told, said) => {
  expect(entryWords(told, words)).toMatchObject(said)
})
