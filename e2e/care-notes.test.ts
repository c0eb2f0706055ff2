import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { attentionTexts } from '#web/features/admin-attention/admin-attention-texts.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { notesTexts as texts } from '#web/features/chat/notes-texts.ts'
import { anotherAdmin, aPlayer, call } from './support/api.ts'
import { useCare } from './support/chat-writer.ts'
import { failures, look } from './support/look.ts'
import { messageField } from './support/message-field.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
const care = useCare(() => server.url)

const noteField = (page: Page) => page.getByLabel(texts.field)
const noteBy = (page: Page, author: string, text: string) =>
  page.getByRole('note', { name: texts.by(author), exact: true }).filter({ hasText: text })
const bell = (page: Page) => page.getByRole('button', { name: /^Thông báo, \d+ việc cần chú ý/ })
const mention = (page: Page) => page.getByRole('menuitem', { name: new RegExp(attentionTexts.kinds.mention) })
const desk = { width: 1280, height: 800 }

test('a note mentions a colleague, whose bell leads there; a hand-over brings a word; the player sees none of it', async () => {
  const account = await aPlayer(server.url)
  const an = await anotherAdmin(server.url, care.adminToken, ['care'])
  const binh = await anotherAdmin(server.url, care.adminToken, ['care'])
  const isMentioned = async () =>
    (await call(server.url, endpoints.attention, { token: binh.token })).items.some(({ kind }) => kind === 'mention')
  const write = await care.writer(account.token)
  await write(an.id, 'Mình đổi ngân hàng thế nào?')
  const [{ id } = { id: '' }] = await call(server.url, endpoints.listConversations, { token: account.token })

  const player = await visit(`/support?conversation=${id}`, { token: account.token })
  await player.page.getByRole('article').getByText('Mình đổi ngân hàng thế nào?').waitFor()
  const { page: his } = await visit('/admin', { token: binh.token, ...desk })
  const { page: hers } = await visit(`/admin/chat?conversation=${id}`, { token: an.token, ...desk })
  await hers.getByRole('group', { name: texts.modes }).waitFor()

  // What is typed for the player stays where it is, and so does the note.
  await messageField(hers).fill('Mình kiểm tra nhé')
  await messageField(hers).press('Escape')
  await hers.keyboard.press('n')
  await noteField(hers).pressSequentially(`Nhờ @${binh.username}`)
  await hers.getByRole('option', { name: `@${binh.username}` }).waitFor()
  await look(hers, 'note-mention', [320, 768, 1280])
  expect(await failures(hers)).toEqual([])
  await noteField(hers).press('Enter')
  await expect.poll(() => noteField(hers).inputValue()).toBe(`Nhờ @${binh.username} `)
  await noteField(hers).press('Escape')
  await noteField(hers).waitFor({ state: 'detached' })
  expect(await messageField(hers).inputValue()).toBe('Mình kiểm tra nhé')
  await hers.keyboard.press('n')
  await noteField(hers).press('End')
  await noteField(hers).pressSequentially('xem giúp: khách này nóng tính')
  await noteField(hers).press('Enter')
  await noteBy(hers, an.username, 'khách này nóng tính').waitFor()
  await expect.poll(() => noteField(hers).inputValue()).toBe('')
  await look(hers, 'note', [320, 768, 1280])
  await hers.getByRole('button', { name: texts.message, exact: true }).click()
  await messageField(hers).press('Enter')
  await player.page.getByRole('article').getByText('Mình kiểm tra nhé').waitFor()

  await bell(his).click()
  await look(his, 'note-bell', [360, 1280])
  await mention(his).click()
  const sheet = his.getByRole('dialog', { name: account.username })
  await sheet.getByText('khách này nóng tính').waitFor()
  await sheet.getByText(texts.isNews, { exact: true }).waitFor()
  await look(his, 'note-peek', [320, 768, 1280])
  expect(await failures(his)).toEqual([])
  await sheet.getByRole('button', { name: texts.write }).click()
  await noteField(his).fill('Để mình xem')
  await noteField(his).press('Enter')
  await noteBy(his, binh.username, 'Để mình xem').waitFor()
  await noteBy(hers, binh.username, 'Để mình xem').waitFor()
  await noteField(his).press('Escape')
  await noteField(his).waitFor({ state: 'detached' })
  await his.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(isMentioned).toBe(false)

  // From the same address the bell leads there again.
  await hers.getByRole('button', { name: texts.note, exact: true }).click()
  await noteField(hers).fill(`@${binh.username} cảm ơn`)
  await hers.getByRole('button', { name: texts.save }).click()
  await noteBy(hers, an.username, 'cảm ơn').waitFor()
  await expect.poll(isMentioned).toBe(true)
  await bell(his).click()
  await mention(his).click()
  await sheet.getByText('cảm ơn').waitFor()
  await expect.poll(isMentioned).toBe(false)

  await his.goto('/admin')
  await hers.getByRole('button', { name: besideTexts.handOver }).click()
  await hers.getByRole('menuitem', { name: binh.username }).click()
  const dialog = hers.getByRole('alertdialog', { name: texts.handOverTo(binh.username) })
  await dialog.getByLabel(texts.handOverNote).fill('Khách cần đổi ngân hàng')
  await look(hers, 'note-hand-over', [320, 1280])
  expect(await failures(hers)).toEqual([])
  await dialog.getByRole('button', { name: texts.handOverConfirm, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await bell(his).click()
  await mention(his).click()
  await messageField(his).waitFor()
  await noteBy(his, an.username, 'Khách cần đổi ngân hàng').waitFor()
  await expect.poll(isMentioned).toBe(false)

  await player.page.reload()
  await player.page.getByRole('article').getByText('Mình kiểm tra nhé').waitFor()
  const seen = await player.page.locator('body').innerText()
  for (const secret of ['nóng tính', 'Để mình xem', 'Khách cần đổi', texts.title, texts.note])
    expect(seen).not.toContain(secret)
})
