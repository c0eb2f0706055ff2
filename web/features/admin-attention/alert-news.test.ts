import { describe, expect, test } from 'vitest'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { freshNews, newsIn, remember, toldItems } from './alert-news.ts'
import { attentionOf, item, nowMs, waiting } from '#web/testing/admin-attention.ts'

const self = { id: 'me', capabilities: CAPABILITIES }
const reader = { id: 'me', capabilities: [] }

describe('of what an admin is told', () => {
  const all = attentionOf([
    item('ledger', { why: 'CLOSED' }),
    item('conversation', { newest: [waiting('c')] }),
    item('request', { newest: [waiting('a')] }),
    item('proposal', { newest: [waiting('own', { proposedById: 'me' }), waiting('p', { proposedById: 'you' })] }),
    item('dispute'),
    item('luck'),
  ])

  test('is what they can act on, and every alarm', () => {
    expect(toldItems(all, self).map(({ kind }) => kind)).toEqual(['ledger', 'conversation', 'request', 'proposal'])
    expect(toldItems(all, reader).map(({ kind }) => kind)).toEqual(['ledger'])
    expect(toldItems({ ...all, muted: ['alarm', 'request'] }, self).map(({ kind }) => kind)).toEqual([
      'conversation',
      'proposal',
    ])
  })

  test('no own proposal is news, and no feed that failed for a moment', () => {
    expect(newsIn(all, self).map(({ item: { kind }, of }) => of?.id ?? kind)).toEqual(['ledger', 'c', 'a', 'p'])
    const brief = attentionOf([item('feed', { why: 'STALE', sinceMs: nowMs - 29_000 })])
    expect(newsIn(brief, self)).toEqual([])
    expect(newsIn({ ...brief, serverTimeMs: nowMs + 1_000 }, self)).toHaveLength(1)
  })
})

describe('what is fresh', () => {
  const keysOf = (requests: readonly string[], atMs: number) =>
    newsIn(attentionOf([item('request', { newest: requests.map((id) => waiting(id, { atMs })) })]), self)

  test('is what came since the page was opened, once', () => {
    const memory = remember(attentionOf([item('request', { newest: [waiting('old', { atMs: nowMs })] })]), self)
    const first = freshNews(keysOf(['old', 'new'], nowMs), memory, [])
    expect(first.fresh.map(({ of }) => of?.id)).toEqual(['new'])
    // Another page of the browser, and this one at its next answer, know it.
    expect(freshNews(keysOf(['old', 'new'], nowMs), memory, first.told).fresh).toEqual([])
  })

  test('is no old request that is named again because younger ones were decided', () => {
    const memory = remember(attentionOf([]), self)
    expect(freshNews(keysOf(['older'], nowMs - 3_600_000), memory, []).fresh).toEqual([])
  })

  test('is a conversation that became due just now, however long ago its player began to wait', () => {
    const memory = remember(attentionOf([]), self)
    const due = newsIn(
      attentionOf([item('conversation', { newest: [waiting('c', { atMs: nowMs - 14 * 3_600_000 })] })]),
      self,
    )
    const first = freshNews(due, memory, [])
    expect(first.fresh).toHaveLength(1)
    expect(freshNews(due, memory, first.told).fresh).toEqual([])
  })

  test('is no conversation that is named only because a younger one was answered', () => {
    const dueNow = (ids: readonly number[], count: number) =>
      attentionOf([item('conversation', { count, newest: ids.map((id) => waiting(`c${id}`, { atMs: nowMs - id })) })])
    const memory = remember(dueNow([1, 2], 3), self)
    const next = freshNews(newsIn(dueNow([0, 1, 3], 3), self), memory, [])
    expect(next.fresh.map(({ of }) => of?.id)).toEqual(['c0'])
    expect(freshNews(newsIn(dueNow([0, 3, 4], 3), self), next.memory, next.told).fresh).toEqual([])
  })

  test('is an alarm again after it was over, and not while it lasts', () => {
    const memory = remember(attentionOf([]), self)
    const alarm = newsIn(attentionOf([item('ledger', { why: 'CLOSED' })]), self)
    const told = freshNews(alarm, memory, [])
    expect(told.fresh).toHaveLength(1)
    expect(freshNews(alarm, memory, told.told).fresh).toEqual([])
    const over = freshNews([], memory, told.told)
    expect(freshNews(alarm, memory, over.told).fresh).toHaveLength(1)
  })

  test('is an alarm that was there when the page was opened, once it was over', () => {
    const first = attentionOf([item('ledger', { why: 'CLOSED' })])
    const memory = remember(first, self)
    expect(freshNews(newsIn(first, self), memory, []).fresh).toEqual([])
    const over = freshNews([], memory, [])
    expect(over.fresh).toEqual([])
    expect(freshNews(newsIn(first, self), over.memory, []).fresh).toHaveLength(1)
  })
})
