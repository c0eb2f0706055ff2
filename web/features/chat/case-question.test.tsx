import { act, screen, waitFor } from '@testing-library/react'
import { useSyncExternalStore } from 'react'
import { afterEach, expect, test } from 'vitest'
import { careCaseEndpoints } from '#contract/care-cases.ts'
import type { Thread } from '#domain/chat/thread.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { CaseQuestion } from './case-question.tsx'
import { caseTexts as texts } from './case-texts.ts'
import { an, type FakePage, openPage } from '#web/testing/fake-chat.ts'

const pages: FakePage[] = []
afterEach(() => {
  for (const page of pages.splice(0)) page.session.end()
})

/** The open conversation of a player whose first case is done, with what happens in it. */
async function open() {
  const page = await openPage({})
  pages.push(page)
  const known = page.thread()
  const message = { ...page.server.write('Đã xong'), conversationId: uuid(7) }
  const server = fakeServer()
  let question = { isAsked: true, lastSeq: 1 }
  server.on(careCaseEndpoints.readCaseQuestion, () => question)
  const rated = server.on(careCaseEndpoints.rateCase, () => null)
  let thread: Thread = {
    ...known,
    key: uuid(7),
    conversation: { ...known.conversation!, id: uuid(7) },
    messages: [message],
  }
  let show = () => {}
  const follow = (listener: () => void) => {
    show = listener
    return () => {}
  }
  function Question() {
    return <CaseQuestion thread={useSyncExternalStore(follow, () => thread)} selfId={an.id} />
  }
  const { user } = await draw(<Question />)
  /** A change of the conversation, with the message that caused it, if one did. */
  const change = async (next: typeof question, sender?: Thread['messages'][number]['sender']) => {
    question = next
    const { conversation, messages } = thread
    const seq = messages.length + 1
    thread = {
      ...thread,
      conversation: { ...conversation!, updatedAtMs: conversation!.updatedAtMs + 1 },
      messages: sender === undefined ? messages : [...messages, { ...message, id: uuid(seq), seq, sender }],
    }
    await act(async () => {
      show()
      await new Promise((resolve) => setTimeout(resolve, 20))
    })
  }
  return { user, rated, change, staff: message.sender }
}

const form = () => screen.findByRole('form', { name: texts.question })
const isChosen = () => screen.getAllByRole<HTMLInputElement>('radio').some(({ checked }) => checked)

test('each case has a question of its own, whatever was said of the one before', async () => {
  const { user, rated, change, staff } = await open()
  await form()
  await user.click(screen.getByRole('radio', { name: texts.answers.bad }))
  await user.type(screen.getByRole('textbox', { name: texts.more }), 'Chậm')
  // Staff who write after the end begin no case.
  await change({ isAsked: true, lastSeq: 2 }, staff)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: texts.more }).value).toBe('Chậm')
  await user.click(screen.getByRole('button', { name: texts.send }))
  await screen.findByText(texts.thanks)
  // The player's next message begins the second case.
  await change({ isAsked: false, lastSeq: 3 }, an)
  await waitFor(() => expect(screen.queryByText(texts.thanks)).toBeNull())
  await change({ isAsked: false, lastSeq: 4 }, staff)
  await change({ isAsked: true, lastSeq: 4 })
  await form()
  expect(isChosen()).toBe(false)
  await user.click(screen.getByRole('button', { name: texts.skip }))
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
  await change({ isAsked: false, lastSeq: 5 }, an)
  await change({ isAsked: true, lastSeq: 6 }, staff)
  await form()
  expect(rated().map(({ body }) => body)).toEqual([
    { satisfaction: 'bad', text: 'Chậm' },
    { satisfaction: null, text: '' },
  ])
})
