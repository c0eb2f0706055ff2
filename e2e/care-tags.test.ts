import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { deskTexts } from '#web/features/chat/desk-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { anotherAdmin, aPlayer, call, fileDeposit, linkBank } from './support/api.ts'
import { useCare } from './support/chat-writer.ts'
import { failures, look } from './support/look.ts'
import { conversationRow, messageField as field } from './support/message-field.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
const care = useCare(() => server.url)

/** A player who wrote to an admin and has a bank. */
const aCustomer = async (adminId: string) => {
  const account = await aPlayer(server.url)
  await linkBank(server.url, account)
  const write = await care.writer(account.token)
  await write(adminId, 'Bạn ơi')
  return account
}
const meOf = (token: string) => call(server.url, endpoints.me, { token })

describe('beside the talk', () => {
  test('a tag is on a colleague’s list at once, which finds it; who types is seen before a claim', async () => {
    // Staff of this try alone, so that an earlier one leaves nothing in the list.
    const [holder, colleague] = [
      await anotherAdmin(server.url, care.adminToken),
      await anotherAdmin(server.url, care.adminToken, ['care']),
    ]
    const [account, other] = [await aCustomer(holder.id), await aCustomer(holder.id)]
    const tag = `hoàn điểm ${account.username}`
    const theirs = await visit('/admin/chat', { token: colleague.token, width: 1280, height: 800 })
    const others = theirs.page.getByRole('region', { name: besideTexts.othersConversations }).getByRole('listitem')
    const row = others.filter({ hasText: account.username })
    await theirs.page.getByRole('button', { name: chatTexts.tabs.others }).click()
    await row.waitFor()

    const { page } = await visit('/admin/chat', { token: holder.token, width: 1280, height: 800 })
    const own = conversationRow(page, account)
    await own.click()
    await field(page).waitFor()
    // By keys alone.
    await page.getByRole('button', { name: besideTexts.addTag }).press('Enter')
    await page.keyboard.type(`  Hoàn Điểm ${account.username}`)
    await page.keyboard.press('Enter')
    await row.getByText(tag).waitFor()
    await own.getByText(tag).waitFor()
    await page.keyboard.type('gấp')
    await page.keyboard.press('Enter')
    await row.getByText('gấp').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: besideTexts.removeTag('gấp') }).click()
    await row.getByText('gấp').waitFor({ state: 'detached' })

    const filter = theirs.page.getByRole('combobox', { name: besideTexts.listFilter })
    await filter.selectOption(`tag:${tag}`)
    await expect.poll(() => others.count()).toBe(1)
    await row.waitFor()
    expect(await failures(theirs.page)).toEqual([])
    await look(theirs.page, 'tags-others', [360, 768, 1280])
    await page.getByRole('combobox', { name: besideTexts.listFilter }).selectOption(`tag:${tag}`)
    await conversationRow(page, other).waitFor({ state: 'detached' })
    expect(await failures(page)).toEqual([])
    await look(page, 'tags-own', [320, 768, 1280])
    // By topic in the same place; the address has it.
    await page.getByRole('combobox', { name: besideTexts.listFilter }).selectOption('topic:bet')
    await page.getByText(besideTexts.noneFiltered).waitFor()
    expect(new URL(page.url()).searchParams.get('filter')).toBe('topic:bet')
    await page.getByRole('combobox', { name: deskTexts.topic, exact: true }).selectOption('bet')
    await own.waitFor()
    await page.reload()
    await own.click()
    await field(page).waitFor()
    await look(page, 'topic-filter', [390, 768, 1280])

    await row.getByRole('button', { name: besideTexts.peek(account.username) }).click()
    const sheet = theirs.page.getByRole('dialog', { name: account.username })
    await sheet.getByText('Bạn ơi').waitFor()
    await field(page).pressSequentially('Chào bạn')
    const answers = sheet.getByText(besideTexts.answersNow(holder.username))
    await answers.waitFor({ timeout: 1_000 })
    expect(await failures(theirs.page)).toEqual([])
    await look(theirs.page, 'tags-peek', [360, 1280])
    await field(page).pressSequentially(' nhé')
    await answers.waitFor()
    await field(page).press('Enter')
    await answers.waitFor({ state: 'detached' })
  })

  test('a withdrawal is approved beside the conversation, with its facts, and has left the player’s ledger', async () => {
    const account = await aCustomer(care.adminId)
    const before = await meOf(account.token)
    await call(server.url, endpoints.fileRequest, {
      token: account.token,
      body: { ownerId: account.id, kind: 'withdrawal', amountMinor: 10_000n },
    })
    const { page } = await visit('/admin/chat', { token: care.adminToken, width: 1280, height: 800 })
    await conversationRow(page, account).click()
    await field(page).waitFor()
    await page.getByRole('button', { name: chatTexts.customer }).click()
    const request = (place: Page, kind: string) => place.getByRole('listitem').filter({ hasText: `${kind} 100` })
    const withdrawal = request(page, adminRequestTexts.withdrawal)
    await withdrawal.getByRole('button', { name: adminRequestTexts.approve }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('TEN KHONG THAT').waitFor()
    await dialog.getByText(adminRequestTexts.afterApproval).waitFor()
    expect(await failures(page)).toEqual([])
    await dialog.getByRole('button', { name: /^Duyệt rút 100/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await withdrawal.getByText(adminRequestTexts.approved).waitFor()
    expect(await withdrawal.getByRole('button', { name: adminRequestTexts.approve }).count()).toBe(0)
    await look(page, 'panel', [1280, 1920])
    const { reservedMinor } = await call(server.url, endpoints.readCustomerPage, {
      token: care.adminToken,
      params: { id: account.id },
    })
    const after = await meOf(account.token)
    expect([before.balanceMinor - after.balanceMinor, reservedMinor]).toEqual([10_000n, 0n])

    // As a sheet, a deposit that arrives meanwhile; what it moved is in the panel's balance at once.
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('button', { name: chatTexts.customer }).click()
    const sheet = page.getByRole('dialog', { name: chatTexts.customer })
    await fileDeposit(server.url, account, 10_000n)
    const deposit = request(page, adminRequestTexts.deposit)
    await deposit.getByRole('button', { name: adminRequestTexts.approve }).waitFor()
    expect(await failures(page)).toEqual([])
    await look(page, 'panel-sheet', [320, 360])
    await page.setViewportSize({ width: 320, height: 640 })
    const balance = sheet.getByRole('heading', { name: besideTexts.balance }).locator('xpath=..')
    const shown = await balance.textContent()
    await deposit.getByRole('button', { name: adminRequestTexts.approve }).click()
    await dialog.getByRole('button', { name: /^Duyệt nạp 100/ }).click()
    await deposit.getByText(adminRequestTexts.approved).waitFor()
    await expect.poll(() => balance.textContent()).not.toBe(shown)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
  })

  test('who has no “Điểm” reads the requests and decides none', async () => {
    const [account, colleague] = [await aPlayer(server.url), await anotherAdmin(server.url, care.adminToken, ['care'])]
    await linkBank(server.url, account)
    await fileDeposit(server.url, account, 10_000n)
    await (
      await care.writer(account.token)
    )(colleague.id, 'Bạn ơi')
    const { page } = await visit('/admin/chat', { token: colleague.token, width: 1280, height: 800 })
    await conversationRow(page, account).click()
    await field(page).waitFor()
    await page.getByRole('button', { name: chatTexts.customer }).click()
    const panel = page.getByRole('complementary', { name: chatTexts.customer })
    await panel.getByRole('button', { name: /Nạp 100/ }).click()
    const details = page.getByRole('dialog', { name: adminRequestTexts.detailsTitle })
    await details.getByText('TEN KHONG THAT').first().waitFor()
    expect(await page.getByRole('button', { name: adminRequestTexts.approve }).count()).toBe(0)
  })
})
