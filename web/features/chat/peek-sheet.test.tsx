import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { careEndpoints } from '#contract/care.ts'
import { chatEndpoints } from '#contract/chat.ts'
import { chatNoteEndpoints } from '#contract/chat-notes.ts'
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import type { ServerEvent } from '#contract/events.ts'
import { refusals } from '#contract/refusals.ts'
import type { ChatMessage } from '#domain/chat/conversation.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { besideTexts } from './beside-texts.ts'
import { chatTexts } from './chat-texts.ts'
import { an, colleague, type FakePage, openPage, staff } from '#web/testing/fake-chat.ts'
import { NamedConversation } from './found-elsewhere.tsx'
import { notesTexts } from './notes-texts.ts'
import { conversationQuery } from './staff-api.ts'
import { FollowColleagues } from './staff-typing.tsx'
import { transcriptTexts } from './transcript-texts.ts'
import { ChatSessionContext } from './use-chat.ts'

const line = vi.hoisted(() => ({
  state: 'connected' as 'connected' | 'lost',
  changed: () => {},
  viewing: (_: unknown) => {},
  conversation: (_: unknown) => {},
  said: [] as unknown[],
}))
vi.mock(import('#web/platform/socket.ts'), async (original) => ({
  ...(await original()),
  connectionState: () => line.state,
  onConnectionChanged: (listener) => {
    line.changed = listener
    return () => {}
  },
  onServerEvent: (name, listener) => {
    if (name === 'staff_viewing') line.viewing = listener as typeof line.viewing
    if (name === 'conversation_changed') line.conversation = listener as typeof line.conversation
    return () => {}
  },
  askServer: async (name, payload) => {
    if (name === 'view_conversation') line.said.push((payload as { conversationId: string | null }).conversationId)
    return { ok: true, answer: {} }
  },
}))

const me = { id: staff.id, username: staff.username }
const id = uuid(51)
let page: FakePage
let closed = 0
afterEach(() => {
  vi.restoreAllMocks()
  page.session.end()
})

const second: ChatMessage = {
  ...{ id: uuid(70), conversationId: id, seq: 2, sender: an, clientMessageId: uuid(71), kind: 'text', content: 'Hai' },
  ...{ image: null, sentAtMs: 2, createdAtMs: 2, updatedAtMs: 2, readerIds: [] },
}

/** A colleague's conversation, to be read. */
async function read(onPage?: (isEarlier: boolean) => void, soughtSeq?: number) {
  line.said.length = 0
  closed = 0
  page = await openPage({ self: me })
  const known = page.thread().conversation!
  const server = fakeServer()
  server.on(chatEndpoints.getConversation, () => ({ ...known, id, participants: [an, colleague] as const }))
  server.on(chatEndpoints.listMessages, ({ query: { beforeSeq } }) => {
    onPage?.(beforeSeq !== undefined)
    return onPage === undefined ? onePage([]) : onePage([second], 2, 1, 1)
  })
  server.on(chatNoteEndpoints.listChatNotes, () => onePage([]))
  server.on(chatTagEndpoints.listTags, () => [])
  const drawn = await draw(
    <ChatSessionContext value={page.session}>
      <FollowColleagues selfId={me.id} />
      <NamedConversation
        conversationId={id}
        {...(soughtSeq !== undefined && { soughtSeq })}
        onClose={() => (closed += 1)}
      />
    </ChatSessionContext>,
  )
  await screen.findByRole('dialog', { name: an.username })
  return { ...drawn, server }
}

test('who else has the conversation open is said until they leave or the connection is lost, and learns of this one', async () => {
  const { unmount } = await read()
  expect(line.said).toEqual([id])
  const tell = (fields: Partial<ServerEvent<'staff_viewing'>> = {}) =>
    act(() => line.viewing({ userId: 'u-lan', username: 'Lan', conversationId: id, isViewing: true, ...fields }))
  const isSaid = () => screen.queryByText(besideTexts.viewsToo('Lan')) !== null
  tell()
  expect(isSaid()).toBe(true)
  // Lan has just come; what she says again is no news.
  tell()
  expect(line.said).toEqual([id, id])
  tell({ isViewing: false })
  expect(isSaid()).toBe(false)
  tell({ conversationId: uuid(52) })
  tell({ userId: me.id })
  expect(isSaid()).toBe(false)
  tell()
  line.state = 'lost'
  act(line.changed)
  expect(isSaid()).toBe(false)
  line.state = 'connected'
  act(line.changed)
  expect(line.said.slice(3)).toEqual([id])
  unmount()
  expect(line.said.at(-1)).toBe(null)
})

test('many changes at once, as when the queue is assigned, are one refetch of what they concern', async () => {
  await read()
  const refetched = vi.spyOn(queryClient, 'invalidateQueries')
  const changed = page.thread().conversation!
  act(() => {
    for (let times = 0; times < 50; times++) line.conversation(changed)
  })
  await act(async () => new Promise((resolve) => setTimeout(resolve, 400)))
  expect(refetched).toHaveBeenCalledTimes(2)
})

test('what a sheet shows of a conversation that was merged is the new one', async () => {
  await read()
  const known = page.thread().conversation!
  // The product’s own cache: the sheet that is drawn here has another one.
  const { queryKey } = conversationQuery(id)
  queryClient.setQueryData(queryKey, { ...known, id })
  const merged = { ...known, id: uuid(53), mergedFrom: [id, uuid(52)] }
  act(() => line.conversation(merged))
  expect(queryClient.getQueryData(queryKey)).toEqual(merged)
})

test('a claim that is refused reads the conversation again, by whatever id its sheet asked for it', async () => {
  const { user, server } = await read()
  const asked = conversationQuery(uuid(52)).queryKey
  queryClient.setQueryData(asked, page.thread().conversation!)
  server.on(chatEndpoints.changeHolder, () => {
    throw new Refused('HOLDER_CHANGED')
  })
  await user.click(await screen.findByRole('button', { name: new RegExp(besideTexts.claim) }))
  await waitFor(() => expect(queryClient.getQueryState(asked)?.isInvalidated).toBe(true))
})

test('a merge leaves a sheet as it is, with the note that is being written, and marks no other message as the sought one', async () => {
  const { user, server, askAgain } = await read(() => {}, 2)
  const marked = () => screen.queryAllByRole('listitem').filter((item) => item.getAttribute('aria-current') === 'true')
  await waitFor(() => expect(marked()).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: notesTexts.write }))
  await user.type(screen.getByRole('textbox', { name: notesTexts.field }), 'Gọi lại')
  const merged = { ...page.thread().conversation!, id: uuid(53), mergedFrom: [id, uuid(52)] }
  server.on(chatEndpoints.getConversation, () => ({ ...merged, participants: [an, colleague] as const }))
  // The sought message has another number there, and another message has its number.
  const moved = [2, 1].map((seq) => ({ ...second, id: uuid(70 + (seq % 2)), conversationId: merged.id, seq: seq + 1 }))
  const asked = server.on(chatEndpoints.listMessages, () => onePage(moved))
  await askAgain(['chat'])
  await waitFor(() => expect(asked().at(-1)?.params.id).toBe(merged.id))
  await waitFor(() => expect(screen.getAllByText('Hai')).toHaveLength(2))
  expect(marked()).toEqual([])
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: notesTexts.field })
  expect([field.value, document.activeElement === field]).toEqual(['Gọi lại', true])
  // Its draft of before the merge goes with it.
  const saved = server.on(chatNoteEndpoints.addChatNote, ({ body: { text } }) => ({
    ...{ id: uuid(80), text, mentions: [], isNews: false, createdAtMs: 3 },
    writtenBy: { id: me.id, username: me.username },
  }))
  await user.type(field, ' sau{Enter}')
  await waitFor(() => expect(field.value).toBe(''))
  expect([saved().map(({ params, body }) => [params.id, body.text]), page.drafts.size]).toEqual([
    [[merged.id, 'Gọi lại sau']],
    0,
  ])
})

test('that older messages could not be loaded is said', async () => {
  const { user, server } = await read((earlier) => {
    if (earlier) throw new Refused('DATABASE_AWAY')
  })
  await user.click(await screen.findByRole('button', { name: chatTexts.loadOlder }))
  expect(await screen.findByText(refusals.DATABASE_AWAY.message, undefined, { timeout: 5_000 })).toBeTruthy()
  expect(server.calls().length).toBeGreaterThan(0)
})

test('after a lost connection it is known again which colleagues are there', async () => {
  await read()
  const isThere = () => page.session.snapshot().chat.presence[colleague.id]?.isOnline
  page.server.api.loadUsers = async () => [{ ...colleague, isOnline: !colleague.isOnline }]
  act(line.changed)
  await waitFor(() => expect(isThere()).toBe(!colleague.isOnline))
  page.server.api.loadUsers = async () => Promise.reject(new Error('cut'))
  act(line.changed)
  await act(async () => {})
  expect(page.session.snapshot().users).toEqual([{ ...colleague, isOnline: !colleague.isOnline }])

  // Whoever comes while the answer is under way is not taken for gone by it.
  page.server.api.loadUsers = async () => {
    page.server.emit('user_online', { userId: colleague.id, lastSeenAtMs: 5 })
    return [{ ...colleague, isOnline: false }]
  }
  act(line.changed)
  await act(async () => {})
  expect(page.session.snapshot().chat.presence[colleague.id]).toEqual({ isOnline: true, lastSeenAtMs: 5 })
})

test('the list of staff is loaded where the connection stands, and not before it as well', async () => {
  page = await openPage({ self: me })
  let asked = 0
  page.server.api.loadUsers = async () => {
    asked++
    return []
  }
  line.state = 'lost'
  await draw(
    <ChatSessionContext value={page.session}>
      <FollowColleagues selfId={me.id} />
    </ChatSessionContext>,
  )
  expect(asked).toBe(0)
  line.state = 'connected'
  await act(async () => line.changed())
  expect(asked).toBe(1)
})

test('Escape leaves the field of a note, and not the sheet around it', async () => {
  const { user } = await read()
  await user.click(screen.getByRole('button', { name: notesTexts.write }))
  await user.type(screen.getByRole('textbox', { name: notesTexts.field }), '@{Escape}{Escape}')
  expect(screen.queryByRole('textbox', { name: notesTexts.field })).toBeNull()
  expect(screen.getByRole('dialog', { name: an.username })).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(closed).toBe(1))
})

test('a colleague’s conversation can be saved as a file, by the call that is in the audit log', async () => {
  const { user, server } = await read()
  const saved: string[] = []
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  const asked = server.on(careEndpoints.readTranscript, () => null)
  const sheet = within(screen.getByRole('dialog', { name: an.username }))
  expect(sheet.getByText(transcriptTexts.audited)).toBeTruthy()
  await user.click(sheet.getByRole('button', { name: transcriptTexts.save }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(asked().map(({ params }) => params.id)).toEqual([id])
})
