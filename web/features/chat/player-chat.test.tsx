import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import { replyTimeEndpoints } from '#contract/reply-time.ts'
import { staff } from '#web/testing/fake-chat.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser } from '#web/testing/samples.ts'
import { chatTexts } from './chat-texts.ts'
import { PlayerChat } from './player-chat.tsx'

const line = vi.hoisted(() => ({ state: 'connected' as 'connected' | 'lost', changed: () => {} }))
vi.mock(import('#web/platform/socket.ts'), async (original) => ({
  ...(await original()),
  connectionState: () => line.state,
  holdConnection: () => () => {},
  onConnectionChanged: (listener) => {
    line.changed = listener
    return () => {}
  },
  stayJoined: () => () => {},
}))

test('a question that cannot be sent, since the connection is just gone, stands in the field', async () => {
  const server = fakeServer()
  server.on(chatEndpoints.listChatUsers, () => [staff])
  server.on(chatEndpoints.listConversations, () => onePage([]))
  server.on(replyTimeEndpoints.readReplyTime, () => ({ usualMs: null }))
  const settle = () =>
    act(async () => {
      await vi.dynamicImportSettled()
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
  const { user } = await act(() =>
    draw(
      <PlayerChat
        me={{ ...sampleUser(1), passwordResetAtMs: null }}
        about=""
        toOpen=""
        drawCase={() => null}
        askFirst={({ text, onType, onAsk }) => (
          <>
            <input aria-label="Cần gì?" value={text} onChange={({ target }) => onType(target.value)} />
            <button type="button" onClick={() => onAsk('Vì sao lệnh hoàn điểm?')}>
              Hỏi
            </button>
          </>
        )}
      />,
    ),
  )
  await settle()
  line.state = 'lost'
  await user.click(screen.getByRole('button', { name: 'Hỏi' }))
  await settle()
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: chatTexts.messageLabel })
  expect(field.value).toBe('Vì sao lệnh hoàn điểm?')

  // The page knows by now that the connection is gone. The next question stands below the one that waits.
  act(line.changed)
  await user.click(screen.getByRole('button', { name: chatTexts.back }))
  await user.click(await screen.findByRole('button', { name: 'Hỏi' }))
  await settle()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: chatTexts.messageLabel }).value).toBe(
    'Vì sao lệnh hoàn điểm?\nVì sao lệnh hoàn điểm?',
  )

  // What is typed is there again after a look at a conversation, until it is asked.
  const need = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Cần gì?' })
  await user.click(screen.getByRole('button', { name: chatTexts.back }))
  await user.type(await need(), 'rút điểm')
  await user.click(screen.getByRole('button', { name: /Nhắn tin cho.*staff/ }))
  await settle()
  await user.click(screen.getByRole('button', { name: chatTexts.back }))
  expect((await need()).value).toBe('rút điểm')
  await user.click(screen.getByRole('button', { name: 'Hỏi' }))
  await settle()
  await user.click(screen.getByRole('button', { name: chatTexts.back }))
  expect((await need()).value).toBe('')
})

test('a carried case fills the field of the thread with customer care, which opens where there is no other', async () => {
  line.state = 'connected'
  const server = fakeServer()
  server.on(chatEndpoints.listChatUsers, () => [])
  server.on(chatEndpoints.listConversations, () => onePage([]))
  server.on(replyTimeEndpoints.readReplyTime, () => ({ usualMs: null }))
  let sent = 0
  const { user } = await act(async () => {
    const drawn = await draw(
      <PlayerChat
        me={{ ...sampleUser(2), passwordResetAtMs: null }}
        about="Vì sao lệnh hoàn điểm?"
        onAboutSent={() => (sent += 1)}
        toOpen=""
        drawCase={() => null}
      />,
    )
    await vi.dynamicImportSettled()
    await new Promise((resolve) => setTimeout(resolve, 50))
    return drawn
  })
  // There is no conversation to choose, so that with customer care opens by itself.
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: chatTexts.messageLabel })
  expect(field.value).toBe('Vì sao lệnh hoàn điểm?')
  // Once it is sent, the address is told to carry it no longer: a way back would announce it again.
  expect(sent).toBe(0)
  await user.type(field, ' Cảm ơn{Enter}')
  await waitFor(() => expect([field.value, sent]).toEqual(['', 1]))
})
