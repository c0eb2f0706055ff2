import { expect, test } from 'vitest'
import { totalUnread } from '#domain/chat/timeline.ts'
import { ApiError } from '#web/platform/http.ts'
import { createFakeServer, type FakePage, openPage, settle } from '#web/testing/fake-chat.ts'

/** Counts the calls for missed messages. */
function countCalls({ server: { api } }: FakePage): { calls: number } {
  const count = { calls: 0 }
  const { loadMissed } = api
  api.loadMissed = (known) => {
    count.calls += 1
    return loadMissed(known)
  }
  return count
}
const away = () => new ApiError({ status: 503, code: 'DATABASE_AWAY', message: '' })

test('after a reconnect every missed message is fetched, however many answers it takes', async () => {
  const page = await openPage()
  page.server.emit('receive_message', page.server.write('1'))
  page.session.openThread('c1')
  await settle()
  page.server.disconnect()
  for (const content of ['2', '3', '4', '5', '6']) page.server.write(content)
  const count = countCalls(page)
  page.server.connect()
  await settle()
  expect([page.contents(), count.calls]).toEqual([['1', '2', '3', '4', '5', '6'], 3])
  expect(totalUnread(page.session.snapshot().chat)).toBe(6)
})

test('after a reconnect many conversations are asked for a hundred at a time', async () => {
  const page = await openPage()
  const { api } = page.server
  const { loadMissed } = api
  const named: string[][] = []
  api.loadMissed = async (known) => {
    named.push(known.map(({ conversationId }) => conversationId))
    const answer = await loadMissed(known)
    const of = answer.conversations[0]
    if (of === undefined) throw new Error('there is no conversation')
    return { ...answer, conversations: Array.from({ length: 250 }, (_, n) => ({ ...of, id: `c${n + 1}` })) }
  }
  const reconnect = async () => {
    page.server.disconnect()
    page.server.connect()
    await settle()
    return named.splice(0)
  }
  await reconnect()
  const asked = await reconnect()
  expect(asked.map((ids) => ids.length)).toEqual([100, 100, 50])
  expect(new Set(asked.flat()).size).toBe(250)
})

test('in a thread that was never opened the unread messages are counted, and its page fills the gap', async () => {
  const page = await openPage()
  page.server.emit('receive_message', page.server.write('0'))
  page.server.disconnect()
  for (let n = 1; n < 50; n++) page.server.write(`${n}`)
  page.server.connect()
  await settle()
  expect([page.contents().length, totalUnread(page.session.snapshot().chat)]).toEqual([3, 50])
  page.session.openThread('c1')
  await page.clock.advance(1_000)
  expect(page.contents()).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`))
})

test('a message that leaves a gap: the missing one is fetched, unless it arrives in a moment', async () => {
  const page = await openPage()
  const count = countCalls(page)
  const [one, two, three] = ['1', '2', '3'].map(page.server.write)
  if (one === undefined || two === undefined || three === undefined) throw new Error('nothing was written')
  page.server.emit('receive_message', two)
  page.server.emit('receive_message', two)
  page.server.emit('receive_message', one)
  await page.clock.advance(1_000)
  expect([page.contents(), count.calls]).toEqual([['1', '2'], 0])

  page.server.write('4')
  const five = page.server.write('5')
  page.server.emit('receive_message', five)
  await page.clock.advance(399)
  expect(page.contents()).toEqual(['1', '2', '5'])
  await page.clock.advance(1)
  expect(page.contents()).toEqual(['1', '2', '3', '4', '5'])
})

test('an uninterrupted stream of messages does not delay the fetch of a missing one', async () => {
  const page = await openPage()
  page.server.write('lost')
  for (let n = 0; n < 6; n++) {
    page.server.emit('receive_message', page.server.write(`${n}`))
    await page.clock.advance(100)
  }
  expect(page.contents()[0]).toBe('lost')
})

test('an own message that leaves a gap also triggers a fetch', async () => {
  const page = await openPage()
  page.server.write('of staff, lost')
  page.session.sendText('c1', 'mine')
  await settle()
  const mine = page.server.messages[1]
  if (mine === undefined) throw new Error('nothing was stored')
  page.server.emit('message_sent', { message: mine, clientMessageId: mine.clientMessageId })
  await page.clock.advance(1_000)
  expect(page.contents()).toEqual(['of staff, lost', 'mine'])
})

test('a failed call is retried while connected', async () => {
  const page = await openPage()
  page.server.disconnect()
  page.server.write('1')
  const { loadMissed } = page.server.api
  let failures = 3
  page.server.api.loadMissed = (known) => (failures-- > 0 ? Promise.reject(away()) : loadMissed(known))
  page.server.connect()
  await settle()
  expect(page.contents()).toEqual([])
  await page.clock.advance(10_000)
  expect(page.contents()).toEqual(['1'])
})

test('an answer from before the last reconnect is followed by another call', async () => {
  const page = await openPage()
  const { loadMissed } = page.server.api
  const answers: (() => void)[] = []
  page.server.api.loadMissed = async (known) => {
    const answer = await loadMissed(known)
    await new Promise<void>((resolve) => void answers.push(resolve))
    return answer
  }
  page.server.disconnect()
  page.server.connect()
  await settle()
  // While the first answer is under way, the connection drops again and a message is missed.
  page.server.disconnect()
  page.server.write('1')
  page.server.connect()
  for (let n = 0; n < 2; n++) {
    answers[n]?.()
    await settle()
  }
  expect([answers.length, page.contents()]).toEqual([2, ['1']])
})

test('messages between the first list and the connection are fetched', async () => {
  const server = createFakeServer()
  const { loadConversations } = server.api
  let answer = (): void => {}
  server.api.loadConversations = async () => {
    const list = await loadConversations()
    await new Promise<void>((resolve) => (answer = resolve))
    return list
  }
  const page = await openPage({ server, isOffline: true })
  server.write('1')
  server.connect()
  answer()
  await settle()
  expect(page.contents()).toEqual(['1'])
})

test('a failed first list shows an error, and is loaded on connecting', async () => {
  const page = await openPage({ isOffline: true })
  page.session.end()
  const { loadConversations } = page.server.api
  page.server.api.loadConversations = () => Promise.reject(away())
  const next = await openPage({ server: page.server, isOffline: true })
  expect(next.session.snapshot()).toMatchObject({ hasConversations: false, loadFailure: expect.any(String) })
  next.server.api.loadConversations = loadConversations
  next.server.connect()
  await settle()
  expect(next.session.snapshot()).toMatchObject({ hasConversations: true, loadFailure: null })
})

test('pages: the newest on opening, the previous one on demand, each once, and a failure is shown', async () => {
  const page = await openPage()
  for (let n = 1; n <= 40; n++) page.server.write(`${n}`)
  const { loadMessages } = page.server.api
  let calls = 0
  page.server.api.loadMessages = (id, beforeSeq) => {
    calls += 1
    return calls === 2 ? Promise.reject(away()) : loadMessages(id, beforeSeq)
  }
  page.session.openThread('c1')
  expect(page.session.snapshot().pages['c1']).toBe('loading')
  await page.session.loadPage('c1')
  await settle()
  expect([calls, page.contents().length, page.contents()[0], page.thread().hasOlder]).toEqual([1, 30, '11', true])
  expect(page.server.joined).toEqual(new Set(['c1']))
  await page.session.loadPage('c1')
  expect(page.session.snapshot()).toMatchObject({ pages: { c1: { failure: expect.any(String) } } })
  expect(page.session.snapshot().alert).not.toBeNull()
  await page.session.loadPage('c1')
  expect([page.contents().length, page.contents()[0], page.thread().hasOlder]).toEqual([40, '1', false])
  page.session.closeThread()
  expect(page.server.joined.size).toBe(0)
})
