import { expect, test, vi } from 'vitest'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { draftKey } from '#domain/chat/thread.ts'
import { ApiError } from '#web/platform/http.ts'
import { chatTexts } from './chat-texts.ts'
import { fileTexts } from './file-texts.ts'
import { an, colleague, createFakeServer, type FakePage, openPage, settle } from '#web/testing/fake-chat.ts'

const idsOf = ({ server }: FakePage) => server.sent('send_message').map(({ clientMessageId }) => clientMessageId)
const stored = ({ server }: FakePage) => server.messages.map(({ content }) => content)
const picture = new File(['bytes'], 'a.png', { type: 'image/png' })

test('a text is shown as sending, sent once, confirmed, and then removed from the device', async () => {
  const page = await openPage()
  expect(page.session.sendText('c1', '  Xin chào  ')).toBe(true)
  expect(page.thread().pending).toMatchObject([{ content: 'Xin chào', state: 'sending' }])
  await settle()
  expect([page.thread().pending, page.contents(), stored(page)]).toEqual([[], ['Xin chào'], ['Xin chào']])
  expect(page.device.size).toBe(0)
  expect(page.session.sendText('c1', '   ')).toBe(false)
  expect(idsOf(page)).toHaveLength(1)
})

test.each(['lost', 'answer lost'] as const)(
  'after "%s" a message is resent under the same id, and stored once',
  async (fate) => {
    const page = await openPage()
    page.server.fate('send_message', fate, fate)
    page.session.sendText('c1', 'a')
    await page.clock.advance(60_000)
    expect([stored(page), page.contents(), page.thread().pending]).toEqual([['a'], ['a'], []])
    expect([idsOf(page).length, new Set(idsOf(page)).size]).toEqual([3, 1])
  },
)

test('the event and the acknowledgement of a message, each twice, make one message', async () => {
  const page = await openPage()
  page.session.sendText('c1', 'a')
  await settle()
  const [message] = page.server.messages
  if (message === undefined) throw new Error('nothing was stored')
  for (let n = 0; n < 2; n++) page.server.emit('message_sent', { message, clientMessageId: message.clientMessageId })
  page.server.emit('receive_message', message)
  expect([page.contents(), page.received]).toEqual([['a'], []])
})

test('messages to one person keep their order while the first one is lost', async () => {
  const page = await openPage()
  page.server.fate('send_message', 'lost', 'answer lost', 'lost')
  for (const text of ['1', '2', '3']) page.session.sendText('c1', text)
  await page.clock.advance(60_000)
  expect(stored(page)).toEqual(['1', '2', '3'])
})

test('a Retry-After of the server is respected', async () => {
  const page = await openPage()
  page.server.fate('send_message', { code: 'SENDING_TOO_FAST', retryAfterMs: 4_000 })
  page.session.sendText('c1', 'a')
  await page.clock.advance(3_900)
  expect(stored(page)).toEqual([])
  await page.clock.advance(100)
  expect(stored(page)).toEqual(['a'])
})

test('a message that is refused permanently fails with the reason, can be resent under a new id, and can be discarded', async () => {
  const page = await openPage()
  page.server.fate('send_message', { code: 'MESSAGE_INVALID' }, { code: 'MESSAGE_INVALID' })
  page.session.sendText('c1', 'a')
  await page.clock.advance(60_000)
  expect(page.thread().pending).toMatchObject([{ state: 'failed', reason: 'Không được' }])
  expect(page.session.snapshot().alert?.text).toBe(chatTexts.serverError('Không được'))
  expect(page.device.size).toBe(1)
  const failed = () => page.thread().pending[0]?.clientMessageId ?? ''

  await page.session.sendAgain('c1', failed())
  await settle()
  expect([page.thread().pending[0]?.state, page.device.size, new Set(idsOf(page)).size]).toEqual(['failed', 1, 2])
  await page.session.sendAgain('c1', failed())
  await settle()
  expect([stored(page), page.thread().pending, page.device.size]).toEqual([['a'], [], 0])

  page.server.fate('send_message', { code: 'MESSAGE_INVALID' })
  page.session.sendText('c1', 'b')
  await settle()
  page.session.discard(failed())
  await settle()
  expect([page.thread().pending, page.device.size, stored(page)]).toEqual([[], 0, ['a']])
})

test('without a connection no message is accepted, and an error is shown', async () => {
  const page = await openPage()
  page.server.disconnect()
  expect([page.session.sendText('c1', 'a'), page.session.sendFile('c1', picture)]).toEqual([false, false])
  expect(page.session.snapshot().alert?.text).toBe(chatTexts.connectionLost)
  expect(page.thread().pending).toEqual([])
})

test('a message whose connection is lost is resent under the same id after the reconnect', async () => {
  const page = await openPage()
  page.server.fate('send_message', 'answer lost')
  page.session.sendText('c1', 'a')
  page.server.disconnect()
  await page.clock.advance(60_000)
  expect(page.thread().pending).toHaveLength(1)
  page.server.connect()
  await page.clock.advance(60_000)
  expect([stored(page), page.contents(), page.thread().pending]).toEqual([['a'], ['a'], []])
})

test('after a reload an unacknowledged message is resent under its old id, and a failed one stays failed', async () => {
  const page = await openPage()
  page.server.fate('send_message', { code: 'MESSAGE_INVALID' }, 'answer lost')
  page.session.sendText('c1', 'failed')
  await settle()
  page.session.sendText('c1', 'a')
  page.session.sendText('c1', 'b')
  await settle()
  page.session.end()
  const again = await openPage({ server: page.server, device: page.device })
  await again.clock.advance(60_000)
  expect(stored(again)).toEqual(['a', 'b'])
  expect(again.thread().pending).toMatchObject([{ content: 'failed', state: 'failed' }])
  expect(new Set(idsOf(again)).size).toBe(3)
  expect(again.device.size).toBe(1)
})

test('the first message of a draft creates the conversation, which replaces the open draft, also after a reload', async () => {
  const server = createFakeServer()
  server.withoutConversation()
  const page = await openPage({ server })
  const [staff] = page.session.snapshot().users ?? []
  if (staff === undefined) throw new Error('nobody to write to')
  page.session.openWith(staff)
  server.fate('send_message', 'lost')
  page.session.sendText('new_staff', 'a')
  await settle()
  page.session.end()
  const again = await openPage({ server, device: page.device })
  expect(again.session.snapshot().chat.openKey).toBeNull()
  again.session.openWith(staff)
  await again.clock.advance(60_000)
  expect(server.sent('send_message')[1]).toMatchObject({ receiverId: 'staff' })
  expect([again.session.snapshot().chat.openKey, again.contents(), stored(again)]).toEqual(['c1', ['a'], ['a']])
})

test('what is typed after a message to customer care follows it to the conversation of the admin who answers', async () => {
  // The server takes a message to whoever is free to the latest conversation whose admin still answers.
  const page = await openPage()
  const care = { ...CARE_DESK, isOnline: true, lastSeenAtMs: null }
  page.session.openWith(care)
  const key = page.session.snapshot().chat.openKey ?? ''
  page.session.sendText(key, 'một')
  page.session.keepTyped(key, 'hai')
  await page.session.attach(key, picture)
  await settle()
  const { chat, attached } = page.session.snapshot()
  expect([key, chat.openKey, page.session.typedIn('c1'), page.session.typedIn(key)]).toEqual([
    draftKey(CARE_DESK.id),
    'c1',
    'hai',
    '',
  ])
  expect(Object.keys(attached)).toEqual(['c1'])

  // The next draft to customer care becomes a conversation of its own, and what was typed is there.
  page.session.openWith(care)
  page.session.keepTyped(key, 'ba')
  page.session.openThread('c1')
  const { conversation } = page.thread()
  if (conversation === null) throw new Error('There is no conversation')
  page.server.emit('conversation_created', { ...conversation, id: 'c9', participants: [an, care] })
  expect([page.session.typedIn('c1'), page.session.typedIn('c9')]).toEqual(['hai', 'ba'])
})

test('the holder is gone: the texts are kept for the admin who is chosen instead', async () => {
  const page = await openPage()
  page.server.fate('send_message', { code: 'HOLDER_GONE' }, { code: 'HOLDER_GONE' })
  page.session.sendText('c1', 'một')
  page.session.sendText('c1', 'hai')
  await settle()
  expect([page.session.snapshot().unanswered, page.session.typedIn('c1')]).toEqual(['c1', 'một\nhai'])
  expect([page.thread().pending, page.device.size, page.drafts.size]).toEqual([[], 0, 1])
  page.session.openThread('c1')
  page.session.takeElsewhere(colleague)
  expect(page.session.typedIn('c1')).toBe('')
  expect(page.session.typedIn('new_colleague')).toBe('một\nhai')
  expect(page.session.snapshot()).toMatchObject({ unanswered: null, chat: { openKey: 'new_colleague' } })
})

test('the holder is gone until the conversation says that somebody answers again', async () => {
  const page = await openPage()
  const [conversation] = await page.server.api.loadConversations()
  page.server.fate('send_message', { code: 'HOLDER_GONE' })
  page.session.sendText('c1', 'một')
  await settle()
  page.server.emit('conversation_changed', { ...conversation!, isActive: false })
  expect(page.session.snapshot().unanswered).toBe('c1')
  page.server.emit('conversation_changed', { ...conversation!, participants: [an, colleague] })
  expect(page.session.snapshot().unanswered).toBeNull()
})

test('an image is uploaded first with its progress on screen, then sent by its address', async () => {
  const page = await openPage()
  let answer = (): void => {}
  page.server.api.sendFile = async (_file, onProgress) => {
    onProgress(0.5)
    await new Promise<void>((resolve) => (answer = resolve))
    return { url: '/api/v1/files/a.png' }
  }
  expect(page.session.sendFile('c1', picture)).toBe(true)
  await settle()
  const id = page.thread().pending[0]?.clientMessageId ?? ''
  expect(page.session.snapshot().uploads[id]).toMatchObject({ share: 0.5, previewUrl: expect.stringMatching(/^blob:/) })
  answer()
  await settle()
  expect(page.server.sent('send_message')).toMatchObject([{ kind: 'image', content: '/api/v1/files/a.png' }])
  expect([page.thread().pending, page.device.size]).toEqual([[], 0])
})

test('a file is uploaded once, however often its message has to be sent again, and anew under a new id or after a day', async () => {
  const page = await openPage()
  const sendFile = vi.fn(async () => ({ url: '/api/v1/files/a.png' }))
  page.server.api.sendFile = sendFile
  page.server.fate('send_message', { code: 'SENDING_TOO_FAST' }, 'lost', 'lost', { code: 'IMAGE_NOT_YOURS' })
  page.session.sendFile('c1', picture)
  await page.clock.advance(4_000)
  page.server.disconnect()
  page.server.connect()
  await page.clock.advance(60_000)
  expect(page.server.sent('send_message').map(({ content }) => content)).toEqual(Array(4).fill('/api/v1/files/a.png'))
  expect([sendFile.mock.calls.length, page.thread().pending[0]?.state]).toEqual([1, 'failed'])
  await page.session.sendAgain('c1', page.thread().pending[0]?.clientMessageId ?? '')
  await settle()
  expect([sendFile.mock.calls.length, stored(page)]).toEqual([2, ['/api/v1/files/a.png']])
  // The server has deleted by then what it got before the device slept.
  page.server.fate('send_message', 'lost')
  page.session.sendFile('c1', picture)
  await settle()
  page.server.disconnect()
  await page.clock.advance(24 * 60 * 60_000)
  expect(sendFile).toHaveBeenCalledTimes(3)
  page.server.connect()
  await settle()
  expect([sendFile.mock.calls.length, page.thread().pending]).toEqual([4, []])
})

test('a temporary upload failure is retried at most 4 times, and then the message fails', async () => {
  const page = await openPage()
  const sendFile = vi.fn<() => Promise<never>>(() =>
    Promise.reject(new ApiError({ status: 503, code: 'IMAGES_WAITING', message: 'Đợi', retryAfterMs: 1_000 })),
  )
  page.server.api.sendFile = sendFile
  page.session.sendFile('c1', picture)
  await page.clock.advance(60_000)
  expect(sendFile).toHaveBeenCalledTimes(4)
  expect(page.thread().pending).toMatchObject([{ kind: 'image', state: 'failed', reason: 'Đợi' }])
  // The picture is still stored, so it can be sent again.
  page.server.api.sendFile = async () => ({ url: '/api/v1/files/b.png' })
  await page.session.sendAgain('c1', page.thread().pending[0]?.clientMessageId ?? '')
  await settle()
  expect(page.contents()).toEqual(['/api/v1/files/b.png'])
})

test('a file of another kind, or one that is too large, is refused before it is attached', async () => {
  const page = await openPage()
  await page.session.attach('c1', new File(['x'], 'a.txt', { type: 'text/plain' }))
  expect(page.session.snapshot().alert?.text).toBe(fileTexts.imageTypeRefused)
  const large = new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'a.png', { type: 'image/png' })
  await page.session.attach('c1', large)
  expect(page.session.snapshot().alert?.text).toBe(fileTexts.tooLarge)
  await page.session.attach('c1', new File([large], 'a.pdf', { type: 'application/pdf' }))
  expect([page.session.snapshot().attached, page.thread().pending]).toEqual([{}, []])
})

const statement = new File(['%PDF-1.7'], 'so\u202Efdp.exe', { type: 'application/pdf' })
const storedPdf = { url: '/api/v1/files/a.pdf' }

test('a PDF is sent by its address under its clean name, waits on the device as a picture does, and is a text meanwhile', async () => {
  const page = await openPage()
  page.server.disconnect()
  await page.session.attach('c1', statement)
  const { file } = page.session.snapshot().attached['c1'] ?? {}
  if (file === undefined) throw new Error('nothing was attached')
  expect([file.name, page.session.sendFile('c1', file)]).toEqual(['sofdp.exe.pdf', false])
  page.server.connect()
  page.server.fate('send_message', 'answer lost', 'lost')
  const uploaded: string[] = []
  page.server.api.sendFile = async (sent) => {
    uploaded.push(await sent.text())
    return storedPdf
  }
  expect(page.session.sendFile('c1', file)).toBe(true)
  expect(page.thread().pending).toMatchObject([
    { kind: 'text', content: '[tệp: sofdp.exe.pdf]', fileFacts: { url: '', name: 'sofdp.exe.pdf', bytes: 8 } },
  ])
  await settle()
  page.session.end()
  const again = await openPage({ server: page.server, device: page.device })
  await again.clock.advance(60_000)
  const sent = page.server.sent('send_message').map(({ kind, content }) => [kind, content])
  expect(new Set(sent.map(String))).toEqual(new Set(['file,/api/v1/files/a.pdf']))
  expect([stored(again), again.thread().pending, new Set(uploaded)]).toEqual([
    ['[tệp: a.pdf]'],
    [],
    new Set(['%PDF-1.7']),
  ])
})

test('a PDF that can’t be sent stays as failed: where the holder is gone, too, and its name becomes no text', async () => {
  const page = await openPage()
  page.server.api.sendFile = () => Promise.reject(new ApiError({ status: 422, code: 'PDF_BROKEN', message: 'Hỏng' }))
  page.session.sendFile('c1', new File(['x'], 'a.pdf', { type: 'application/pdf' }))
  await settle()
  expect(page.thread().pending).toMatchObject([{ state: 'failed', reason: 'Hỏng' }])
  expect(page.session.snapshot().alert?.text).toBe('Hỏng')
  page.server.api.sendFile = async () => storedPdf
  page.server.fate('send_message', { code: 'HOLDER_GONE' })
  await page.session.sendAgain('c1', page.thread().pending[0]?.clientMessageId ?? '')
  await settle()
  expect([page.thread().pending[0]?.state, page.session.typedIn('c1')]).toEqual(['failed', ''])
  expect(page.session.snapshot().unanswered).toBe('c1')
})

test('a message is sent once where its conversation was merged, before the page knows of it', async () => {
  const page = await openPage()
  const { server, session } = page
  // What is sent to c0 the server stores in c1, as it does what is sent to an id of before a merge.
  session.receiveConversations([{ ...page.thread().conversation!, id: 'c0' }])
  session.sendText('c0', 'một')
  await settle()
  expect(server.sent('send_message')).toHaveLength(1)
  expect([page.thread('c0').pending, page.contents()]).toEqual([[], ['một']])
})
