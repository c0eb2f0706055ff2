import { expect, test } from 'vitest'
import type { Conversation } from '#domain/chat/conversation.ts'
import { type Desk, waitingSinceMs } from '#domain/chat/desk.ts'
import { reduceChat } from '#domain/chat/timeline.ts'
import { emptyChat } from '#domain/chat/chat-state.ts'
import { openingsOf, threadsOf } from './desk.ts'
import { an, staff } from '#web/testing/fake-chat.ts'
import { snoozeChoices } from './snooze-choices.ts'

const conversation = (id: string, lastActivityAtMs: number, desk?: Partial<Desk>): Conversation => ({
  ...{ id, participants: [{ ...an, id: `p${id}` }, staff], lastMessage: null, lastSeq: 1, lastActivityAtMs },
  ...{
    createdAtMs: 1,
    updatedAtMs: 1,
    isActive: true,
    unreadCount: 0,
    readSeq: 0,
    peerReadSeq: 0,
    hiddenThroughSeq: -1,
  },
  ...(desk !== undefined && { desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: null, ...desk } }),
})
const chat = reduceChat(emptyChat('staff'), {
  is: 'conversations-received',
  conversations: [
    conversation('a', 10, { waitingSinceMs: 7 }),
    conversation('b', 20, { waitingSinceMs: 5 }),
    conversation('c', 30, {}),
    conversation('d', 40, { state: 'done' }),
    conversation('e', 50, { state: 'snoozed', snoozedUntilMs: 200, waitingSinceMs: 4 }),
    conversation('f', 60, { state: 'snoozed', snoozedUntilMs: 150 }),
    // Of a server of the version before.
    conversation('g', 70),
  ],
})
const keys = (tab: Parameters<typeof threadsOf>[1], nowMs = 100) => threadsOf(chat, tab, nowMs).map(({ key }) => key)

test('each tab has its threads in the order in which they are worked on', () => {
  expect(keys('waiting')).toEqual(['b', 'a'])
  expect(keys('mine')).toEqual(['g', 'c', 'b', 'a'])
  expect(keys('snoozed')).toEqual(['f', 'e'])
  expect(keys('done')).toEqual(['d'])
  expect(keys('others')).toEqual([])
})

test('a filter shows those with a tag or about a topic', () => {
  const filtered = reduceChat(chat, {
    is: 'conversations-received',
    conversations: [conversation('h', 80, { tags: ['gấp', 'bet'] }), conversation('i', 90, { topic: 'bet' })],
  })
  const by = (filter: string) => threadsOf(filtered, 'mine', 100, filter).map(({ key }) => key)
  expect([by('tag:gấp'), by('tag:bet'), by('topic:bet'), by('topic:other')]).toEqual([['h'], ['h'], ['i'], []])
})

test('a snoozed one comes back at its time, and waits since its first message', () => {
  expect(openingsOf(chat)).toEqual([150, 200])
  expect(keys('waiting', 200)).toEqual(['e', 'b', 'a'])
  expect(keys('mine', 150)).toEqual(['g', 'f', 'c', 'b', 'a'])
  const snoozed = chat.threads['e']?.conversation?.desk
  expect([waitingSinceMs(snoozed, 199), waitingSinceMs(snoozed, 200)]).toEqual([null, 4])
})

test('times to open again are ahead, in the morning of Vietnam', () => {
  const choices = (at: string) =>
    snoozeChoices(Date.parse(at)).map(({ id, atMs }) => [id, new Date(atMs).toISOString().slice(0, 16)])
  // A Thursday, half past five in the afternoon.
  expect(choices('2026-11-26T10:30:00Z')).toEqual([
    ['hour', '2026-11-26T11:30'],
    ['hours', '2026-11-26T13:30'],
    ['tomorrow', '2026-11-27T01:00'],
    ['monday', '2026-11-30T01:00'],
  ])
  // A Sunday: tomorrow is Monday.
  expect(choices('2026-11-29T10:30:00Z').map(([id]) => id)).toEqual(['hour', 'hours', 'tomorrow'])
  // A Monday in Vietnam, still Sunday by UTC.
  expect(choices('2026-11-29T18:00:00Z').at(-1)).toEqual(['monday', '2026-12-07T01:00'])
})
