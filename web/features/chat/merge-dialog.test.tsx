import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { changedTexts } from './changed-texts.ts'
import { openPage } from '#web/testing/fake-chat.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { ChatSessionContext } from './use-chat.ts'

test('a last message that was taken back is said to be that', async () => {
  const { session, server, thread } = await openPage()
  const last = { ...server.write('nhầm'), content: '', isRetracted: true }
  const own = thread()
  const other = { ...own.conversation!, id: 'c2', lastMessage: last }
  await draw(
    <ChatSessionContext value={session}>
      <MergeDialog thread={own} others={[other]} onClose={() => {}} />
    </ChatSessionContext>,
  )
  expect(screen.getByRole('radio', { name: new RegExp(changedTexts.retracted) })).toBeTruthy()
  session.end()
})
