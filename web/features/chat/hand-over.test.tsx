import { act, screen, waitFor, within } from '@testing-library/react'
import { useSyncExternalStore } from 'react'
import { afterEach, expect, test } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import { chatMergeEndpoints } from '#contract/chat-merge.ts'
import { type FakePage, an, colleague, createFakeServer, openPage, settle, staff } from '#web/testing/fake-chat.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { HandOver } from './hand-over.tsx'
import { notesTexts as texts } from './notes-texts.ts'
import { ChatSessionContext } from './use-chat.ts'

let page: FakePage
afterEach(() => page.session.end())

const [key, minh] = [uuid(51), { ...colleague, id: uuid(8), username: 'minh' }]

/** The menu of an own conversation, and a function that chooses `minh` in it. */
async function open() {
  const calls = fakeServer()
  calls.on(chatMergeEndpoints.listOfCustomer, () => [])
  const server = createFakeServer()
  server.withoutConversation()
  server.api.loadMessages = async () => ({ messages: [], hasMore: false })
  page = await openPage({ server, self: { id: uuid(9), username: staff.username } })
  const { session } = page
  server.emit('conversation_created', {
    ...{ id: key, participants: [an, { ...staff, id: uuid(9) }], lastMessage: null, lastSeq: 1, lastActivityAtMs: 1 },
    ...{ createdAtMs: 1, updatedAtMs: 1, isActive: true, unreadCount: 0, readSeq: 1, peerReadSeq: 0 },
    ...{ hiddenThroughSeq: -1, desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: 1 } },
  })
  function Menu() {
    const { chat } = useSyncExternalStore(session.subscribe, session.snapshot)
    const thread = chat.threads[key]
    if (thread === undefined) return null
    return (
      <ChatSessionContext value={session}>
        <HandOver thread={thread} admins={[minh]} presence={{}} onOpen={() => {}} />
      </ChatSessionContext>
    )
  }
  const { user } = await draw(<Menu />)
  const choose = async () => {
    await user.click(screen.getByRole('button'))
    await user.click(await screen.findByRole('menuitem', { name: minh.username }))
    return within(await screen.findByRole('alertdialog'))
  }
  return { calls, server, user, choose }
}

test('the note to the new holder is there again after a refusal, and is gone once it was handed over', async () => {
  const { calls, user, choose } = await open()
  calls.on(chatEndpoints.changeHolder, () => {
    throw new Refused('HOLDER_HAS_ONE')
  })
  const first = await choose()
  await user.type(first.getByRole('textbox'), 'Chờ phiên chốt')
  const confirm = { name: texts.handOverConfirm }
  await user.click(first.getByRole('button', confirm))
  await first.findByRole('alert')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.body.style.pointerEvents).not.toBe('none'))
  const again = await choose()
  expect(again.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Chờ phiên chốt')
  const given = calls.on(chatEndpoints.changeHolder, () => ({
    ...page.thread(key).conversation!,
    participants: [an, minh] as const,
  }))
  await user.click(again.getByRole('button', confirm))
  await act(settle)
  expect(given()).toMatchObject([{ body: { toId: minh.id, note: 'Chờ phiên chốt' } }])
  expect(page.drafts.size).toBe(0)
})

test('one that was handed over though the answer was lost leaves no draft of the note that is stored', async () => {
  const { calls, user, choose } = await open()
  calls.on(chatEndpoints.changeHolder, () => {
    throw new Refused('DATABASE_AWAY')
  })
  let holder = page.thread(key).conversation!.participants[1]
  calls.on(chatEndpoints.getConversation, () => ({
    ...page.thread(key).conversation!,
    participants: [an, holder] as const,
  }))
  const dialog = await choose()
  await user.type(dialog.getByRole('textbox'), 'Chờ phiên chốt')
  await user.click(dialog.getByRole('button', { name: texts.handOverConfirm }))
  await dialog.findByRole('alert')
  await waitFor(() => expect(dialog.getByRole('alert').textContent).not.toBe(''))
  expect(page.drafts.size).toBe(1)
  holder = minh
  await user.click(dialog.getByRole('button', { name: texts.handOverConfirm }))
  await act(settle)
  expect(page.drafts.size).toBe(0)
})

test('nothing is handed over while a message is under way, which would be refused then', async () => {
  const { server, choose } = await open()
  server.fate('send_message', 'lost')
  await act(async () => {
    page.session.sendText(key, 'Mình xem nhé')
    await settle()
  })
  const dialog = await choose()
  expect(dialog.getByRole('button', { name: texts.handOverConfirm }).getAttribute('aria-disabled')).toBe('true')
})
