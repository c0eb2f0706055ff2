import type { Attention, AttentionItem, Waiting } from '#contract/attention.ts'

export const nowMs = Date.UTC(2026, 10, 23, 5)

export const waiting = (id: string, change: Partial<Waiting> = {}): Waiting => ({
  id,
  owner: { id: `u-${id}`, username: `khach-${id}` },
  atMs: nowMs - 60_000,
  moves: 'deposit',
  amountMinor: 50_000n,
  proposedById: null,
  ...change,
})

export const item = (kind: AttentionItem['kind'], change: Partial<AttentionItem> = {}): AttentionItem => ({
  kind,
  count: change.newest?.length ?? 1,
  sinceMs: nowMs - 120_000,
  why: null,
  newest: [],
  ...change,
})

export const attentionOf = (items: readonly AttentionItem[], change: Partial<Attention> = {}): Attention => ({
  items: [...items],
  luck: { lookedAtMs: null, players: 0, flags: [] },
  muted: [],
  serverTimeMs: nowMs,
  ...change,
})
