import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { queryClient } from '#web/platform/query-client.ts'
import { chatTexts } from './chat-texts.ts'
import { an, type FakePage, openPage, settle } from './fake-chat.ts'
import { MessageRow } from './message-bubble.tsx'
import { MessageList } from './message-list.tsx'
import { rowsOf } from './rows.ts'
import { ChatSessionContext, useShownMessages } from './use-chat.ts'

function draw({ session, thread }: FakePage): string {
  return renderToStaticMarkup(
    <ChatSessionContext value={session}>
      <MessageList thread={thread()} self={an} snapshot={session.snapshot()} onOpenImage={() => {}} />
    </ChatSessionContext>,
  )
}

/** The rows of the list one by one: the list itself draws those near the screen, and here there is none. */
function Rows({ page: { session, thread, clock } }: { readonly page: FakePage }) {
  return rowsOf(useShownMessages(thread(), an), clock.nowMs(), null).map((row) => (
    <MessageRow
      key={row.key}
      row={row}
      upload={session.snapshot().uploads[row.message.clientMessageId]}
      onOpenImage={() => {}}
      onSendAgain={() => {}}
      onDiscard={() => {}}
    />
  ))
}
const drawRows = (page: FakePage): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <ChatSessionContext value={page.session}>
        <Rows page={page} />
      </ChatSessionContext>
    </QueryClientProvider>,
  )

test('until its page is there the list waits; a page that failed says so and can be asked for again', async () => {
  const page = await openPage()
  const { loadMessages } = page.server.api
  page.server.api.loadMessages = () => Promise.reject(new Error('no'))
  page.session.openThread('c1')
  expect(draw(page)).not.toContain(chatTexts.emptyConversation)
  await settle()
  expect(draw(page)).toContain(chatTexts.messagesLoadFailed)
  page.server.api.loadMessages = loadMessages
  await page.session.loadPage('c1')
  expect(draw(page)).toContain(chatTexts.emptyConversation)
})

test('older messages are offered while there are some, and the button is busy while they are loaded', async () => {
  const page = await openPage()
  for (let n = 1; n <= 40; n++) page.server.write(`${n}`)
  page.session.openThread('c1')
  await settle()
  expect(draw(page)).toContain(chatTexts.loadOlder)
  expect(draw(page)).not.toContain('aria-disabled="true"')
  const older = page.session.loadPage('c1')
  expect(draw(page)).toContain('aria-disabled="true"')
  await older
  expect(draw(page)).not.toContain(chatTexts.loadOlder)
})

test('an own message is on its way, sent, then seen', async () => {
  const page = await openPage()
  page.server.fate('send_message', 'lost')
  page.session.sendText('c1', 'Xin chào')
  expect(drawRows(page)).toContain(chatTexts.sending)
  await page.clock.advance(10_000)
  expect(drawRows(page)).toContain(chatTexts.sent)
  page.server.emit('message_read', { conversationId: 'c1', readerId: 'staff', messageId: 'm1', readSeq: 1, atMs: 1 })
  expect(drawRows(page)).toContain(chatTexts.seen)
})

test('a message that failed says why, and offers to be sent again or thrown away', async () => {
  const page = await openPage()
  page.server.fate('send_message', { code: 'MESSAGE_INVALID' })
  page.session.sendText('c1', 'Xin chào')
  await settle()
  const html = drawRows(page)
  for (const text of ['Xin chào', 'Không được', chatTexts.sendAgain, chatTexts.discard]) expect(html).toContain(text)
  page.server.emit('receive_message', page.server.write('Chào bạn'))
  page.session.discard(page.thread().pending[0]?.clientMessageId ?? '')
  const after = drawRows(page)
  expect(after).toContain('Chào bạn')
  for (const text of [chatTexts.sendAgain, chatTexts.sent, chatTexts.sending]) expect(after).not.toContain(text)
})

test('an image on its way is drawn from this device, with how much of it has left', async () => {
  const page = await openPage()
  page.server.api.sendFile = (_file, onProgress) => {
    onProgress(0.25)
    return new Promise(() => {})
  }
  page.session.sendImage('c1', new File(['x'], 'a.png', { type: 'image/png' }))
  await settle()
  const html = drawRows(page)
  expect(html).toMatch(/<img src="blob:/)
  expect(html).toContain('aria-valuenow="25"')
  page.session.end()
})
