import { expect, onTestFinished, test, vi } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import type { Desk } from '#domain/chat/desk.ts'
import { an, openPage, staff } from '#web/testing/fake-chat.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { formatCount } from '#web/platform/formats.ts'
import { uuid } from '#web/testing/samples.ts'
import { type DeskTab, threadsOf } from './desk.ts'
import { loadDesk } from './load-desk.ts'

const perPage = 100

async function openDesk() {
  const { session, thread } = await openPage({ self: { id: staff.id, username: staff.username } })
  const left = new AbortController()
  onTestFinished(() => {
    left.abort()
    session.end()
  })
  const known = thread().conversation!
  const conversation = (number: number, desk: Partial<Desk>): Conversation => ({
    ...known,
    id: uuid(number),
    participants: [{ ...an, id: `p${number}` }, staff],
    desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: null, ...desk },
  })
  const load = () => loadDesk(session, threadsOf, left.signal)
  const shown = (tab: DeskTab) => threadsOf(session.snapshot().chat, tab, Date.now()).length
  const label = () => formatCount(shown('waiting')) + (session.snapshot().isMoreWaiting ? '+' : '')
  return { session, conversation, load, shown, label }
}

/** A list of the server, read on by key: `next` is the number of rows before the next page. */
function pageFrom(all: readonly Conversation[], after = '0_') {
  const from = Number(after.split('_')[0])
  const { rows, meta } = onePage(all.slice(from, from + perPage), all.length)
  const end = from + rows.length
  return { rows, meta: { ...meta, ...(end < all.length && { next: `${end}_${rows.at(-1)!.id}` }) } }
}

test('who wait are loaded as far as a tab can draw them, the next ones as these are answered, and how many is never understated', async () => {
  const { session, conversation, load, shown, label } = await openDesk()
  const waiting = Array.from({ length: 1_250 }, (_, at) => conversation(1_000 + at, { waitingSinceMs: 1 + at }))
  const asked = fakeServer().on(chatEndpoints.listConversations, ({ query }) =>
    query.waiting === undefined ? onePage([]) : pageFrom(waiting, query.after),
  )
  const pages = () => asked().filter(({ query }) => query.waiting !== undefined).length
  const answer = (from: number, to: number) =>
    session.receiveConversations(waiting.slice(from, to).map((_, at) => conversation(1_000 + from + at, {})))
  load()
  await expect.poll(() => shown('waiting')).toBe(1_000)
  expect([pages(), label()]).toEqual([10, '1,000+'])
  answer(0, 99)
  expect([pages(), label()]).toEqual([10, '901+'])
  answer(99, 100)
  await expect.poll(pages).toBe(11)
  await expect.poll(label).toBe('1,000+')
  answer(100, 400)
  await expect.poll(label).toBe('850')
  expect(pages()).toBe(13)
})

test('a tab that is nearly full is read to its end again, as after a lost connection, and not said to have more', async () => {
  const { conversation, load, label } = await openDesk()
  const waiting = Array.from({ length: 950 }, (_, at) => conversation(1_000 + at, { waitingSinceMs: 1 + at }))
  const asked = fakeServer().on(chatEndpoints.listConversations, ({ query }) =>
    query.waiting === undefined ? onePage([]) : pageFrom(waiting, query.after),
  )
  const pages = () => asked().filter(({ query }) => query.waiting !== undefined).length
  load()
  await expect.poll(label).toBe('950')
  load()
  await expect.poll(pages).toBe(20)
  await expect.poll(label).toBe('950')
})

test('own open ones that are done make room for the next ones', async () => {
  const { session, conversation, load, shown } = await openDesk()
  const own = Array.from({ length: 1_050 }, (_, at) => conversation(1_000 + at, {}))
  fakeServer().on(chatEndpoints.listConversations, ({ query }) =>
    query.state === 'open' ? pageFrom(own, query.after) : onePage([]),
  )
  const others = shown('mine')
  load()
  await expect.poll(() => shown('mine') - others).toBe(1_000)
  session.receiveConversations(own.slice(0, 100).map(({ id }) => ({ ...conversation(0, { state: 'done' }), id })))
  await expect.poll(() => shown('mine') - others).toBe(950)
})

test('whoever is refused the list is not asked for it again', async () => {
  const { load } = await openDesk()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const asked = fakeServer().on(chatEndpoints.listConversations, () => {
    throw new Refused('FORBIDDEN')
  })
  load()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked()).toHaveLength(3)
})

test('a page that fails is asked for again, and the list goes on from there', async () => {
  const { conversation, load, shown, label } = await openDesk()
  const waiting = Array.from({ length: 250 }, (_, at) => conversation(1_000 + at, { waitingSinceMs: 1 + at }))
  let fails = 1
  const asked = fakeServer().on(chatEndpoints.listConversations, ({ query }) => {
    if (query.waiting === undefined) return onePage([])
    if (query.after !== undefined && fails-- > 0) throw new Refused('DATABASE_AWAY')
    return pageFrom(waiting, query.after)
  })
  load()
  await expect.poll(() => shown('waiting')).toBe(100)
  await expect.poll(label, { timeout: 5_000 }).toBe('250')
  expect(asked().filter(({ query }) => query.waiting !== undefined)).toHaveLength(4)
})
