import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import { an } from '#web/testing/fake-chat.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { chatTexts } from './chat-texts.ts'
import { StaffChat } from './staff-chat.tsx'

vi.mock(import('#web/platform/socket.ts'), async (original) => ({
  ...(await original()),
  connectionState: () => 'connected' as const,
  holdConnection: () => () => {},
}))
// The parts of the desk that are loaded later do not come.
vi.mock(import('#web/platform/lazy-part.ts'), async (original) => ({
  ...(await original()),
  afterDrawing: () => () => new Promise<never>(() => {}),
}))

test('how many wait is said before the later parts of the desk are there', async () => {
  const me = { ...sampleUser(9, { role: 'admin' }), passwordResetAtMs: null }
  const { id, username } = me
  const waits: Conversation = {
    ...{ id: uuid(50), lastMessage: null, lastSeq: 1, lastActivityAtMs: 1, createdAtMs: 1, updatedAtMs: 1 },
    ...{ isActive: true, unreadCount: 0, readSeq: 1, peerReadSeq: 0, hiddenThroughSeq: -1 },
    participants: [an, { ...an, id, username, role: 'admin' }],
    desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: 1 },
  }
  const server = fakeServer()
  server.on(chatEndpoints.listChatUsers, () => [])
  server.on(chatEndpoints.listConversations, () => onePage([waits]))
  await act(() =>
    draw(
      <StaffChat
        {...{ me, toOpen: '', sought: '', message: '', filter: '' }}
        drawCase={() => null}
        loadCustomer={() => new Promise<never>(() => {})}
      />,
      '/admin/chat',
    ),
  )
  const name = chatTexts.tabWithCount(chatTexts.tabs.waiting, '1')
  expect(await screen.findByRole('button', { name, pressed: false })).toBeTruthy()
})
