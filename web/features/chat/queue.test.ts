import { expect, test } from 'vitest'
import { CARE_DESK, type ChatUser, type Conversation } from '#domain/chat/conversation.ts'
import { unreadOf } from '#domain/chat/thread.ts'
import { threadsOf } from './desk.ts'
import { colleague, createFakeServer, openPage, settle, staff } from '#web/testing/fake-chat.ts'

const desk: ChatUser = { ...CARE_DESK, isOnline: false, lastSeenAtMs: null }
const an: ChatUser = { ...staff, id: 'p1', username: 'lan', role: 'player' }

const heldBy = (holder: ChatUser, id = 'q1'): Conversation => ({
  ...{ id, participants: [an, holder], lastMessage: null, lastSeq: 1, lastActivityAtMs: 1, createdAtMs: 1 },
  ...{ updatedAtMs: 1, isActive: true, unreadCount: 0, readSeq: 0, peerReadSeq: 0, hiddenThroughSeq: -1 },
  desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: 1 },
})

/** A page of staff, with a message of a player in the queue. */
async function openDesk() {
  const server = createFakeServer()
  server.withoutConversation()
  server.api.loadMessages = async () => ({ messages: [], hasMore: false })
  const page = await openPage({ server, self: staff })
  server.emit('conversation_created', heldBy(desk))
  const message = { ...server.write('Chào bạn'), conversationId: 'q1', sender: an }
  server.emit('receive_message', message)
  const keys = (tab: Parameters<typeof threadsOf>[1]) =>
    threadsOf(page.session.snapshot().chat, tab, 100).map(({ key }) => key)
  return { ...page, keys }
}

/** The connection is lost until the conversation has left this admin's list. */
async function missTaking(server: ReturnType<typeof createFakeServer>) {
  server.api.loadMissed = async () => ({
    ...{ conversations: [], messages: [], changed: [], markers: [], hasMore: false },
    gone: ['q1'],
  })
  server.disconnect()
  server.connect()
  await settle()
}

test('stands among those who wait alone, unread by nobody, and reading it tells its player nothing', async () => {
  const { session, server, keys, thread } = await openDesk()
  expect([keys('waiting'), keys('mine')]).toEqual([['q1'], []])
  expect(unreadOf(thread('q1'), staff.id)).toBe(0)
  session.openThread('q1')
  session.markRead('q1', 1)
  await settle()
  expect(server.sent('mark_as_read')).toEqual([])
  server.emit('conversation_changed', heldBy(staff))
  expect([keys('waiting'), keys('mine')]).toEqual([['q1'], ['q1']])
  // What was on screen before it was one's own is read now.
  await settle()
  expect(server.sent('mark_as_read')).toHaveLength(1)
  expect(unreadOf(thread('q1'), staff.id)).toBe(0)
})

test('is read to where it was seen, also where its reader looked further up before it was their own', async () => {
  const { session, server } = await openDesk()
  const second = { ...server.write('Còn đó không?'), conversationId: 'q1', sender: an }
  server.emit('receive_message', second)
  session.openThread('q1')
  session.markRead('q1', 2)
  session.markRead('q1', 1)
  server.emit('conversation_changed', heldBy(staff))
  await settle()
  expect(server.sent('mark_as_read').map(({ messageId }) => messageId)).toEqual([second.id])
})

test('leaves the list once a colleague took it; while it is open it stays, with what was not sent', async () => {
  const { session, server, keys, thread, device } = await openDesk()
  server.emit('conversation_created', heldBy(desk, 'q2'))
  server.emit('conversation_changed', heldBy(colleague, 'q2'))
  expect(session.snapshot().chat.threads['q2']).toBeUndefined()
  session.openThread('q1')
  server.fate('send_message', { code: 'HOLDER_CHANGED' })
  session.sendText('q1', 'Mình xem nhé')
  server.emit('conversation_changed', heldBy(colleague))
  await settle()
  expect(keys('waiting')).toEqual([])
  expect(thread('q1').pending).toMatchObject([{ state: 'failed', content: 'Mình xem nhé' }])
  expect(device.size).toBe(1)
  session.closeThread()
  expect(session.snapshot().chat.threads['q1']).toBeUndefined()
  expect(device.size).toBe(0)
})

test('an own one that a colleague claims goes the same way, also with a message under way', async () => {
  const { session, server, keys, thread, device, drafts } = await openDesk()
  server.emit('conversation_changed', heldBy(staff))
  server.fate('send_message', { code: 'HOLDER_CHANGED' })
  session.openThread('q1')
  session.sendText('q1', 'Mình xem nhé')
  session.keepTyped('q1', 'Còn nữa')
  server.emit('conversation_changed', heldBy(colleague))
  await settle()
  expect([keys('mine'), session.snapshot().chat.openKey, session.typedIn('q1')]).toEqual([[], 'q1', 'Còn nữa'])
  expect(thread('q1').pending).toMatchObject([{ state: 'failed', reason: 'Không được', content: 'Mình xem nhé' }])
  session.closeThread()
  expect([session.snapshot().chat.threads, device.size, drafts.size]).toEqual([{}, 0, 0])
})

test('one that a colleague took is left for another customer’s: what was typed does not follow there', async () => {
  const { session, server, keys, drafts } = await openDesk()
  server.emit('conversation_changed', heldBy(staff))
  server.emit('conversation_created', { ...heldBy(staff, 'q2'), participants: [{ ...an, id: 'p2' }, staff] })
  session.openThread('q1')
  session.keepTyped('q1', 'Còn nữa')
  server.emit('conversation_changed', heldBy(colleague))
  session.openThread('q2')
  await settle()
  expect([keys('mine'), session.typedIn('q1'), session.typedIn('q2'), drafts.size]).toEqual([['q2'], '', '', 0])
})

test('a refusal that comes once the conversation was left keeps nothing', async () => {
  const { session, server, device } = await openDesk()
  server.emit('conversation_changed', heldBy(staff))
  server.fate('send_message', { code: 'HOLDER_CHANGED' })
  const upload = Promise.withResolvers<{ url: string }>()
  server.api.sendFile = () => upload.promise
  session.sendFile('q1', new File(['bytes'], 'a.png', { type: 'image/png' }))
  await settle()
  server.emit('conversation_changed', heldBy(colleague))
  upload.resolve({ url: '/api/v1/files/a.png' })
  await settle()
  expect([server.sent('send_message').length, session.snapshot().chat.threads, device.size]).toEqual([1, {}, 0])
})

test('one that was handed over leaves nothing unsent behind', async () => {
  const { session, server, device, drafts } = await openDesk()
  server.emit('conversation_changed', heldBy(staff))
  server.fate('send_message', { code: 'MESSAGE_INVALID' })
  session.sendText('q1', 'Mình xem nhé')
  session.keepTyped('q1', 'Còn nữa')
  await settle()
  expect([device.size, drafts.size]).toEqual([1, 1])
  session.takeConversation(heldBy(colleague))
  expect([session.snapshot().chat.threads, device.size, drafts.size]).toEqual([{}, 0, 0])
})

test('is there again where it was handed over and put back, or was missed meanwhile', async () => {
  const { session, server, keys } = await openDesk()
  server.emit('conversation_changed', heldBy(staff))
  session.openThread('q1')
  session.takeConversation(heldBy(desk))
  expect([keys('waiting'), session.snapshot().chat.openKey]).toEqual([['q1'], null])
  session.takeConversation(heldBy(colleague))
  expect(keys('waiting')).toEqual([])
  server.emit('conversation_changed', heldBy(staff))
  expect(keys('mine')).toEqual(['q1'])
  await missTaking(server)
  expect(keys('mine')).toEqual([])
  server.emit('conversation_changed', heldBy(staff))
  expect(keys('mine')).toEqual(['q1'])
})

test('one that a colleague took while the connection was lost stays while it is open, with what was not sent', async () => {
  const { session, server, clock, keys, thread } = await openDesk()
  server.emit('conversation_changed', heldBy(staff))
  session.openThread('q1')
  server.fate('send_message', 'lost', { code: 'HOLDER_CHANGED' })
  session.sendText('q1', 'Mình xem nhé')
  server.api.loadConversation = async () => heldBy(colleague)
  await missTaking(server)
  await clock.advance(2_000)
  expect([keys('mine'), thread('q1').conversation?.participants[1]]).toEqual([[], colleague])
  expect(thread('q1').pending).toMatchObject([{ state: 'failed', content: 'Mình xem nhé' }])
  // One that the admin deleted on another device stays only as long as something is not sent there.
  server.emit('conversation_changed', heldBy(staff))
  server.api.loadConversation = async () => ({ ...heldBy(staff), hiddenThroughSeq: 1 })
  await missTaking(server)
  expect(thread('q1')).toMatchObject({ messages: [], pending: [{ content: 'Mình xem nhé' }] })
  session.discard(thread('q1').pending[0]?.clientMessageId ?? '')
  await missTaking(server)
  expect(session.snapshot().chat).toMatchObject({ threads: {}, openKey: null })
})

test('one that a colleague took while the connection was lost leaves nothing unsent behind where it was not open', async () => {
  const { session, server, device } = await openDesk()
  server.emit('conversation_changed', heldBy(staff))
  server.fate('send_message', { code: 'MESSAGE_INVALID' })
  session.sendText('q1', 'Mình xem nhé')
  await settle()
  expect(device.size).toBe(1)
  server.api.loadConversation = async () => heldBy(colleague)
  await missTaking(server)
  expect([session.snapshot().chat.threads, device.size]).toEqual([{}, 0])
})

test('a list that was read before a colleague took it, and comes after that, does not bring it back', async () => {
  const { session, server, keys } = await openDesk()
  const taken = (id: string) => ({ ...heldBy(colleague, id), updatedAtMs: 2 })
  // One that was on the desk, one that the list names first, and one of an own that was handed over here.
  server.emit('conversation_changed', taken('q1'))
  server.emit('conversation_changed', taken('q2'))
  session.receiveConversations([heldBy(staff, 'q3')])
  session.takeConversation(taken('q3'))
  session.receiveConversations([heldBy(desk, 'q1'), heldBy(desk, 'q2'), heldBy(staff, 'q3')])
  expect(keys('waiting')).toEqual([])
  // Put back later, it is there.
  const back = ['q1', 'q2', 'q3'].map((id) => ({ ...heldBy(desk, id), updatedAtMs: 3 }))
  session.receiveConversations(back)
  expect(keys('waiting')).toEqual(['q1', 'q2', 'q3'])
})

test('a list that was read before a merge, and comes after it, does not bring the conversations of before back', async () => {
  const { session, server } = await openDesk()
  const merged = (id: string, holder: ChatUser, mergedFrom: string[]) =>
    server.emit('conversation_changed', { ...heldBy(holder, id), lastSeq: 2, updatedAtMs: 2, mergedFrom })
  merged('q3', staff, ['q1', 'q2'])
  merged('q6', colleague, ['q4', 'q5'])
  session.receiveConversations(['q1', 'q2', 'q4', 'q5'].map((id) => heldBy(id === 'q2' ? staff : desk, id)))
  expect(Object.keys(session.snapshot().chat.threads)).toEqual(['q3'])
})
