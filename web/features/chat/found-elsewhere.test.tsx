import { focusManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { useState, useSyncExternalStore } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import { chatNoteEndpoints } from '#contract/chat-notes.ts'
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import { refusals } from '#contract/refusals.ts'
import type { ChatUser, Conversation } from '#domain/chat/conversation.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { besideTexts as texts } from './beside-texts.ts'
import { an, colleague, type FakePage, openPage, staff } from '#web/testing/fake-chat.ts'
import { FoundElsewhere } from './found-elsewhere.tsx'
import { deskOf } from './opening.ts'
import { ChatSessionContext } from './use-chat.ts'

const pages: FakePage[] = []
afterEach(() => {
  for (const page of pages.splice(0)) page.session.end()
})

test('an own conversation that the session did not load is found by name, and opens as it is by now', async () => {
  const page = await openPage({ self: { id: staff.id, username: staff.username } })
  pages.push(page)
  const { session } = page
  const heldBy = (holder: ChatUser): Conversation => ({
    ...page.thread().conversation!,
    id: uuid(7),
    participants: [an, holder],
  })
  const own = heldBy(staff)
  const server = fakeServer()
  server.on(chatEndpoints.listConversations, () => onePage([own]))
  server.on(chatEndpoints.searchMessages, () => [])
  let holder: ChatUser | null = null
  server.on(chatEndpoints.getConversation, () => {
    if (holder === null) throw new Refused('FORBIDDEN')
    return heldBy(holder)
  })
  server.on(chatEndpoints.listMessages, () => onePage([]))
  server.on(chatNoteEndpoints.listChatNotes, () => onePage([]))
  function Found() {
    const { chat } = useSyncExternalStore(session.subscribe, session.snapshot)
    return (
      <ChatSessionContext value={session}>
        <FoundElsewhere chat={chat} text="an" filter="" emptyText="" message="" onNamedOpened={() => {}} />
      </ChatSessionContext>
    )
  }
  const { user } = await draw(<Found />)
  const open = async () => user.click(await screen.findByRole('button', { name: texts.peek(an.username) }))
  await within(await screen.findByRole('region', { name: texts.ownOlder })).findByText(texts.answering(staff.username))
  expect(screen.queryByText(texts.claimShort)).toBeNull()
  await open()
  await waitFor(() => expect(session.snapshot().alert?.text).toBe(refusals.FORBIDDEN.message))
  // A colleague has just got it: it is read, not taken for an own one.
  holder = colleague
  await open()
  await screen.findByRole('dialog')
  expect(session.snapshot().chat.threads[own.id]).toBeUndefined()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  holder = staff
  await open()
  await waitFor(() => expect(session.snapshot().chat.openKey).toBe(own.id))
  // It is in the list above by now.
  expect(screen.queryByText(texts.answering(staff.username))).toBeNull()
})

test('a search is made once, and that it failed is said', async () => {
  const page = await openPage({ self: { id: staff.id, username: staff.username } })
  pages.push(page)
  const server = fakeServer()
  server.on(chatEndpoints.listConversations, () => onePage([]))
  const searched = server.on(chatEndpoints.searchMessages, ({ query: { text } }) => {
    if (text === 'xx') throw new Refused('FORBIDDEN')
    return []
  })
  function Found() {
    const [text, setText] = useState('hoàn điểm')
    return (
      <ChatSessionContext value={page.session}>
        <button onClick={() => setText('xx')}>Khác</button>
        <FoundElsewhere
          chat={page.session.snapshot().chat}
          {...{ text, filter: '', emptyText: 'Không có', message: '', onNamedOpened: () => {} }}
        />
      </ChatSessionContext>
    )
  }
  const { user, askAgain } = await draw(<Found />)
  await screen.findByText('Không có')
  // Whoever comes back to the page later has not searched again: each search is in the audit log.
  const nowMs = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs + 60_000)
  act(() => focusManager.setFocused(false))
  await act(async () => focusManager.setFocused(true))
  focusManager.setFocused(undefined)
  vi.restoreAllMocks()
  // A new connection asks for all that is on screen.
  await askAgain(['chat'])
  expect(searched().map(({ query }) => query.text)).toEqual(['hoàn điểm'])
  await user.click(screen.getByText('Khác'))
  expect(await screen.findByText(refusals.FORBIDDEN.message)).toBeTruthy()
  expect(screen.queryByText('Không có')).toBeNull()
})

test('a sheet goes on with the conversation into which its own was merged, also where the list lacks it', async () => {
  const page = await openPage({ self: { id: staff.id, username: staff.username } })
  pages.push(page)
  let now: Conversation = { ...page.thread().conversation!, id: uuid(8), participants: [an, colleague] }
  const server = fakeServer()
  server.on(chatEndpoints.listConversations, () => onePage(now.id === uuid(8) ? [now] : []))
  server.on(chatEndpoints.getConversation, () => now)
  server.on(chatEndpoints.searchMessages, () => [])
  server.on(chatNoteEndpoints.listChatNotes, () => onePage([]))
  server.on(chatTagEndpoints.listTags, () => [])
  const read = server.on(chatEndpoints.listMessages, () => onePage([]))
  const { user, askAgain } = await draw(
    <ChatSessionContext value={page.session}>
      <FoundElsewhere
        chat={page.session.snapshot().chat}
        {...{ text: '', filter: '', emptyText: '', message: '', onNamedOpened: () => {} }}
      />
    </ChatSessionContext>,
  )
  await user.click(await screen.findByRole('button', { name: texts.peek(an.username) }))
  await waitFor(() => expect(read().at(-1)?.params.id).toBe(uuid(8)))
  now = { ...now, id: uuid(9), mergedFrom: [uuid(8), uuid(7)] }
  await askAgain(['chat'])
  await waitFor(() => expect(read().at(-1)?.params.id).toBe(uuid(9)))
})

test('conversations of all are read on by the page before, and nobody is said to be missing before the end', async () => {
  const page = await openPage({ self: { id: staff.id, username: staff.username } })
  pages.push(page)
  const known = page.thread().conversation!
  const server = fakeServer()
  const next = `1_${uuid(8)}`
  const asked = server.on(chatEndpoints.listConversations, ({ query: { after } }) => {
    // The first page has own ones alone, which are in the list above.
    const { rows, meta } = onePage([
      after === undefined ? known : { ...known, id: uuid(9), participants: [an, colleague] },
    ])
    return { rows: rows as Conversation[], meta: { ...meta, ...(after === undefined && { next }) } }
  })
  const { user } = await draw(
    <ChatSessionContext value={page.session}>
      <FoundElsewhere
        chat={page.session.snapshot().chat}
        {...{ text: '', filter: '', emptyText: 'Không có', message: '', onNamedOpened: () => {} }}
      />
    </ChatSessionContext>,
  )
  const more = await screen.findByRole('button', { name: texts.more })
  expect(screen.queryByText('Không có')).toBeNull()
  await user.click(more)
  await screen.findByText(texts.answering(colleague.username))
  expect(asked().map(({ query }) => query.after)).toEqual([undefined, next])
  expect(screen.queryByRole('button', { name: texts.more })).toBeNull()
})

test('a conversation of the queue opens with the text that was begun in it', async () => {
  const page = await openPage({ self: { id: staff.id, username: staff.username } })
  pages.push(page)
  const { session } = page
  const desk = deskOf(session.snapshot().chat)
  const queued: Conversation = { ...page.thread().conversation!, id: uuid(8), participants: [an, desk] }
  session.receiveConversations([queued])
  session.keepTyped(queued.id, 'Chào bạn')
  const server = fakeServer()
  server.on(chatEndpoints.listConversations, () => onePage([queued]))
  server.on(chatEndpoints.getConversation, () => queued)
  server.on(chatEndpoints.searchMessages, () => [])
  server.on(chatEndpoints.listMessages, () => onePage([]))
  const { user } = await draw(
    <ChatSessionContext value={session}>
      <FoundElsewhere
        chat={session.snapshot().chat}
        text=""
        filter=""
        emptyText=""
        message=""
        onNamedOpened={() => {}}
      />
    </ChatSessionContext>,
  )
  await user.click(await screen.findByRole('button', { name: texts.peek(an.username) }))
  await waitFor(() => expect(session.snapshot().chat.openKey).toBe(queued.id))
  expect(session.typedIn(queued.id)).toBe('Chào bạn')
})
