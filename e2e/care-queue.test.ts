import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { mergeTexts } from '#web/features/chat/merge-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { notesTexts } from '#web/features/chat/notes-texts.ts'
import { queueTexts } from '#web/features/chat/queue-texts.ts'
import { helpTexts } from '#web/features/help/help-texts.ts'
import { anotherAdmin, aPlayer, call } from './support/api.ts'
import { useCare } from './support/chat-writer.ts'
import { failures, look } from './support/look.ts'
import { conversationRow, messageField as field, say } from './support/message-field.ts'
import { useProduct } from './support/use-product.ts'

// It counts who waits, and somebody on duty is given what others write.
const { server, visit } = useProduct({ isOwn: true })
const care = useCare(() => server.url)

const DESK = { width: 1280, height: 800 }
const tab = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })

/** A player who asks without choosing whom. */
async function asking(text: string) {
  const account = await aPlayer(server.url)
  const { page } = await visit('/support', { token: account.token })
  await page.getByRole('searchbox', { name: helpTexts.need }).fill(text)
  await page.getByRole('button', { name: helpTexts.askAnyway }).click()
  await page.getByText(chatTexts.sent).waitFor()
  return { ...account, page }
}

test('who asks without choosing waits in the queue of all staff: who answers has it, or who is on duty is given it', async () => {
  const colleague = await anotherAdmin(server.url, care.adminToken)
  const [an, binh] = await Promise.all(
    // The list stands beside the conversation all along.
    [care.adminToken, colleague.token].map(async (token) => (await visit('/admin/chat', { token, ...DESK })).page),
  )
  if (an === undefined || binh === undefined) throw new Error('There are two admins')
  for (const page of [an, binh]) await page.getByRole('switch', { name: queueTexts.onDuty }).waitFor()
  const player = await asking('Làm sao đổi mật khẩu?')
  await player.page.getByRole('heading', { name: 'CSKH', level: 2 }).waitFor()
  await look(player.page, 'care-queue-player')
  for (const page of [an, binh]) {
    await tab(page, chatTexts.tabs.waiting).filter({ hasText: '1' }).click()
    await conversationRow(page, player).getByText(chatTexts.unheldPrefix('Làm sao đổi mật khẩu?')).waitFor()
  }
  await conversationRow(an, player).click()
  await an.getByText(new RegExp(queueTexts.unheld)).last().waitFor()
  expect(await failures(an)).toEqual([])
  await look(an, 'care-queue-desk')

  // Typed at the same time: one of the two has it, and the other keeps the text and reads who.
  await conversationRow(binh, player).click()
  await field(binh).fill('Để mình xem')
  await say(an, 'Chào bạn, mình nghe')
  await player.page.getByText('Chào bạn, mình nghe').last().waitFor()
  await player.page.getByRole('heading', { name: /^admin/ }).waitFor()
  await tab(an, chatTexts.tabs.mine).click()
  await conversationRow(an, player).waitFor()
  await binh.getByText(queueTexts.takenBy('admin')).waitFor()
  expect([await field(binh).inputValue(), await field(binh).isDisabled()]).toEqual(['Để mình xem', true])
  await look(binh, 'care-queue-taken')
  expect(await failures(binh)).toEqual([])
  await conversationRow(binh, player).waitFor({ state: 'detached' })

  await binh.getByRole('switch', { name: queueTexts.onDuty }).click()
  await expect.poll(() => binh.getByRole('switch', { name: queueTexts.onDuty }).isChecked()).toBe(true)
  const other = await asking('Phiên này sao bị hoàn?')
  await tab(binh, chatTexts.tabs.mine).click()
  await conversationRow(binh, other).click()
  await binh.getByText('Phiên này sao bị hoàn?').last().waitFor()
  await other.page.getByRole('heading', { name: new RegExp(`^${colleague.username}`) }).waitFor()
  await look(binh, 'care-queue-duty')

  // By keys alone.
  await field(binh).press('Escape')
  await binh.keyboard.press('g')
  await binh.getByRole('menuitem', { name: queueTexts.putBack }).press('Enter')
  const dialog = binh.getByRole('alertdialog', { name: queueTexts.putBackTitle })
  await dialog.getByLabel(notesTexts.handOverNote).fill('Chờ phiên chốt xong')
  await dialog.getByRole('button', { name: queueTexts.putBack, exact: true }).click()
  await binh.getByText(queueTexts.isPutBack).waitFor()
  await tab(an, chatTexts.tabs.waiting).click()
  await conversationRow(an, other).click()
  await an.getByRole('button', { name: besideTexts.claim, exact: true }).click()
  await an.getByRole('button', { name: besideTexts.handOver }).waitFor()
  await an.getByText('Chờ phiên chốt xong').waitFor()
  await tab(an, chatTexts.tabs.mine).click()
  await conversationRow(an, other).waitFor()
  await conversationRow(binh, other).waitFor({ state: 'detached' })

  // The customer wrote to a colleague as well, who is done with it: both become one thread, where they are open.
  const write = await care.writer(other.token)
  await write(colleague.id, 'Mình hỏi thêm ở đây')
  const theirs = await call(server.url, endpoints.openConversation, {
    token: other.token,
    body: { participantId: colleague.id },
  })
  await call(server.url, endpoints.changeState, {
    token: colleague.token,
    params: { id: theirs.id },
    body: { state: 'done', untilMs: null, seenSeq: 1 },
  })
  await an.getByRole('button', { name: besideTexts.handOver }).click()
  await an.getByRole('menuitem', { name: mergeTexts.open }).click()
  const merging = an.getByRole('alertdialog', { name: mergeTexts.title(other.username) })
  await merging.getByRole('radio', { name: new RegExp(mergeTexts.holder(colleague.username)) }).waitFor()
  expect(await failures(an)).toEqual([])
  await look(an, 'care-merge', [390, 768, 1280])
  await merging.getByRole('button', { name: mergeTexts.confirm }).click()
  await an.getByText(mergeTexts.isMerged('2')).waitFor()
  for (const page of [an, other.page]) {
    const texts = page.getByText(/^(Phiên này sao bị hoàn\?|Mình hỏi thêm ở đây)$/)
    await page.getByText('Mình hỏi thêm ở đây').last().waitFor()
    await expect.poll(async () => new Set(await texts.allTextContents()).size).toBe(2)
  }
  await say(other.page, 'Cảm ơn bạn')
  await an.getByText('Cảm ơn bạn').last().waitFor()
  await look(an, 'care-merged', [390, 1280])
  // The link of before leads there.
  await an.goto(`${server.url}/admin/chat?conversation=${theirs.id}`)
  await an.getByText('Mình hỏi thêm ở đây').last().waitFor()
})
