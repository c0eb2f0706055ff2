import { afterEach, expect, test } from 'vitest'
import type { ChatMessage, Quote } from '#domain/chat/conversation.ts'
import { colleague, type FakePage, openPage, settle, staff } from '#web/testing/fake-chat.ts'

const pages: FakePage[] = []
afterEach(() => {
  for (const { session } of pages.splice(0)) session.end()
})

const quoted: Quote = { seq: 1, username: 'staff', kind: 'text', text: 'một' }
const first = { id: 'm1', content: 'một', quoted }

/** The conversation with a message of staff, opened. */
async function open(): Promise<FakePage> {
  const page = await openPage()
  pages.push(page)
  page.server.emit('receive_message', page.server.write('một'))
  page.session.openThread('c1')
  await settle()
  return page
}

test('a change is shown as it is told, and after a reconnect also one that was not', async () => {
  const page = await open()
  page.server.emit('message_changed', page.server.change(1, 'hai'))
  expect(page.contents()).toEqual(['hai'])
  page.server.disconnect()
  page.server.change(1, 'ba')
  page.server.write('bốn')
  expect(page.contents()).toEqual(['hai'])
  page.server.connect()
  await settle()
  expect(page.contents()).toEqual(['ba', 'bốn'])
})

test('an answer names its message, also when it is sent again after a refusal and a reload', async () => {
  const page = await open()
  page.server.fate('send_message', { code: 'MESSAGE_INVALID' })
  page.session.pick({ is: 'answer', ...first })
  page.session.sendText('c1', 'vâng')
  await settle()
  expect(page.session.snapshot().picked).toBeNull()
  const reloaded = await openPage({ server: page.server, device: page.device })
  pages.push(reloaded)
  const [failed] = reloaded.thread().pending
  expect(failed).toMatchObject({ content: 'vâng', state: 'failed', quoted: { ...quoted, id: 'm1' } })
  await reloaded.session.sendAgain('c1', failed?.clientMessageId ?? '')
  await settle()
  reloaded.session.sendText('c1', 'không trả lời ai')
  await settle()
  expect(reloaded.server.sent('send_message').map(({ quotedMessageId }) => quotedMessageId)).toEqual(['m1', 'm1', null])
})

test('an edit is let go once it is stored, and stays with its reason where it is refused', async () => {
  const page = await open()
  page.session.pick({ is: 'edit', ...first })
  const picked = page.session.snapshot().picked
  const { editMessage } = page.server.api
  page.server.api.editMessage = () => Promise.reject(new Error('away'))
  await page.session.saveEdit('hai')
  expect(page.session.snapshot()).toMatchObject({ picked, alert: { text: expect.stringContaining('Không thể sửa') } })
  page.server.api.editMessage = editMessage
  await page.session.saveEdit('hai')
  expect(page.contents()).toEqual(['hai'])
  expect(page.session.snapshot()).toMatchObject({ picked: null, alert: null })
})

test('what was picked does not outlive the choice of another person, and answers nobody else', async () => {
  const page = await open()
  page.session.pick({ is: 'answer', ...first })
  page.session.openWith({ ...staff, id: 'colleague', username: 'colleague' })
  expect(page.session.snapshot().picked).toBeNull()
  page.session.openThread('c1')
  page.session.sendText('c1', 'xin chào')
  await settle()
  expect(page.server.sent('send_message').map(({ quotedMessageId }) => quotedMessageId)).toEqual([null])
})

test('a new text of a message counts as unsent until it is saved or given up, also while another thread is open', async () => {
  const page = await open()
  const edit = (content: string) => {
    page.session.openThread('c1')
    page.session.pick({ is: 'edit', ...first })
    page.session.keepEdit(content)
    page.session.closeThread()
    return page.countOthers()
  }
  expect([edit('một'), edit('hai')]).toEqual([0, 1])
  page.session.openThread('c1')
  await page.session.saveEdit('hai')
  expect([page.countOthers(), edit('ba')]).toEqual([0, 1])
  page.session.openThread('c1')
  page.session.pick(null)
  // The message was edited elsewhere after its text was taken over here, unchanged.
  expect([page.countOthers(), edit('một'), edit('tư')]).toEqual([0, 0, 1])
  page.session.end()
  expect(page.countOthers()).toBe(0)
})

test('an edit that was begun and an answer go on in the conversation into which theirs was merged', async () => {
  const page = await open()
  const { session, server } = page
  const merge = (from: string, to: string) =>
    server.emit('conversation_changed', { ...page.thread(from).conversation!, id: to, mergedFrom: [from] })
  session.pick({ is: 'edit', ...first })
  session.keepEdit('hai')
  merge('c1', 'c2')
  expect(session.snapshot().picked).toMatchObject({ is: 'edit', id: 'm1', key: 'c2' })
  expect([session.editIn('c2'), session.editIn('c1')]).toEqual(['hai', undefined])
  // Also where another thread, or none, is open meanwhile.
  session.closeThread()
  merge('c2', 'c3')
  session.openThread('c3')
  expect([session.snapshot().picked?.key, session.editIn('c3')]).toEqual(['c3', 'hai'])
  session.pick({ is: 'answer', ...first })
  merge('c3', 'c4')
  session.sendText('c4', 'vâng')
  await settle()
  expect(server.sent('send_message')).toMatchObject([{ conversationId: 'c4', quotedMessageId: 'm1' }])
})

test('of two edits whose conversations are merged, the open one goes on with its own text', async () => {
  const page = await open()
  const { session, server } = page
  const known = page.thread().conversation!
  server.emit('conversation_created', { ...known, id: 'c0', participants: [known.participants[0], colleague] })
  session.pick({ is: 'edit', ...first })
  session.keepEdit('hai')
  session.openThread('c0')
  session.pick({ is: 'edit', ...first, id: 'm0' })
  session.keepEdit('của tin nhắn khác')
  session.openThread('c1')
  server.emit('conversation_changed', { ...known, id: 'c2', mergedFrom: ['c0', 'c1'] })
  expect(session.snapshot().picked).toMatchObject({ id: 'm1', key: 'c2' })
  expect(session.editIn('c2')).toBe('hai')
})

test('an edit counts as unsent also before its merged conversation is loaded, and not once it is saved', async () => {
  const page = await open()
  const { session, server } = page
  server.api.loadMessages = () => new Promise(() => {})
  const answer = Promise.withResolvers<ChatMessage>()
  server.api.editMessage = () => answer.promise
  session.pick({ is: 'edit', ...first })
  session.keepEdit('hai')
  const saving = session.saveEdit('hai')
  server.emit('conversation_changed', { ...page.thread().conversation!, id: 'c2', mergedFrom: ['c1'] })
  expect([session.editIn('c2'), page.countOthers()]).toEqual(['hai', 1])
  answer.resolve({ ...server.change(1, 'hai'), conversationId: 'c2' })
  await saving
  expect([session.editIn('c2'), page.countOthers(), session.snapshot().picked]).toEqual([undefined, 0, null])
})
