import type { Dispute } from '#contract/disputes.ts'
import { uuid } from '#web/testing/samples.ts'

/** An open dispute of a lost bet, as the server answers it, for component tests. */
export const sampleDispute = (fields: Partial<Dispute> = {}): Dispute => ({
  id: uuid(700),
  owner: { id: uuid(1), username: 'khach01' },
  status: 'open',
  text: 'Giá ra không giống biểu đồ',
  openedAtMs: Date.UTC(2026, 10, 20, 3),
  conversationId: uuid(701),
  bet: {
    id: uuid(702),
    round: { id: uuid(703), roundNumber: 1234, type: '60s' },
    direction: 'up',
    stakeMinor: 1000n,
    status: 'lost',
    basis: 'PRICE',
    entryPrice: 4_000_000,
    exitPrice: 3_999_000,
    profitMinor: -70n,
    voidReason: null,
    createdAtMs: Date.UTC(2026, 10, 20, 2),
    sealIndex: 4567,
  },
  entry: { salt: 'AAAAAAAAAAAAAAAAAAAAAA==', c: 'a'.repeat(43).concat('='), index: 4600 },
  answer: null,
  ...fields,
})

export const upheldDispute = (): Dispute =>
  sampleDispute({
    status: 'upheld',
    answer: {
      text: 'Đúng, giá ra ghi sai',
      by: { id: uuid(901), username: 'thuha' },
      atMs: Date.UTC(2026, 10, 21, 3),
      correctionMinor: 140n,
      entry: { salt: 'BBBBBBBBBBBBBBBBBBBBBB==', c: 'b'.repeat(43).concat('='), index: null, isWaiting: true },
    },
  })
