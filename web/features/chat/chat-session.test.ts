import { expect, test, vi } from 'vitest'
import { listThreads } from '#domain/chat/timeline.ts'
import { noteDraft } from './drafts.ts'
import { createFakeServer, type Device, openPage, settle, staff } from '#web/testing/fake-chat.ts'

test('a session that has ended receives, sends, stores and shows nothing more', async () => {
  const page = await openPage()
  let draws = 0
  page.session.openThread('c1')
  page.session.subscribe(() => (draws += 1))
  page.server.emit('receive_message', page.server.write('a'))
  page.server.fate('send_message', 'lost')
  page.server.fate('mark_as_read', 'lost')
  page.session.markRead('c1', 1)
  page.session.noteTyping('c1')
  page.session.sendText('c1', 'b')
  page.session.keepTyped('c1', 'half a sentence')
  await settle()
  expect(page.clock.timers()).toBeGreaterThan(0)

  page.session.end()
  const before = { draws, snapshot: page.session.snapshot(), kept: [...page.device] }
  const sent = () =>
    (['send_message', 'mark_as_read', 'typing_stop'] as const).map((name) => page.server.sent(name).length)
  const sentBefore = sent()
  expect([page.server.listeners(), page.clock.timers(), page.server.joined.size]).toEqual([0, 0, 0])
  page.server.emit('receive_message', page.server.write('c'))
  page.server.disconnect()
  page.server.connect()
  await page.clock.advance(60_000)
  expect({ draws, snapshot: page.session.snapshot(), kept: [...page.device] }).toEqual(before)
  expect([sent(), page.session.typedIn('c1')]).toEqual([sentBefore, ''])
})

test('answers that arrive after the end change nothing', async () => {
  const page = await openPage()
  page.server.disconnect()
  page.server.write('a')
  let answer = (): void => {}
  const { loadMissed } = page.server.api
  page.server.api.loadMissed = async (known) => {
    await new Promise<void>((resolve) => (answer = resolve))
    return loadMissed(known)
  }
  page.server.connect()
  const messages = Promise.withResolvers<never>()
  page.server.api.loadMessages = () => messages.promise
  page.session.openThread('c1')
  const upload = Promise.withResolvers<never>()
  page.server.api.sendFile = () => upload.promise
  page.session.sendFile('c1', new File(['x'], 'a.png', { type: 'image/png' }))
  await settle()
  page.session.end()
  const before = { kept: [...page.device], snapshot: page.session.snapshot() }
  answer()
  upload.reject(new Error('cut'))
  messages.reject(new Error('cut'))
  await settle()
  expect({ kept: [...page.device], snapshot: page.session.snapshot() }).toEqual(before)
})

test('two users in turn on one device: the second neither sees nor sends messages of the first', async () => {
  const device: Device = new Map()
  const first = await openPage({ device })
  first.server.fate('send_message', 'lost')
  first.session.sendText('c1', 'of an')
  await settle()
  first.session.end()
  device.set('other/1', { id: '1' })
  const [kept] = [...device.keys()]
  const next = await openPage({
    server: createFakeServer(),
    device: new Map([...device].filter(([key]) => key === kept)),
  })
  await next.clock.advance(10_000)
  // The same user finds the message again; another user's message stays stored.
  expect(next.server.messages.map(({ content }) => content)).toEqual(['of an'])
  expect(device.has('other/1')).toBe(true)
})

test('the lists wait for what this device has kept, so that a field opens with its text, but not for ever', async () => {
  const first = await openPage()
  first.session.keepTyped('c1', 'half a sentence')
  first.session.end()
  const read = Promise.withResolvers<void>()
  const next = await openPage({ drafts: first.drafts, read: read.promise })
  const seen = ({ session }: typeof next) => [session.snapshot().hasConversations, session.typedIn('c1')]
  expect(seen(next)).toEqual([false, ''])
  read.resolve()
  await settle()
  expect(seen(next)).toEqual([true, 'half a sentence'])
})

test('what a slow device answers later is sent as well, and stands behind what was typed meanwhile', async () => {
  const first = await openPage()
  first.server.fate('send_message', 'lost')
  first.session.sendText('c1', 'unsent')
  first.session.keepTyped('c1', 'half a sentence')
  await settle()
  first.session.end()
  const read = Promise.withResolvers<void>()
  const next = await openPage({ device: first.device, drafts: first.drafts, read: read.promise })
  const isLoaded = () => next.session.snapshot().hasConversations
  expect(isLoaded()).toBe(false)
  await next.clock.advance(2_000)
  expect([isLoaded(), next.session.typedIn('c1')]).toEqual([true, ''])
  next.session.keepTyped('c1', 'a newer one')
  read.resolve()
  await settle()
  expect(next.server.messages.map(({ content }) => content)).toEqual(['unsent'])
  expect(next.session.typedIn('c1')).toBe('a newer one')
})

test('events: presence, a conversation created, changed or deleted elsewhere, and which messages make a sound', async () => {
  const page = await openPage()
  const { chat } = page.session.snapshot()
  expect(chat.presence['staff']).toEqual({ isOnline: true, lastSeenAtMs: null })
  page.server.emit('user_offline', { userId: 'staff', lastSeenAtMs: 5 })
  expect(page.session.snapshot().chat.presence['staff']).toEqual({ isOnline: false, lastSeenAtMs: 5 })
  page.server.emit('receive_message', page.server.write('a'))
  expect(page.received).toHaveLength(1)
  page.server.emit('conversation_removed', { conversationId: 'c1', throughSeq: 1 })
  expect(page.session.snapshot().chat.threads).toEqual({})
  const [conversation] = await page.server.api.loadConversations()
  if (conversation === undefined) throw new Error('there is no conversation')
  page.server.emit('conversation_changed', { ...conversation, id: 'c2', participants: [staff, staff] })
  expect(page.session.snapshot().chat.threads).toEqual({})
  page.server.emit('conversation_created', { ...conversation, id: 'c3' })
  expect(Object.keys(page.session.snapshot().chat.threads)).toEqual(['c3'])
})

test('a deleted conversation does not come back because its holder or state changes, also on a page opened later', async () => {
  const { server, session, thread } = await openPage()
  server.emit('receive_message', server.write('a'))
  const deleted = { ...thread().conversation!, lastSeq: 1, lastMessage: null, hiddenThroughSeq: 1 }
  server.emit('conversation_removed', { conversationId: 'c1', throughSeq: 1 })
  for (const one of [deleted, { ...deleted, id: 'c2' }])
    for (const event of ['conversation_changed', 'conversation_created'] as const) server.emit(event, one)
  expect(session.snapshot().chat.threads).toEqual({})
  // A later message brings it back, and who opens it anew has it, with what changes from then on.
  server.emit('conversation_changed', { ...deleted, lastSeq: 2 })
  session.receiveConversations([{ ...deleted, id: 'c2' }])
  server.emit('conversation_changed', { ...deleted, id: 'c2', isActive: false })
  expect([thread().lastSeq, thread('c2').conversation?.isActive]).toEqual([2, false])
})

test('a picture that is made smaller for long does not replace the file that was chosen after it', async () => {
  const { session } = await openPage()
  const decoded = Promise.withResolvers<never>()
  vi.stubGlobal('createImageBitmap', () => decoded.promise)
  const large = session.attach('c1', new File([new Uint8Array(2_000_000)], 'anh.jpg', { type: 'image/jpeg' }))
  await session.attach('c1', new File(['%PDF-1.7'], 'sau.pdf', { type: 'application/pdf' }))
  decoded.reject(new Error('not decoded'))
  await large
  expect(session.snapshot().attached['c1']?.file.name).toBe('sau.pdf')
  vi.unstubAllGlobals()
})

test('a file that is refused does not replace the picture that was chosen before it', async () => {
  const { session } = await openPage()
  const decoded = Promise.withResolvers<never>()
  vi.stubGlobal('createImageBitmap', () => decoded.promise)
  const large = session.attach('c1', new File([new Uint8Array(2_000_000)], 'anh.jpg', { type: 'image/jpeg' }))
  await session.attach('c1', new File(['x'], 'sai.txt', { type: 'text/plain' }))
  decoded.reject(new Error('not decoded'))
  await large
  expect(session.snapshot().attached['c1']?.file.name).toBe('anh.jpg')
  vi.unstubAllGlobals()
})

test('deleting removes the thread with its unsent messages, and a refusal is for its dialog', async () => {
  const page = await openPage()
  page.server.fate('send_message', 'lost')
  page.session.sendText('c1', 'a')
  await settle()
  const { deleteConversation } = page.server.api
  page.server.api.deleteConversation = () => Promise.reject(new Error('no'))
  await expect(page.session.removeThread('c1', 2)).rejects.toThrow('no')
  expect(page.session.snapshot().alert).toBeNull()
  expect(page.thread().pending).toHaveLength(1)
  page.server.api.deleteConversation = deleteConversation
  await page.session.removeThread('c1', 2)
  await settle()
  expect([page.session.snapshot().chat.threads, page.device.size]).toEqual([{}, 0])
})

test.each(['told', 'missed', 'brought back'] as const)(
  'what is not sent stays on screen when its conversation is deleted on another device: %s, and after a reload',
  async (how) => {
    const page = await openPage()
    const { server, session } = page
    server.emit('receive_message', server.write('cũ'))
    session.openThread('c1')
    server.fate('send_message', { code: 'MESSAGE_INVALID' })
    session.sendText('c1', 'chưa gửi')
    await settle()
    const [conversation] = await server.api.loadConversations()
    if (conversation === undefined) throw new Error('there is no conversation')
    const deleted = { ...conversation, lastMessage: null, hiddenThroughSeq: 1 }
    if (how === 'told') server.emit('conversation_removed', { conversationId: 'c1', throughSeq: 1 })
    else {
      const { loadMissed } = server.api
      server.api.loadMissed = async (known) => ({ ...(await loadMissed(known)), conversations: [], gone: ['c1'] })
      server.api.loadConversation = async () => (how === 'missed' ? deleted : { ...deleted, lastSeq: 2 })
      server.disconnect()
      server.connect()
      await settle()
    }
    expect([page.contents(), session.snapshot().chat.openKey]).toEqual([[], 'c1'])
    expect(page.thread()).toMatchObject({
      pending: [{ state: 'failed', content: 'chưa gửi' }],
      conversation: { lastMessage: null },
    })
    session.end()
    server.withoutConversation()
    const again = await openPage({ server, device: page.device })
    const [listed] = listThreads(again.session.snapshot().chat)
    expect(listed).toMatchObject({ peer: { id: 'staff' }, pending: [{ content: 'chưa gửi' }] })
    // Sent at last, it brings the conversation back, without what was deleted.
    await again.session.sendAgain('c1', listed?.pending[0]?.clientMessageId ?? '')
    await settle()
    expect(again.thread().messages.at(-1)?.content).toBe('chưa gửi')
    expect([again.thread().pending, again.device.size]).toEqual([[], 0])
  },
)

test('a deleted conversation leaves the screen as the last that is not sent there is discarded, also after a reload', async () => {
  const page = await openPage()
  const { server, session } = page
  const write = async (text: string) => {
    session.openThread('c1')
    server.fate('send_message', { code: 'MESSAGE_INVALID' })
    session.sendText('c1', text)
    await settle()
  }
  const discard = ({ session: { discard: throwAway }, thread }: typeof page) =>
    throwAway(thread().pending[0]?.clientMessageId ?? '')
  server.emit('receive_message', server.write('cũ'))
  await write('một')
  await write('hai')
  session.keepTyped('c1', 'nháp')
  server.emit('conversation_removed', { conversationId: 'c1', throughSeq: 1 })
  discard(page)
  expect(page.thread().pending).toMatchObject([{ content: 'hai' }])
  discard(page)
  // A draft is not sent, either.
  expect(page.thread()).toMatchObject({ messages: [], pending: [] })
  session.keepTyped('c1', '')
  await write('ba')
  const device = new Map(page.device)
  discard(page)
  expect(session.snapshot().chat).toMatchObject({ threads: {}, openKey: null })
  session.end()
  server.withoutConversation()
  server.api.loadMessages = async () => ({ messages: [], hasMore: false })
  const again = await openPage({ server, device })
  again.session.openThread('c1')
  await settle()
  discard(again)
  expect(again.session.snapshot().chat).toMatchObject({ threads: {}, openKey: null })
})

test('a draft of a conversation that is deleted on another device is kept and counted no more, and a note is', async () => {
  const { server, session, drafts } = await openPage()
  for (const key of ['c1', 'c2', noteDraft('c1')]) session.keepTyped(key, 'nháp')
  await session.attach('c1', new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' }))
  server.emit('conversation_removed', { conversationId: 'c1', throughSeq: 1 })
  await settle()
  expect([...drafts.keys()]).toEqual(['an/text c2', `an/text ${noteDraft('c1')}`])
  expect([session.typedIn('c1'), session.snapshot().attached]).toEqual(['', {}])
})

test('a conversation in which nothing was written yet stays where an unsent message is discarded', async () => {
  const { server, session, thread } = await openPage()
  session.openThread('c1')
  await settle()
  server.fate('send_message', { code: 'MESSAGE_INVALID' })
  session.sendText('c1', 'chưa gửi')
  await settle()
  session.discard(thread().pending[0]?.clientMessageId ?? '')
  expect(thread().pending).toEqual([])
})

test('a conversation that was handed over disappears, a claimed one appears', async () => {
  const page = await openPage()
  const [conversation] = await page.server.api.loadConversations()
  if (conversation === undefined) throw new Error('there is no conversation')
  page.session.takeConversation({ ...conversation, participants: [staff, staff] })
  expect(page.session.snapshot().chat.threads).toEqual({})
  page.session.takeConversation({ ...conversation, id: 'c2' })
  expect(Object.keys(page.session.snapshot().chat.threads)).toEqual(['c2'])
})

test('a thread opens at a message far back; another one that is opened meanwhile ends the search for it', async () => {
  const page = await openPage()
  for (let n = 1; n <= 260; n++) page.server.write(`tin ${n}`)
  page.server.emit('receive_message', page.server.write('tin 261'))
  page.session.openAt('c1', 17)
  await settle()
  const { chat, sought } = page.session.snapshot()
  expect([chat.openKey, sought]).toEqual(['c1', { key: 'c1', seq: 17 }])
  expect(chat.threads['c1']?.messages.some(({ seq }) => seq === 17)).toBe(true)
  page.session.closeThread()
  expect(page.session.snapshot().sought).toBeNull()
})

test('a conversation that was merged goes on in the other one, with what was typed, chosen and not sent yet', async () => {
  const page = await openPage()
  const { server, session } = page
  session.openThread('c1')
  await settle()
  session.keepTyped('c1', 'half a sentence')
  session.keepTyped(noteDraft('c1'), 'a note')
  server.fate('send_message', 'lost')
  session.sendText('c1', 'not sent')
  await settle()
  // A page of before is still under way.
  let answer = (): void => {}
  const { loadMessages } = server.api
  server.api.loadMessages = async (...asked) => {
    await new Promise<void>((resolve) => (answer = resolve))
    return loadMessages(...asked)
  }
  void session.loadPage('c1')
  const late = () => answer()
  server.emit('conversation_changed', { ...page.thread().conversation!, id: 'c2', mergedFrom: ['c1', 'c9'] })
  late()
  server.api.loadMessages = loadMessages
  await settle()
  const { chat } = session.snapshot()
  expect([Object.keys(chat.threads), chat.openKey, [...server.joined]]).toEqual([['c2'], 'c2', ['c2']])
  expect([session.typedIn('c2'), page.thread('c2').pending.map(({ content }) => content)]).toEqual([
    'half a sentence',
    ['not sent'],
  ])
  expect([session.typedIn(noteDraft('c1')), session.typedIn(noteDraft('c2'))]).toEqual(['', 'a note'])
  server.emit('conversation_removed', { conversationId: 'c1', throughSeq: null })
  await page.clock.advance(5_000)
  expect(server.sent('send_message').at(-1)).toMatchObject({ conversationId: 'c2', content: 'not sent' })
  expect(session.snapshot().chat.openKey).toBe('c2')
  // Deleted, it leaves nothing behind that could be sent no more.
  await session.removeThread('c2', 1)
  expect([session.typedIn('c2'), session.typedIn(noteDraft('c2')), page.drafts.size]).toEqual(['', '', 0])
})

test('a carried text fills the field of the next thread each time, unless something is typed there', async () => {
  const { session } = await openPage()
  const carry = () => {
    session.closeThread()
    session.carryCase('Vì sao?')
    session.openThread('c1')
    return session.typedIn('c1')
  }
  expect(carry()).toBe('Vì sao?')
  // Sent, so the field is empty.
  session.keepTyped('c1', '')
  expect(carry()).toBe('Vì sao?')
  session.keepTyped('c1', 'Đang viết')
  expect(carry()).toBe('Đang viết')
})
