import { expect, test } from 'vitest'
import { totalUnread } from '#domain/chat/timeline.ts'
import { type FakePage, openPage, settle } from '#web/testing/fake-chat.ts'

/** A page on which three messages of the other side have arrived. */
async function withThree(): Promise<FakePage> {
  const page = await openPage()
  for (const content of ['a', 'b', 'c']) page.server.emit('receive_message', page.server.write(content))
  expect(unread(page)).toBe(3)
  return page
}
const unread = ({ session }: FakePage): number => totalUnread(session.snapshot().chat)
const marked = ({ server }: FakePage) => server.sent('mark_as_read').map(({ messageId }) => messageId)

test('a read marker is shown at once and sent once', async () => {
  const page = await withThree()
  page.session.markRead('c1', 3)
  expect(unread(page)).toBe(0)
  await page.clock.advance(60_000)
  expect([marked(page), page.server.readSeq()]).toEqual([['m3'], 3])
})

test('a lost read marker is resent until it is acknowledged', async () => {
  const page = await withThree()
  page.server.fate('mark_as_read', 'lost', { code: 'DATABASE_AWAY' }, 'answer lost')
  page.session.markRead('c1', 3)
  await settle()
  expect([unread(page), page.server.readSeq()]).toEqual([0, 0])
  await page.clock.advance(60_000)
  expect([marked(page), page.server.readSeq()]).toEqual([['m3', 'm3', 'm3', 'm3'], 3])
})

test('a read marker set while disconnected is sent after the reconnect', async () => {
  const page = await withThree()
  page.server.disconnect()
  page.session.markRead('c1', 2)
  await page.clock.advance(10_000)
  expect([marked(page), unread(page)]).toEqual([[], 1])
  page.server.connect()
  await settle()
  expect([marked(page), page.server.readSeq(), unread(page)]).toEqual([['m2'], 2, 1])
})

test('a read marker never moves backwards, and a repeated one is not sent', async () => {
  const page = await withThree()
  page.session.markRead('c1', 3)
  page.session.markRead('c1', 1)
  page.session.markRead('c1', 3)
  // A seq that the list does not contain yet.
  page.session.markRead('c1', 4)
  await page.clock.advance(10_000)
  expect(marked(page)).toEqual(['m3'])
  page.server.emit('message_read', {
    conversationId: 'c1',
    readerId: 'an',
    messageId: 'm1',
    readSeq: 1,
    atMs: 1,
    unreadCount: 2,
    lastSeq: 3,
  })
  expect([page.thread().markers['an'], unread(page)]).toEqual([3, 0])
})

test('only one read marker is under way; of the later ones only the newest is sent after it', async () => {
  const page = await withThree()
  for (const seq of [1, 2, 3]) page.session.markRead('c1', seq)
  expect(marked(page)).toEqual(['m1'])
  await page.clock.advance(10_000)
  expect([marked(page), page.server.readSeq()]).toEqual([['m1', 'm3'], 3])
})

test('a read marker that is refused permanently is dropped', async () => {
  const page = await withThree()
  page.server.fate('mark_as_read', { code: 'CONVERSATION_NOT_FOUND' })
  page.session.markRead('c1', 3)
  await page.clock.advance(60_000)
  page.server.disconnect()
  page.server.connect()
  await page.clock.advance(60_000)
  expect(marked(page)).toEqual(['m3'])
})

test('messages read on another device are read here too', async () => {
  const page = await withThree()
  const read = { conversationId: 'c1', messageId: 'm2', readSeq: 2, atMs: 1 }
  page.server.emit('message_read', { ...read, readerId: 'an', unreadCount: 1, lastSeq: 3 })
  expect([unread(page), marked(page)]).toEqual([1, []])
  page.server.emit('message_read', { ...read, readerId: 'staff' })
  expect(page.thread().markers).toEqual({ an: 2, staff: 2 })
})
