import { act, screen, waitFor } from '@testing-library/react'
import { useState, useSyncExternalStore } from 'react'
import { afterEach, expect, test } from 'vitest'
import { type ChatNote, chatNoteEndpoints } from '#contract/chat-notes.ts'
import { MESSAGE_TEXT_MAX } from '#domain/chat/conversation.ts'
import { threadAt } from '#domain/chat/timeline.ts'
import { formatCount } from '#web/platform/formats.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw as drawPart } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { type FakePage, openPage } from '#web/testing/fake-chat.ts'
import { NoteMode, NotesBetween } from './notes.tsx'
import { notesKey } from './notes-api.ts'
import { notesTexts as texts } from './notes-texts.ts'
import { ChatSessionContext } from './use-chat.ts'

const conversationId = uuid(1)
const atMs = Date.UTC(2026, 0, 1)
const note = (number: number, text: string): ChatNote => ({
  id: uuid(number),
  writtenBy: { id: uuid(900), username: 'an' },
  text,
  mentions: [],
  isNews: false,
  createdAtMs: atMs + number * 1_000,
})

const pages: FakePage[] = []
afterEach(() => {
  for (const page of pages.splice(0)) page.session.end()
})

function Desk({ page }: { readonly page: FakePage }) {
  const [isNoting, setIsNoting] = useState(false)
  const { chat } = useSyncExternalStore(page.session.subscribe, page.session.snapshot)
  const id = threadAt(chat, conversationId)?.key ?? conversationId
  return (
    <ChatSessionContext value={page.session}>
      <NotesBetween conversationId={conversationId} fromMs={atMs + 2_000} untilMs={atMs + 4_000} />
      <textarea aria-label="message" hidden={isNoting} />
      <NoteMode
        key={id}
        conversationId={id}
        sinceMs={null}
        isNoting={isNoting}
        onChange={setIsNoting}
        colleagues={[{ username: 'Binh' }, { username: 'minh' }]}
      />
    </ChatSessionContext>
  )
}

async function draw(notes: ChatNote[] = [], before?: FakePage) {
  const server = fakeServer()
  let stored = notes
  let isRefused = false
  server.on(chatNoteEndpoints.listChatNotes, () => onePage(stored))
  const read = server.on(chatNoteEndpoints.readChatNotes, () => null)
  const sent = server.on(chatNoteEndpoints.addChatNote, ({ body: { text } }) => {
    if (isRefused) throw new Refused('DATABASE_AWAY')
    stored = [note(3, text), ...stored]
    return stored[0]!
  })
  const page = await openPage(before && { drafts: before.drafts })
  pages.push(page)
  const { user, askAgain } = await drawPart(<Desk page={page} />)
  await user.click(screen.getByRole('button', { name: new RegExp(`^${texts.note}`) }))
  return { page, server, user, askAgain, sent, read, refuse: (is: boolean) => (isRefused = is) }
}
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: texts.field })

test('a note that was not stored stays in the field, is sent again under its id, and is no message', async () => {
  const { page, user, sent, refuse } = await draw()
  refuse(true)
  await user.type(field(), 'một{Shift>}{Enter}{/Shift}hai{Enter}')
  await screen.findByRole('alert')
  expect(field().value).toBe('một\nhai')
  refuse(false)
  await user.type(field(), '{Enter}')
  await waitFor(() => expect(field().value).toBe(''))
  await user.type(field(), '   {Enter}')
  await user.type(field(), 'ba{Enter}')
  await waitFor(() => expect(sent()).toHaveLength(3))
  const [first, again, other] = sent().map(({ body }) => body.noteId)
  expect([again === first, other === first]).toEqual([true, false])
  expect(page.server.messages).toEqual([])
  expect(page.drafts.size).toBe(0)
})

test('a note that may be stored is sent again under its id also after its conversation was merged', async () => {
  const { page, user, sent, refuse } = await draw()
  refuse(true)
  await user.type(field(), 'gọi lại{Enter}')
  await screen.findByRole('alert')
  const merged = { ...page.thread().conversation!, id: uuid(2), mergedFrom: [uuid(3), conversationId] }
  await act(async () => page.session.receiveConversations([merged]))
  refuse(false)
  for (const text of ['', 'gọi lại']) {
    await user.type(field(), `${text}{Enter}`)
    await waitFor(() => expect(field().value).toBe(''))
  }
  const [first, again, later] = sent().map(({ body }) => body.noteId)
  expect([again === first, later === first]).toEqual([true, false])
})

test('what is typed is there again after a reload, apart from the message; Escape leaves the field', async () => {
  const { page, user } = await draw()
  await user.type(field(), 'dở dang')
  await user.type(field(), '{Escape}')
  expect(screen.queryByRole('textbox', { name: texts.field })).toBeNull()
  expect(document.activeElement?.textContent).toBe(texts.message)
  expect(screen.getByRole('button', { name: texts.noteWithDraft })).toBeTruthy()
  expect(page.session.typedIn(conversationId)).toBe('')
  await user.keyboard('n')
  expect(field().value).toBe('dở dang')
})

test('older notes that are refused are not asked for over and over', async () => {
  const server = fakeServer()
  const page = await openPage()
  pages.push(page)
  const asked = server.on(chatNoteEndpoints.listChatNotes, async ({ query }) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (query.page !== 1) throw new Refused('FORBIDDEN')
    return onePage([note(9, 'mới')], 200, 1, 100)
  })
  server.on(chatNoteEndpoints.readChatNotes, () => null)
  await drawPart(<Desk page={page} />)
  await waitFor(() => expect(asked()).toHaveLength(2))
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)))
  expect(asked()).toHaveLength(2)
})

test('that notes were seen is said again after it failed', async () => {
  const { server, askAgain } = await draw()
  let isAway = true
  const read = server.on(chatNoteEndpoints.readChatNotes, () => {
    if (isAway) throw new Refused('DATABASE_AWAY')
    return null
  })
  server.on(chatNoteEndpoints.listChatNotes, () => onePage([note(4, 'sau')]))
  const again = () => askAgain(notesKey(conversationId))
  await again()
  await waitFor(() => expect(read()).toHaveLength(1))
  isAway = false
  await again()
  await waitFor(() => expect(read()).toHaveLength(2))
  await again()
  expect(read()).toHaveLength(2)
})

test('an @ offers colleagues by the beginning of their names, and Escape closes the list alone', async () => {
  const { user } = await draw()
  await user.type(field(), 'nhờ a@b')
  expect(screen.queryByRole('listbox')).toBeNull()
  await user.type(field(), ' @')
  expect(screen.getAllByRole('option')).toHaveLength(2)
  await user.type(field(), 'b{Enter}')
  expect(field().value).toBe('nhờ a@b @Binh ')
  await user.type(field(), '@{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(field().value).toBe('nhờ a@b @Binh @')
  await user.clear(field())
  await user.click(field())
  await user.paste('x'.repeat(MESSAGE_TEXT_MAX + 1))
  expect(screen.getByText(texts.tooLong(formatCount(MESSAGE_TEXT_MAX)))).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: texts.save }).disabled).toBe(true)
})

test('notes stand where they were written, oldest first; that they were seen is said up to the newest', async () => {
  const { read } = await draw([note(4, 'sau'), note(3, 'hai'), note(2, 'một'), note(1, 'trước')])
  await screen.findByText('một')
  expect(screen.getAllByRole('note').map((one) => one.lastElementChild?.textContent)).toEqual(['một', 'hai'])
  await waitFor(() => expect(read().map(({ body }) => body.throughId)).toEqual([uuid(4)]))
})
