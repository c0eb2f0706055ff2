import { act, screen, waitFor, within } from '@testing-library/react'
import { useSearch } from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'
import { careDutyEndpoints } from '#contract/care-duty.ts'
import { chatEndpoints } from '#contract/chat.ts'
import { chatMergeEndpoints } from '#contract/chat-merge.ts'
import { chatNoteEndpoints } from '#contract/chat-notes.ts'
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import type { ChatMessage, ChatUser, Conversation } from '#domain/chat/conversation.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import { actTexts } from './act-texts.ts'
import { besideTexts } from './beside-texts.ts'
import { chatTexts } from './chat-texts.ts'
import { deskTexts } from './desk-texts.ts'
import { notesTexts } from './notes-texts.ts'
import { StaffChat } from './staff-chat.tsx'
import { useChatSession } from './use-chat.ts'

const line = vi.hoisted(() => ({ state: 'connected' as 'connected' | 'lost', listeners: new Set<() => void>() }))
vi.mock(import('#web/platform/socket.ts'), async (original) => ({
  ...(await original()),
  connectionState: () => line.state,
  onConnectionChanged: (listener) => {
    line.listeners.add(listener)
    return () => line.listeners.delete(listener)
  },
  holdConnection: () => () => {},
  stayJoined: () => () => {},
}))

const person = (number: number, role: ChatUser['role']): ChatUser => {
  const { id, username } = sampleUser(number)
  return { id, username, role, avatar: null, isOnline: true, lastSeenAtMs: null }
}
const me = { ...sampleUser(9, { role: 'admin' }), passwordResetAtMs: null }
const atMs = Date.UTC(2026, 0, 1)
const asked = (number: number): ChatMessage => ({
  id: uuid(100 + number),
  conversationId: uuid(50 + number),
  seq: 1,
  sender: person(number, 'player'),
  clientMessageId: uuid(200 + number),
  kind: 'text',
  content: `hoàn điểm ${number}`,
  image: null,
  sentAtMs: atMs,
  createdAtMs: atMs,
  updatedAtMs: atMs,
  readerIds: [],
})
const conversation = (number: number): Conversation => ({
  id: uuid(50 + number),
  participants: [person(number, 'player'), person(9, 'admin')],
  lastMessage: asked(number),
  lastSeq: 1,
  lastActivityAtMs: atMs,
  createdAtMs: atMs,
  updatedAtMs: atMs,
  isActive: true,
  unreadCount: 0,
  readSeq: 1,
  peerReadSeq: 0,
  hiddenThroughSeq: -1,
  desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: null },
})

const CANNED = { id: uuid(300), name: 'chao', text: 'Xin chào', isShared: true, maker: person(9, 'admin') }

/** Waits for what is loaded later, and for what the session does by itself. */
const settle = () =>
  act(async () => {
    await vi.dynamicImportSettled()
    await new Promise((resolve) => setTimeout(resolve, 50))
  })

/** In the place of the customer: picks the message of the first conversation, as its menu does. */
function Answer() {
  const { pick } = useChatSession()
  const { id, content, sender } = asked(1)
  const quoted = { seq: 1, kind: 'text', text: content, username: sender.username } as const
  return <button onClick={() => pick({ is: 'answer', id, content, quoted })}>{actTexts.answer}</button>
}

function Desk() {
  const { search = '', message = '', conversation: toOpen = '', filter = '' } = useSearch({ strict: false })
  return (
    <StaffChat
      me={me}
      toOpen={String(toOpen)}
      sought={String(search)}
      message={String(message)}
      filter={String(filter)}
      drawCase={() => null}
      loadCustomer={async () => ({ CustomerPanel: () => null, CustomerSheet: Answer })}
    />
  )
}

/** Three conversations, each with a message. */
function serve() {
  const numbers = [1, 2, 3]
  const server = fakeServer()
  server.on(chatEndpoints.listChatUsers, () => [])
  server.on(chatEndpoints.listConversations, ({ query }) => onePage(query.waiting ? [] : numbers.map(conversation)))
  server.on(chatEndpoints.listMessages, ({ params: { id } }) =>
    onePage(numbers.map(asked).filter(({ conversationId }) => conversationId === id)),
  )
  server.on(chatEndpoints.getConversation, () => conversation(1))
  server.on(careDutyEndpoints.readDuty, () => ({ isOnDuty: false, capacity: 5 }))
  server.on(chatEndpoints.listReplies, () => [])
  server.on(chatEndpoints.readMissed, () => ({
    ...{ conversations: [], messages: [], markers: [], gone: [] },
    hasMore: false,
  }))
  server.on(chatNoteEndpoints.listChatNotes, () => onePage([]))
  server.on(chatTagEndpoints.listTags, () => [])
  return server
}
const open = (number: number) => screen.findByRole('region', { name: sampleUser(number).username })

test('a message that the address names opens once, whatever else is opened or typed, and again by each way to it', async () => {
  const server = serve()
  const searched = server.on(chatEndpoints.searchMessages, ({ query: { text } }) =>
    text.endsWith('x') ? [] : [1, 2].map(asked),
  )
  const address = `/admin/chat?search=${encodeURIComponent('hoàn điểm')}&message=${uuid(101)}`
  const { user, goTo } = await act(() => draw(<Desk />, address))
  await settle()
  const found = (number: number) =>
    within(screen.getByRole('region', { name: besideTexts.foundMessages })).getByText(`hoàn điểm ${number}`)
  await open(1)
  await user.click(found(2))
  await settle()
  await open(2)
  const field = screen.getByRole<HTMLInputElement>('searchbox', { name: chatTexts.search })
  await user.type(field, ' x')
  await waitFor(() => expect(searched().at(-1)?.query.text).toBe('hoàn điểm x'))
  await user.type(field, '{Backspace}{Backspace}')
  await waitFor(() => expect(found(2)).toBeTruthy())
  await settle()
  await open(2)
  await goTo(address)
  await settle()
  await open(1)
})

test('a way to a conversation opens it each time, also from its own address, and a filter opens nothing', async () => {
  serve()
  const named = `/admin/chat?conversation=${uuid(51)}`
  const { user, goTo } = await act(() => draw(<Desk />, '/admin/chat'))
  await settle()
  const openOther = async () => {
    await user.click(await screen.findByRole('button', { name: new RegExp(sampleUser(2).username) }))
    await open(2)
  }
  await goTo(named)
  await open(1)
  await openOther()
  await goTo(named)
  await open(1)
  await openOther()
  await goTo('/admin/chat')
  await goTo(named)
  await open(1)
  await openOther()
  await user.selectOptions(screen.getByRole('combobox', { name: besideTexts.listFilter }), 'topic:withdrawal')
  await settle()
  await open(2)
  await goTo(named)
  await open(1)
})

const inList = (number: number) => screen.getByRole('button', { name: new RegExp(sampleUser(number).username) })
const isDone = (number: number): Conversation => ({
  ...conversation(number),
  desk: { state: 'done', snoozedUntilMs: null, waitingSinceMs: null },
})

test('an answer about a conversation that was left meanwhile leaves the one that is open', async () => {
  const server = serve()
  let answer = () => {}
  server.on(
    chatEndpoints.changeState,
    () => new Promise<Conversation>((resolve) => (answer = () => resolve(isDone(1)))),
  )
  const { user } = await act(() => draw(<Desk />, `/admin/chat?conversation=${uuid(51)}`))
  await settle()
  await user.click(await within(await open(1)).findByRole('button', { name: deskTexts.done }))
  await user.click(inList(3))
  await open(3)
  answer()
  await settle()
  await open(3)
  // Of the one that is open, it opens the next.
  server.on(chatEndpoints.changeState, () => isDone(3))
  await user.click(await within(await open(3)).findByRole('button', { name: deskTexts.done }))
  await settle()
  await open(2)
})

test('Ctrl Enter is done once all that is in the message field was sent, and in no other field', async () => {
  const server = serve()
  server.on(chatEndpoints.listReplies, () => [CANNED])
  const changed = server.on(chatEndpoints.changeState, () => isDone(2))
  const { user } = await act(() => draw(<Desk />, `/admin/chat?conversation=${uuid(52)}`))
  await settle()
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: chatTexts.messageLabel })
  const sendAndFinish = async () => {
    await user.keyboard('{Control>}{Enter}{/Control}')
    await settle()
    return changed().length
  }
  await user.type(field, '/ch')
  await screen.findByRole('listbox')
  expect([await sendAndFinish(), field.value]).toEqual([0, 'Xin chào'])
  await user.clear(field)
  await user.click(field)
  await user.paste('a'.repeat(MESSAGE_TEXT_MAX + 1))
  expect(await sendAndFinish()).toBe(0)
  await user.clear(field)
  await user.click(await screen.findByRole('button', { name: notesTexts.note }))
  await user.click(await screen.findByRole('textbox', { name: notesTexts.field }))
  expect(await sendAndFinish()).toBe(0)
  await user.click(screen.getByRole('button', { name: notesTexts.message }))
  await user.click(await screen.findByRole('textbox', { name: chatTexts.messageLabel }))
  expect(await sendAndFinish()).toBe(1)
})

test('an act on a message leads from the note to the message field, and the note is kept', async () => {
  serve()
  const { user } = await act(() => draw(<Desk />, `/admin/chat?conversation=${uuid(51)}`))
  await settle()
  await user.click(await screen.findByRole('button', { name: notesTexts.note }))
  await user.type(await screen.findByRole('textbox', { name: notesTexts.field }), 'đã gọi')
  await user.click(screen.getByRole('button', { name: chatTexts.customer }))
  await user.click(await screen.findByRole('button', { name: actTexts.answer }))
  const answer = await screen.findByRole('group', { name: actTexts.answering(sampleUser(1).username) })
  screen.getByRole('textbox', { name: chatTexts.messageLabel })
  // The note begun is kept, and taking it up again lets the message go.
  await user.click(screen.getByRole('button', { name: notesTexts.noteWithDraft }))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: notesTexts.field }).value).toBe('đã gọi')
  await user.click(screen.getByRole('button', { name: notesTexts.message }))
  expect([answer.isConnected, screen.queryByRole('group', { name: answer.ariaLabel ?? '' })]).toEqual([false, null])
})

test('own conversations that are snoozed or open are loaded however old they are', async () => {
  const server = serve()
  const snoozed: Conversation = {
    ...conversation(6),
    desk: { state: 'snoozed', snoozedUntilMs: Date.UTC(2100, 0, 1), waitingSinceMs: null },
  }
  server.on(chatEndpoints.listConversations, ({ query: { state } }) =>
    onePage(state === 'snoozed' ? [snoozed] : state === 'open' ? [conversation(7)] : []),
  )
  const { user } = await act(() => draw(<Desk />, '/admin/chat'))
  await settle()
  await waitFor(() => expect(inList(7)).toBeTruthy())
  await user.click(within(screen.getByRole('group', { name: chatTexts.deskTabs })).getByText(chatTexts.tabs.snoozed))
  await waitFor(() => expect(inList(6)).toBeTruthy())
})

test('who wait are listed, beyond the first page, too, and that there are more is said', async () => {
  const server = serve()
  const waits = (number: number): Conversation => ({
    ...conversation(number),
    desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: atMs },
  })
  const pageOf = (number: number) => {
    const { rows, meta } = onePage([waits(number)])
    return { rows, meta: { ...meta, next: `${number}_${uuid(50 + number)}` } }
  }
  server.on(chatEndpoints.listConversations, ({ query: { waiting, after } }) => {
    if (waiting === undefined) return onePage([])
    if (after === undefined) return pageOf(21)
    if (after !== `21_${uuid(71)}`) throw new Refused('DATABASE_AWAY')
    return pageOf(22)
  })
  const { user } = await act(() => draw(<Desk />, '/admin/chat'))
  await settle()
  const tabs = within(screen.getByRole('group', { name: chatTexts.deskTabs }))
  await user.click(await tabs.findByText(chatTexts.tabWithCount(chatTexts.tabs.waiting, '2+')))
  await waitFor(() => expect([inList(21), inList(22)].every(Boolean)).toBe(true))
})

test('the done ones of a filter are read on, the next ones on a press', async () => {
  const server = serve()
  const aboutBets = (number: number) => ({
    ...isDone(number),
    desk: { ...isDone(number).desk!, topic: 'bet' as const },
  })
  server.on(chatEndpoints.listConversations, ({ query: { state, topic, after } }) => {
    if (state !== 'done' || topic !== 'bet') return onePage([])
    const { rows, meta } = onePage([aboutBets(after === undefined ? 31 : 32)])
    return { rows, meta: { ...meta, ...(after === undefined && { next: `1_${uuid(81)}` }) } }
  })
  const { user } = await act(() => draw(<Desk />, '/admin/chat?filter=topic:bet'))
  await settle()
  await user.click(screen.getByRole('button', { name: chatTexts.tabs.done }))
  await user.click(await screen.findByRole('button', { name: besideTexts.more }))
  await waitFor(() => expect([inList(31), inList(32)].every(Boolean)).toBe(true))
  await waitFor(() => expect(screen.queryByRole('button', { name: besideTexts.more })).toBeNull())
})

/** Breaks the connection. The session of an earlier test, which may still be there, then loads its lists anew. */
function connectAgain() {
  for (const state of ['lost', 'connected'] as const) {
    line.state = state
    act(() => line.listeners.forEach((listener) => listener()))
  }
}

test('who wait are loaded once, and again after a lost connection', async () => {
  const server = serve()
  connectAgain()
  const conversations = server.on(chatEndpoints.listConversations, () => onePage([]))
  await act(() => draw(<Desk />, '/admin/chat'))
  await settle()
  const asked = () => conversations().filter(({ query }) => query.waiting !== undefined).length
  await waitFor(() => expect(asked()).toBe(1))
  await settle()
  expect(asked()).toBe(1)
  connectAgain()
  await waitFor(() => expect(asked()).toBe(2))
})

test('who wait are loaded once the connection stands where it was lost before the desk was opened', async () => {
  const server = serve()
  line.state = 'lost'
  let isAway = true
  const conversations = server.on(chatEndpoints.listConversations, ({ query: { waiting } }) => {
    if (isAway && waiting !== undefined) throw new Refused('DATABASE_AWAY')
    return onePage([])
  })
  await act(() => draw(<Desk />, '/admin/chat'))
  await settle()
  const asked = () => conversations().filter(({ query }) => query.waiting !== undefined).length
  await waitFor(() => expect(asked()).toBe(1))
  isAway = false
  line.state = 'connected'
  act(() => line.listeners.forEach((listener) => listener()))
  await waitFor(() => expect(asked()).toBe(2))
})

test('the note that a question of handing over leaves is marked at once', async () => {
  const server = serve()
  server.on(chatEndpoints.listChatUsers, () => [person(8, 'admin')])
  server.on(chatMergeEndpoints.listOfCustomer, () => [])
  const { user } = await act(() => draw(<Desk />, `/admin/chat?conversation=${uuid(51)}`))
  await settle()
  await user.click(await screen.findByRole('button', { name: besideTexts.handOver }))
  await user.click(await screen.findByRole('menuitem', { name: sampleUser(8).username }))
  await user.type(within(await screen.findByRole('alertdialog')).getByRole('textbox'), 'Chờ phiên chốt')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByRole('button', { name: notesTexts.noteWithDraft })).toBeTruthy()
})
