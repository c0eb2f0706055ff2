import { expect, test } from 'vitest'
import { totalUnread } from '#domain/chat/timeline.ts'
import { type FakePage, openPage, settle } from './fake-chat.ts'

/** Three messages of the other side have come. */
async function withThree(): Promise<FakePage> {
  const page = await openPage()
  for (const content of ['a', 'b', 'c']) page.server.emit('receive_message', page.server.write(content))
  expect(unread(page)).toBe(3)
  return page
}
const unread = ({ session }: FakePage): number => totalUnread(session.snapshot().chat)
const marked = ({ server }: FakePage) => server.sent('mark_as_read').map(({ messageId }) => messageId)

test('a marker is shown at once and sent once', async () => {
  const page = await withThree()
  page.session.markRead('c1', 3)
  expect(unread(page)).toBe(0)
  await page.clock.advance(60_000)
  expect([marked(page), page.server.readSeq()]).toEqual([['m3'], 3])
})

test('a marker that was lost is sent again until it is acknowledged', async () => {
  const page = await withThree()
  page.server.fate('mark_as_read', 'lost', { code: 'DATABASE_AWAY' }, 'answer lost')
  page.session.markRead('c1', 3)
  await settle()
  expect([unread(page), page.server.readSeq()]).toEqual([0, 0])
  await page.clock.advance(60_000)
  expect([marked(page), page.server.readSeq()]).toEqual([['m3', 'm3', 'm3', 'm3'], 3])
})

test('a marker of the time without a connection is sent when it is back', async () => {
  const page = await withThree()
  page.server.disconnect()
  page.session.markRead('c1', 2)
  await page.clock.advance(10_000)
  expect([marked(page), unread(page)]).toEqual([[], 1])
  page.server.connect()
  await settle()
  expect([marked(page), page.server.readSeq(), unread(page)]).toEqual([['m2'], 2, 1])
})

test('it never goes backwards, and one that is read already is not sent', async () => {
  const page = await withThree()
  page.session.markRead('c1', 3)
  page.session.markRead('c1', 1)
  page.session.markRead('c1', 3)
  // A row that the list does not have yet.
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

test('one at a time: while one is under way only the newest of the later ones is sent after it', async () => {
  const page = await withThree()
  for (const seq of [1, 2, 3]) page.session.markRead('c1', seq)
  expect(marked(page)).toEqual(['m1'])
  await page.clock.advance(10_000)
  expect([marked(page), page.server.readSeq()]).toEqual([['m1', 'm3'], 3])
})

test('a marker that is refused for good is given up', async () => {
  const page = await withThree()
  page.server.fate('mark_as_read', { code: 'CONVERSATION_NOT_FOUND' })
  page.session.markRead('c1', 3)
  await page.clock.advance(60_000)
  page.server.disconnect()
  page.server.connect()
  await page.clock.advance(60_000)
  expect(marked(page)).toEqual(['m3'])
})

test('what another device has read is read here too', async () => {
  const page = await withThree()
  const read = { conversationId: 'c1', messageId: 'm2', readSeq: 2, atMs: 1 }
  page.server.emit('message_read', { ...read, readerId: 'an', unreadCount: 1, lastSeq: 3 })
  expect([unread(page), marked(page)]).toEqual([1, []])
  page.server.emit('message_read', { ...read, readerId: 'staff' })
  expect(page.thread().markers).toEqual({ an: 2, staff: 2 })
})
