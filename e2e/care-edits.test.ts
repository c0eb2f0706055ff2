import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { GAP } from '#domain/chat/reply.ts'
import { actTexts } from '#web/features/chat/act-texts.ts'
import { changedTexts } from '#web/features/chat/changed-texts.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { aCustomer, aPlayer, call } from './support/api.ts'
import { useCare } from './support/chat-writer.ts'
import { failures, look } from './support/look.ts'
import { conversationRow, messageField as field } from './support/message-field.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
const care = useCare(() => server.url)
const { writer } = care

const article = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
/** By the keyboard alone, as far as the menu. */
const choose = async (page: Page, text: string, act: string) => {
  const button = article(page, text).getByRole('button', { name: /Thao tác/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: act }).click()
}

describe('a message after it was sent', () => {
  test('is edited and taken back on the other side’s screen too, also where that was away; a quote leads to its message', async () => {
    const account = await aPlayer(server.url)
    const write = await writer(account.token)
    await write(care.adminId, 'Câu hỏi đầu tiên')
    for (let n = 1; n <= 32; n++) await write(care.adminId, `Tin thứ ${n}`)
    const staff = await visit('/admin/chat', { token: care.adminToken, width: 1280, height: 800 })
    const admin = staff.page
    await conversationRow(admin, account).click()
    await admin.getByRole('button', { name: chatTexts.loadOlder }).click()
    await article(admin, 'Câu hỏi đầu tiên').waitFor()
    await choose(admin, 'Câu hỏi đầu tiên', actTexts.answer)
    await admin.getByRole('group', { name: actTexts.answering(account.username) }).waitFor()
    expect(await failures(admin)).toEqual([])
    await look(admin, 'answering', [360, 768, 1280])
    await field(admin).pressSequentially('Đây là câu trả lời')
    await field(admin).press('Enter')
    await article(admin, 'Đây là câu trả lời').getByText('Câu hỏi đầu tiên').waitFor()
    expect(await admin.getByRole('group', { name: actTexts.answering(account.username) }).count()).toBe(0)

    const { page: player } = await visit('/support', { token: account.token })
    await player.getByRole('button', { name: /Đây là câu trả lời/ }).click()
    const quote = article(player, 'Đây là câu trả lời').getByRole('button', { name: new RegExp(actTexts.quoted) })
    await quote.waitFor()
    expect(await player.getByText('Câu hỏi đầu tiên').count()).toBe(1)
    await quote.click()
    await expect
      .poll(() => player.getByRole('article').and(player.locator('[aria-current]')).innerText())
      .toContain('Câu hỏi đầu tiên')

    await field(player).fill('Mình nhầm số')
    await field(player).press('Enter')
    await article(admin, 'Mình nhầm số').waitFor()
    await field(player).fill('đang viết dở')
    await choose(player, 'Mình nhầm số', actTexts.edit)
    await player.getByRole('group', { name: actTexts.editing }).waitFor()
    await expect.poll(() => field(player).inputValue()).toBe('Mình nhầm số')
    expect(await failures(player)).toEqual([])
    await look(player, 'editing', [320, 768])
    await field(player).press('Escape')
    await expect.poll(() => field(player).inputValue()).toBe('đang viết dở')
    await choose(player, 'Mình nhầm số', actTexts.edit)
    await expect.poll(() => field(player).evaluate((one) => one === document.activeElement)).toBe(true)
    await field(player).fill('Mình gõ lại cho đúng')
    await field(player).press('Enter')
    for (const page of [player, admin])
      await article(page, 'Mình gõ lại cho đúng').getByText(changedTexts.edited).waitFor()
    expect(await admin.getByText('Mình nhầm số').count()).toBe(0)
    await expect.poll(() => field(player).inputValue()).toBe('đang viết dở')
    await expect.poll(() => field(player).evaluate((one) => one === document.activeElement)).toBe(true)
    await look(admin, 'edited', [360, 1280])

    await staff.context.setOffline(true)
    await admin.getByPlaceholder(chatTexts.connecting).waitFor()
    await choose(player, 'Mình gõ lại cho đúng', actTexts.retract)
    await player.getByRole('alertdialog').getByText(actTexts.retractText).waitFor()
    await look(player, 'asking', [360])
    await player.getByRole('alertdialog').getByRole('button', { name: actTexts.retract }).click()
    await article(player, changedTexts.retracted).waitFor()
    await player.getByRole('alertdialog').waitFor({ state: 'detached' })
    await article(admin, 'Mình gõ lại cho đúng').waitFor()
    await staff.context.setOffline(false)
    await article(admin, changedTexts.retracted).waitFor()
    expect(await admin.getByText('Mình gõ lại cho đúng').count()).toBe(0)
    for (const page of [player, admin]) expect(await failures(page)).toEqual([])
    await look(player, 'retracted', [320, 768])
    await look(admin, 'retracted-staff', [360, 1280])
    // Of others only an answer or a copy.
    await article(player, 'Đây là câu trả lời')
      .getByRole('button', { name: /Thao tác/ })
      .focus()
    await player.keyboard.press('Enter')
    expect(await player.getByRole('menuitem').allInnerTexts()).toEqual([actTexts.answer, actTexts.copy])
    await look(player, 'menu', [320])
  })
})

describe('a canned reply', () => {
  test('has the customer’s balance and latest round, and a selected gap for what nobody knows', async () => {
    const customer = await aCustomer(server.url, care.adminToken)
    const text = 'Bạn có {số dư} ở phiên {phiên}, mã {mã}.'
    await call(server.url, endpoints.saveReply, {
      token: care.adminToken,
      body: { name: 'sodu', text, isShared: false },
    })
    await (
      await writer(customer.token)
    )(care.adminId, 'Mình còn bao nhiêu?')
    const { page } = await visit('/admin/chat', { token: care.adminToken, width: 1280, height: 800 })
    await conversationRow(page, customer).click()
    await page.getByRole('button', { name: besideTexts.editReplies }).waitFor()
    await field(page).fill('/sodu')
    await page.getByRole('option', { name: /sodu/ }).waitFor()
    await field(page).press('Enter')
    await expect
      .poll(() => field(page).inputValue())
      .toMatch(new RegExp(`^Bạn có [\\d,.]+ ${commonTexts.points} ở phiên [\\d,.]+, mã ${GAP}\\.$`))
    const selected = () =>
      page.evaluate(() => {
        const { value, selectionStart, selectionEnd } = document.activeElement as HTMLTextAreaElement
        return value.slice(selectionStart, selectionEnd)
      })
    await expect.poll(selected).toBe(GAP)
  })
})
