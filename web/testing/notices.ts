import type { Notice } from '#web/features/notices/api.ts'

const none = { isRead: false, bet: null, request: null, care: null, adjustment: null, round: null, limit: null }

/** Notices as the server answers them, for tests. */
export const aBetNotice = (number: number, fields: Partial<NonNullable<Notice['bet']>> = {}): Notice => ({
  ...none,
  id: `bet:b${number}`,
  kind: 'bet',
  atMs: Date.UTC(2026, 10, 20, 8, 0, number),
  bet: {
    id: `b${number}`,
    roundNumber: 12_345,
    type: '60s',
    direction: 'up',
    status: 'won',
    basis: 'PRICE',
    profitMinor: 70n,
    voidReason: null,
    entryPrice: 4_132_114,
    exitPrice: 4_132_500,
    ...fields,
  },
})

export const aRequestNotice = (fields: Partial<NonNullable<Notice['request']>> = {}): Notice => ({
  ...none,
  id: 'request:1',
  kind: 'request',
  atMs: Date.UTC(2026, 10, 20, 9),
  request: {
    id: 'r1',
    kind: 'deposit',
    status: 'approved',
    amountMinor: 20_000n,
    decidedBy: 'admin',
    rejectionReason: null,
    ...fields,
  },
})

export const aCareNotice = (atMs = Date.UTC(2026, 10, 20, 10)): Notice => ({
  ...none,
  id: 'care:1',
  kind: 'care',
  atMs,
  care: { conversationId: '1', sender: 'admin', unreadCount: 2 },
})

export const anAdjustmentNotice = (): Notice => ({
  ...none,
  id: 'adjust:1',
  kind: 'adjustment',
  atMs: Date.UTC(2026, 10, 19, 9),
  adjustment: { deltaMinor: -10_000n, balanceAfterMinor: 90_000n, actor: 'admin', note: 'Sửa nhầm' },
})

export const aRoundNotice = (basis: 'PRICE' | 'SCRIPTED' = 'PRICE'): Notice => ({
  ...none,
  id: 'round:1',
  kind: 'round',
  atMs: Date.UTC(2026, 10, 19, 8),
  isRead: true,
  round: { betId: 'b9', roundNumber: 7, type: '30s', basis },
})

export const aLimitNotice = (limit: 'stake' | 'loss' = 'stake'): Notice => ({
  ...none,
  id: `limit:${limit}`,
  kind: 'limit',
  atMs: Date.UTC(2026, 10, 19, 7),
  isRead: true,
  limit,
})
