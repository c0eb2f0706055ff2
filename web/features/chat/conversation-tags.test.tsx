import { screen, waitFor } from '@testing-library/react'
import { useSyncExternalStore } from 'react'
import { afterEach, expect, test } from 'vitest'
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import { refusals } from '#contract/refusals.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import { decideTags, TAGS_MAX } from '#domain/chat/tags.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { besideTexts as texts } from './beside-texts.ts'
import { ConversationTags } from './conversation-tags.tsx'
import { an, type FakePage, openPage, staff } from '#web/testing/fake-chat.ts'
import { ChatSessionContext } from './use-chat.ts'

const pages: FakePage[] = []
afterEach(() => {
  for (const page of pages.splice(0)) page.session.end()
})

/** The own conversation with `tags`, as the session has it. */
async function open(tags: readonly string[]) {
  const page = await openPage({})
  pages.push(page)
  const { session } = page
  const known = session.snapshot().chat.threads['c1']!.conversation!
  let stored: Conversation = {
    ...known,
    id: uuid(7),
    participants: [an, staff],
    desk: { state: 'open', snoozedUntilMs: null, waitingSinceMs: null, tags },
  }
  session.receiveConversations([stored])
  const server = fakeServer()
  server.on(chatTagEndpoints.listTags, () => [
    { tag: 'gấp', conversations: 3 },
    { tag: 'vip', conversations: 1 },
  ])
  const changed = server.on(chatTagEndpoints.changeTags, ({ body }) => {
    const decided = decideTags(stored.desk?.tags ?? [], body)
    if (!decided.ok) throw new Refused(decided.refusal)
    stored = { ...stored, desk: { ...stored.desk!, tags: decided.tags } }
    return stored
  })
  function Tags() {
    const { chat } = useSyncExternalStore(session.subscribe, session.snapshot)
    return (
      <ChatSessionContext value={session}>
        <ConversationTags conversation={chat.threads[uuid(7)]!.conversation!} />
      </ChatSessionContext>
    )
  }
  const { user } = await draw(<Tags />)
  return { user, changed }
}

const adder = () => screen.getByRole('button', { name: texts.addTag })
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: texts.newTag })

test('a tag is added by keys, the field stays for the next one, and Escape gives the focus back', async () => {
  const { user, changed } = await open(['gấp'])
  adder().focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(field())
  // Those in use, but for what it has.
  await waitFor(() =>
    expect([...document.querySelectorAll('datalist option')].map((one) => one.getAttribute('value'))).toEqual(['vip']),
  )
  await user.keyboard('Hoàn Điểm{Enter}')
  expect(await screen.findByText('hoàn điểm')).toBeTruthy()
  expect(changed()[0]?.body).toEqual({ add: ['Hoàn Điểm'], remove: [] })
  expect([field().value, document.activeElement]).toEqual(['', field()])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(adder()))
  await user.click(screen.getByRole('button', { name: texts.removeTag('gấp') }))
  await waitFor(() => expect(screen.queryByText('gấp')).toBeNull())
  expect(changed()[1]?.body).toEqual({ add: [], remove: ['gấp'] })
  expect(document.activeElement).toBe(adder())
})

test('what is refused stays in the field, with the reason', async () => {
  const { user } = await open([])
  await user.click(adder())
  await user.keyboard('\u200B{Enter}')
  expect(await screen.findByText(refusals.TAG_INVALID.message)).toBeTruthy()
  expect(field().value).toBe('\u200B')
})

test('with ten tags there is no field for another', async () => {
  const { user } = await open(Array.from({ length: TAGS_MAX }, (_, at) => `t${at}`))
  await user.click(adder())
  expect(screen.queryByRole('combobox')).toBeNull()
  expect(adder().getAttribute('aria-disabled')).toBe('true')
})
