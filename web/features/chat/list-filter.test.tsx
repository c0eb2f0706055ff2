import { act, screen, waitFor } from '@testing-library/react'
import { useSearch } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { afterEach, expect, test } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import { refusals } from '#contract/refusals.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { besideTexts as texts } from './beside-texts.ts'
import { an, type FakePage, openPage, staff } from '#web/testing/fake-chat.ts'
import { ListFilter, MoreOfTab } from './list-filter.tsx'
import { ChatSessionContext } from './use-chat.ts'

const pages: FakePage[] = []
afterEach(() => {
  for (const page of pages.splice(0)) page.session.end()
})

const [kept, handedOver] = [uuid(7), uuid(8)]

/** The filter of `staff`, whose tag two own conversations have that the session did not load. */
async function open() {
  const page = await openPage({ self: { id: staff.id, username: staff.username } })
  pages.push(page)
  const { session } = page
  const known = page.thread().conversation!
  const tagged = (id: string): Conversation => ({
    ...known,
    id,
    participants: [an, staff],
    desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: null, tags: ['gấp'] },
  })
  const server = fakeServer()
  server.on(chatTagEndpoints.listTags, () => [{ tag: 'gấp', conversations: 2 }])
  let own = [kept, handedOver]
  let delay = Promise.resolve()
  let isRefusing = false
  const asked = server.on(chatEndpoints.listConversations, async ({ query: { after } }) => {
    if (isRefusing) throw new Refused('TOO_MANY_REQUESTS')
    const { rows, meta } = onePage((after === undefined ? own : [uuid(9)]).map(tagged))
    await delay
    return { rows, meta: { ...meta, ...(after === undefined && { next: `1_${uuid(9)}` }) } }
  })
  let isHidden = false
  let hide = () => {}
  const follow = (listener: () => void) => {
    hide = listener
    return () => {}
  }
  function Filter() {
    const isAway = useSyncExternalStore(follow, () => isHidden)
    const { filter = '' } = useSearch({ strict: false })
    return (
      <ChatSessionContext value={session}>
        {!isAway && <ListFilter filter={String(filter)} />}
        {!isAway && filter !== '' && <MoreOfTab tab="mine" filter={String(filter)} />}
      </ChatSessionContext>
    )
  }
  const { user } = await draw(<Filter />, '/admin/chat')
  return {
    page,
    asked,
    readOn: () => user.click(screen.getByRole('button', { name: texts.more })),
    shown: () => [kept, handedOver].filter((id) => session.snapshot().chat.threads[id] !== undefined),
    choose: async (name: string) =>
      user.selectOptions(screen.getByRole('combobox'), await screen.findByRole('option', { name })),
    refuse: (next: boolean) => void (isRefusing = next),
    retry: async () => user.click(await screen.findByRole('button', { name: commonTexts.retry })),
    hide: (next: boolean) =>
      act(async () => {
        isHidden = next
        hide()
      }),
    /** A colleague gets one of the two; what is asked for from now on is answered once the returned function is called. */
    handOver: () => {
      page.server.emit('conversation_removed', { conversationId: handedOver, throughSeq: null })
      own = [kept]
      const { promise, resolve } = Promise.withResolvers<void>()
      delay = promise
      return resolve
    },
  }
}

test('a filter whose first page fails says so, and asks again when told to', async () => {
  const { shown, choose, refuse, retry } = await open()
  refuse(true)
  await choose(texts.tagWithCount('gấp', '2'))
  expect((await screen.findByRole('alert')).textContent).toContain(refusals.TOO_MANY_REQUESTS.message)
  refuse(false)
  await retry()
  await waitFor(() => expect(shown()).toEqual([kept, handedOver]))
  expect(screen.queryByRole('alert')).toBeNull()
})

/** Longer than anything takes that does not wait for an answer. */
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)))

test.each(['the filter is chosen again', 'the list is shown again', 'the list is read on'])(
  'a conversation that was handed over is not taken for an own one when %s',
  async (how) => {
    const { shown, asked, choose, hide, handOver, readOn } = await open()
    await choose(texts.tagWithCount('gấp', '2'))
    await waitFor(() => expect(shown()).toEqual([kept, handedOver]))
    const answer = handOver()
    expect(shown()).toEqual([kept])
    if (how === 'the filter is chosen again') {
      await choose(texts.unfiltered)
      await settle()
      await choose(texts.tagWithCount('gấp', '2'))
    } else if (how === 'the list is read on') await readOn()
    else {
      await hide(true)
      await settle()
      await hide(false)
    }
    await settle()
    expect([shown(), asked().length]).toEqual([[kept], 2])
    answer()
    await settle()
    expect(shown()).toEqual([kept])
  },
)
