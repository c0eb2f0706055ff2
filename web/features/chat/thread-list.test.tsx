import { act, screen } from '@testing-library/react'
import { useSyncExternalStore } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { commonTexts } from '#web/platform/texts.ts'
import { recordServerTime, resetServerTime } from '#web/platform/server-time.ts'
import { openPage, settle } from '#web/testing/fake-chat.ts'
import { draw } from '#web/testing/render.tsx'
import { chatTexts } from './chat-texts.ts'
import { ThreadList } from './thread-list.tsx'

function setServerTime(serverTimeMs: number): void {
  const now = Date.now()
  recordServerTime({ serverTimeMs, sentAtMs: now, receivedAtMs: now })
}

test('a row names the day of its newest message anew after midnight', async () => {
  onTestFinished(resetServerTime)
  const { session, server } = await openPage()
  function List() {
    const { chat } = useSyncExternalStore(session.subscribe, session.snapshot)
    return <ThreadList chat={chat} onOpen={() => {}} />
  }
  const sentAtMs = Date.parse('2026-11-20T12:00:00+07:00')
  setServerTime(sentAtMs)
  await draw(<List />)
  act(() => server.emit('receive_message', { ...server.write('Chào bạn'), sentAtMs }))
  const row = screen.getByRole('button')
  expect(row.textContent).toContain('12:00')
  act(() => setServerTime(sentAtMs + 86_400_000))
  expect(row.textContent).toContain(commonTexts.yesterday)
  session.end()
})

test('a row says that its newest message was refused, until a later message is there', async () => {
  const { session, server, clock } = await openPage()
  function List() {
    const { chat } = useSyncExternalStore(session.subscribe, session.snapshot)
    return <ThreadList chat={chat} onOpen={() => {}} />
  }
  await draw(<List />)
  server.fate('send_message', { code: 'MESSAGE_INVALID' })
  await act(async () => {
    session.sendText('c1', 'Cho mình hỏi')
    await settle()
  })
  const row = screen.getByRole('button')
  expect(row.textContent).toContain(chatTexts.failedPrefix('Cho mình hỏi'))
  act(() => server.emit('receive_message', { ...server.write('Chào bạn'), sentAtMs: clock.nowMs() + 1 }))
  expect(row.textContent).not.toContain('Cho mình hỏi')
  expect(row.textContent).toContain('Chào bạn')
  session.end()
})
