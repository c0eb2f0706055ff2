import { act, screen } from '@testing-library/react'
import { useSyncExternalStore } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import { CARE_DESK, type ChatMessage, type Conversation } from '#domain/chat/conversation.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw as drawScreen } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { besideTexts } from './beside-texts.ts'
import { chatTexts } from './chat-texts.ts'
import { Composer } from './composer.tsx'
import { DeskBar } from './desk-bar.tsx'
import { deskTexts } from './desk-texts.ts'
import { an, colleague, createFakeServer, type FakePage, openPage, settle, staff } from '#web/testing/fake-chat.ts'
import { queueTexts } from './queue-texts.ts'
import { ChatSessionContext } from './use-chat.ts'

const player = { ...an, id: uuid(1), username: sampleUser(1).username }
const me = { ...staff, id: uuid(9) }
const id = uuid(51)
const conversation: Conversation = {
  ...{ id, participants: [player, me], lastMessage: null, lastSeq: 1, lastActivityAtMs: 1, createdAtMs: 1 },
  ...{ updatedAtMs: 1, isActive: true, unreadCount: 0, readSeq: 1, peerReadSeq: 0, hiddenThroughSeq: -1 },
  desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: 1 },
}

let page: FakePage
afterEach(() => page.session.end())

/** The bar of the open conversation, above its message field. */
function Desk({ onLeft }: { readonly onLeft: () => void }) {
  const { session } = page
  const { chat, attached } = useSyncExternalStore(session.subscribe, session.snapshot)
  const thread = chat.threads[id]
  if (thread === undefined) return null
  return (
    <ChatSessionContext value={session}>
      <DeskBar thread={thread} onLeft={onLeft} />
      <Composer
        thread={thread}
        isConnected
        isClosed={false}
        isStaff
        file={attached[id] ?? null}
        edited={null}
        parts={undefined}
      />
    </ChatSessionContext>
  )
}

const happens = (what: () => unknown = () => {}) =>
  act(async () => {
    await what()
    await vi.dynamicImportSettled()
    await settle()
  })

/** An own conversation whose player waits. The server's answer to a message is up to the test. */
async function draw(of = conversation) {
  const calls = fakeServer()
  calls.on(chatEndpoints.listReplies, () => [])
  calls.on(chatTagEndpoints.listTags, () => [])
  calls.on(chatEndpoints.getConversation, () => of)
  const changed = calls.on(chatEndpoints.changeState, () => ({
    ...conversation,
    lastSeq: 9,
    desk: { state: 'done', snoozedUntilMs: null, waitingSinceMs: null } as const,
  }))
  const server = createFakeServer()
  server.withoutConversation()
  server.api.loadMessages = async () => ({ messages: [], hasMore: false })
  page = await openPage({ server, self: me })
  server.emit('conversation_created', of)
  page.session.openThread(id)
  const onLeft = vi.fn<() => void>()
  const { user } = await drawScreen(<Desk onLeft={onLeft} />)
  await happens()
  const write = (seq: number, message: Partial<ChatMessage>): ChatMessage => ({
    ...{ ...server.write('Chào bạn'), id: uuid(100 + seq), conversationId: id, seq, readerIds: [] },
    ...message,
  })
  return {
    calls,
    changed,
    onLeft,
    server,
    user,
    field: screen.getByRole<HTMLTextAreaElement>('textbox', { name: chatTexts.messageLabel }),
    /** The server has stored what is on its way, behind a message that the player wrote meanwhile. */
    store: () =>
      happens(() => {
        const clientMessageId = page.thread(id).pending[0]?.clientMessageId ?? ''
        server.emit('receive_message', write(2, { sender: player }))
        server.emit('message_sent', { message: write(3, { sender: me, clientMessageId }), clientMessageId })
      }),
  }
}

const sendAndFinish = '{Control>}{Enter}{/Control}'

describe('Ctrl Enter', () => {
  test('is done once the server has stored the text, as far as the player was read when it was sent', async () => {
    const { changed, field, onLeft, server, store, user } = await draw()
    server.fate('send_message', 'lost')
    await user.type(field, `Mình xem nhé${sendAndFinish}`)
    await happens()
    expect([field.value, server.sent('send_message').length, changed()]).toEqual(['', 1, []])
    await store()
    expect(changed()).toMatchObject([{ params: { id }, body: { state: 'done', seenSeq: 1 } }])
    expect(onLeft).toHaveBeenCalledOnce()
  })

  test('waits for a picture too', async () => {
    const { changed, field, server, store, user } = await draw()
    const upload = Promise.withResolvers<{ url: string }>()
    server.api.sendFile = () => upload.promise
    await happens(() => page.session.attach(id, new File(['bytes'], 'a.png', { type: 'image/png' })))
    await user.type(field, sendAndFinish)
    await happens()
    expect([page.thread(id).pending.length, changed()]).toEqual([1, []])
    server.fate('send_message', 'lost')
    await happens(() => upload.resolve({ url: '/api/v1/files/a.png' }))
    expect(changed()).toEqual([])
    await store()
    expect(changed()).toHaveLength(1)
  })

  test('is not done where the message is refused, also not by the keys alone while it stands there', async () => {
    const { changed, field, server, user } = await draw()
    server.fate('send_message', { code: 'MESSAGE_INVALID' })
    await user.type(field, `Mình xem nhé${sendAndFinish}`)
    await happens()
    expect(page.thread(id).pending).toMatchObject([{ state: 'failed' }])
    await user.type(field, sendAndFinish)
    await happens()
    // What was refused is gone, and what was wished before with it.
    await happens(() => page.session.discard(page.thread(id).pending[0]?.clientMessageId ?? ''))
    expect([page.thread(id).pending, changed()]).toEqual([[], []])
  })

  test('is not done under a text that is begun meanwhile', async () => {
    const { changed, field, onLeft, server, store, user } = await draw()
    server.fate('send_message', 'lost')
    await user.type(field, `Mình xem nhé${sendAndFinish}`)
    await user.type(field, 'Còn nữa')
    await store()
    expect([field.value, page.thread(id).pending, changed()]).toEqual(['Còn nữa', [], []])
    await user.clear(field)
    await happens()
    expect([changed(), onLeft.mock.calls]).toEqual([[], []])
  })
})

describe('“Xong”', () => {
  const button = () => screen.getByRole('button', { name: new RegExp(`^${deskTexts.done}`) })

  test('waits for the message under way, also with its key, and not for the text that is begun', async () => {
    const { changed, field, server, store, user } = await draw()
    server.fate('send_message', 'lost')
    await user.type(field, 'Mình xem nhé{Enter}Còn nữa{Escape}e')
    await happens()
    expect([button().getAttribute('aria-disabled'), changed()]).toEqual(['true', []])
    await store()
    expect(changed()).toMatchObject([{ params: { id }, body: { state: 'done', seenSeq: 1 } }])
  })

  test('is not done where that message is discarded with its conversation', async () => {
    const { changed, field, server, user } = await draw()
    server.fate('send_message', 'lost')
    await user.type(field, 'Mình xem nhé{Enter}{Escape}e')
    await happens(() => page.session.removeThread(id, 0))
    expect(changed()).toEqual([])
  })

  test('is not done where that message is refused, and is done beside one that stands there refused', async () => {
    const { changed, field, server, user } = await draw()
    const upload = Promise.withResolvers<{ url: string }>()
    server.api.sendFile = () => upload.promise
    server.fate('send_message', { code: 'MESSAGE_INVALID' })
    await happens(() => page.session.attach(id, new File(['bytes'], 'a.png', { type: 'image/png' })))
    await user.type(field, '{Enter}')
    await user.click(button())
    await happens(() => upload.resolve({ url: '/api/v1/files/a.png' }))
    expect([page.thread(id).pending.map(({ state }) => state), changed()]).toEqual([['failed'], []])
    await user.click(button())
    await happens()
    expect(changed()).toHaveLength(1)
  })
})

describe('one that a colleague took before a late list put it in the queue again', () => {
  const inQueue: Conversation = {
    ...conversation,
    participants: [player, { ...CARE_DESK, isOnline: false, lastSeenAtMs: null }],
  }
  /** Nothing but the answer to a call says who holds it. */
  async function drawTaken() {
    const drawn = await draw(inQueue)
    const held: Conversation = { ...conversation, participants: [player, colleague] }
    drawn.calls.on(chatEndpoints.getConversation, () => held)
    return drawn
  }
  const taken = () => screen.queryByText(queueTexts.takenBy(colleague.username))

  test('is theirs once a claim is refused, and gone from the list once it is closed', async () => {
    const { calls, user } = await drawTaken()
    calls.on(chatEndpoints.changeHolder, () => {
      throw new Refused('HOLDER_CHANGED')
    })
    expect(taken()).toBeNull()
    await user.click(screen.getByRole('button', { name: besideTexts.claim }))
    await happens()
    expect([taken() !== null, screen.queryByRole('button', { name: besideTexts.claim })]).toEqual([true, null])
    await happens(() => page.session.closeThread())
    expect(page.session.snapshot().chat.threads).toEqual({})
  })

  test('is theirs once a message is refused, which stays with its reason until it is closed', async () => {
    const { field, server, user } = await drawTaken()
    server.fate('send_message', { code: 'HOLDER_CHANGED' })
    await user.type(field, 'Mình xem nhé{Enter}')
    await happens()
    expect(taken()).not.toBeNull()
    expect(page.thread(id).pending).toMatchObject([{ state: 'failed', content: 'Mình xem nhé', reason: 'Không được' }])
    await happens(() => page.session.closeThread())
    expect([page.session.snapshot().chat.threads, page.device.size]).toEqual([{}, 0])
  })
})
