import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chatEndpoints } from '#contract/chat.ts'
import { openPage, staff } from '#web/testing/fake-chat.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { deskTexts as texts } from './desk-texts.ts'
import { RepliesSheet } from './replies-sheet.tsx'
import { ChatSessionContext } from './use-chat.ts'

test('a reply is shared only where its own switch says so, not since the one before was', async () => {
  const { session } = await openPage({ self: { id: staff.id, username: staff.username } })
  const server = fakeServer()
  server.on(chatEndpoints.listReplies, () => [])
  const saved = server.on(chatEndpoints.saveReply, ({ body }) => ({ id: uuid(1), maker: staff, ...body }))
  const { user } = await draw(
    <ChatSessionContext value={session}>
      <RepliesSheet onClose={() => {}} />
    </ChatSessionContext>,
  )
  const save = async (name: string) => {
    await user.type(screen.getByRole('textbox', { name: texts.replyName }), name)
    await user.type(screen.getByRole('textbox', { name: texts.replyText }), 'Xin chào')
    await user.click(screen.getByRole('button', { name: texts.saveReply }))
  }
  await user.click(await screen.findByRole('switch', { name: texts.replyShared }))
  await save('nhom')
  await waitFor(() => expect(saved()).toHaveLength(1))
  await save('rieng')
  await waitFor(() => expect(saved()).toHaveLength(2))
  expect(saved().map(({ body }) => [body.name, body.isShared])).toEqual([
    ['nhom', true],
    ['rieng', false],
  ])
  session.end()
})
