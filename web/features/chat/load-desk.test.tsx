import { expect, onTestFinished, test } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import { an, openPage, staff } from '#web/testing/fake-chat.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { uuid } from '#web/testing/samples.ts'
import { threadsOf } from './desk.ts'
import { loadDesk, waitingTab } from './load-desk.ts'

const perPage = 100

test('who wait are loaded as far as a tab can draw them, the next ones as these are answered, and how many is never understated', async () => {
  const { session, thread } = await openPage({ self: { id: staff.id, username: staff.username } })
  const left = new AbortController()
  onTestFinished(() => {
    left.abort()
    session.end()
  })
  const known = thread().conversation!
  const conversation = (number: number, waitingSinceMs: number | null): Conversation => ({
    ...known,
    id: uuid(number),
    participants: [{ ...an, id: `p${number}` }, staff],
    desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs },
  })
  const waiting = Array.from({ length: 1_250 }, (_, at) => conversation(1_000 + at, 1 + at))
  const asked = fakeServer().on(chatEndpoints.listConversations, ({ query: { waiting: isAsked, after = '0_' } }) => {
    if (isAsked === undefined) return onePage([])
    const from = Number(after.split('_')[0])
    const { rows, meta } = onePage(waiting.slice(from, from + perPage), waiting.length)
    const end = from + rows.length
    return { rows, meta: { ...meta, ...(end < waiting.length && { next: `${end}_${rows.at(-1)!.id}` }) } }
  })
  const shown = () => threadsOf(session.snapshot().chat, 'waiting', Date.now()).length
  const pages = () => asked().filter(({ query }) => query.waiting !== undefined).length
  const answer = (from: number, to: number) =>
    session.receiveConversations(waiting.slice(from, to).map((_, at) => conversation(1_000 + from + at, null)))
  loadDesk(session, left.signal)
  await expect.poll(shown).toBe(1_000)
  expect([pages(), waitingTab(shown())]).toEqual([10, 'Chờ trả lời 1,000+'])
  answer(0, 99)
  expect([pages(), waitingTab(shown())]).toEqual([10, 'Chờ trả lời 901+'])
  answer(99, 100)
  await expect.poll(pages).toBe(11)
  await expect.poll(() => waitingTab(shown())).toBe('Chờ trả lời 1,000+')
  answer(100, 400)
  await expect.poll(() => waitingTab(shown())).toBe('Chờ trả lời 850')
  expect(pages()).toBe(13)
})
