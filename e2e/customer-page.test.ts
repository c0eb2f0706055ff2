import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { adminCustomerTexts as texts } from '#web/features/admin-customer/admin-customer-texts.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { accountStateTexts } from '#web/parts/account-states-texts.ts'
import { adminUserTexts } from '#web/features/admin-users/admin-user-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { type Account, aCustomer, anAdmin, aPlayer, linkBank } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, device, visit } = useProduct()
let admin: string
let player: Account
let neighbour: Account

beforeAll(async () => {
  admin = await anAdmin(server.url)
  player = await aCustomer(server.url, admin)
  neighbour = await aPlayer(server.url)
  await linkBank(server.url, neighbour)
})

const partLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: texts.parts }).getByRole('link', { name, exact: true })

/** On a phone filters stand in a sheet, else above their list. */
const openFilters = async (page: Page) => {
  if (device.hasTouch) await page.locator('[data-filters]').click()
}

describe('the page of a customer', () => {
  test('from a request’s row to its player and back, with the filters as they were', async () => {
    const { page } = await visit('/admin/transaction?status=rejected&q=nguoichoi', { token: admin })
    await page.getByRole('link', { name: player.username }).first().click()
    await page.getByRole('heading', { level: 1, name: player.username }).waitFor()
    await page.waitForURL(`**/admin/user/${player.id}`)
    await page.getByText(texts.depositRejected).waitFor()
    await page.getByRole('link', { name: commonTexts.back }).click()
    await page.waitForURL('**/admin/transaction?status=rejected&q=nguoichoi')
    await openFilters(page)
    await page.getByRole('radio', { name: adminRequestTexts.rejected, checked: true }).waitFor()
    await page.keyboard.press('Escape')
    // A card's reason is among its details.
    const shown = device.hasTouch ? page.locator('[data-row-id]') : page.getByText('Sai nội dung chuyển')
    await shown.first().waitFor()
  })

  test('each part has an address, its filters stay in it, and the acts of the list are here', async () => {
    const { page } = await visit(`/admin/user/${player.id}`, { token: admin })
    await partLink(page, texts.ledger).click()
    await page.waitForURL('**?part=ledger')
    const list = page.locator('[data-row-id]')
    await list.first().waitFor()
    expect(await list.count()).toBe(4)
    await openFilters(page)
    await page.getByRole('combobox', { name: texts.reason }).selectOption('DEPOSIT')
    await page.waitForURL('**?part=ledger&reason=DEPOSIT')
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.querySelectorAll('[data-row-id]').length === 1)
    expect(await list.textContent()).toContain('1,100')
    await page.reload()
    await page.waitForFunction(() => document.querySelectorAll('[data-row-id]').length === 1)

    await partLink(page, texts.bets).click()
    await page.waitForURL('**?part=bets')
    await list.first().waitFor()
    expect(await list.count()).toBe(1)
    await partLink(page, texts.requests).click()
    await page.waitForFunction(() => document.querySelectorAll('[data-row-id]').length === 3)
    await partLink(page, texts.banks).click()
    await page.getByRole('link', { name: neighbour.username }).click()
    await page.getByRole('heading', { level: 1, name: neighbour.username }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: player.username }).waitFor()

    await page.getByRole('button', { name: adminTableTexts.moreActions(player.username) }).click()
    await page.getByRole('menuitem', { name: adminUserTexts.freeze, exact: true }).click()
    await page.getByRole('button', { name: adminUserTexts.freezeButton }).click()
    await page.getByText(adminUserTexts.nowFrozen).waitFor()
    await page.locator('main').getByText(accountStateTexts.frozen, { exact: true }).waitFor()
    await partLink(page, texts.acts).click()
    await page.locator('[data-row-id]').first().waitFor()
    // The look and the edit.
    expect(await list.count()).toBeGreaterThanOrEqual(2)
  })

  test('an unknown address says so, and leads to the list', async () => {
    const { page } = await visit('/admin/user/01900000-0000-7000-8000-00000000dead', { token: admin })
    await page.getByText(texts.unknown).waitFor()
    await page.getByRole('link', { name: texts.toList }).click()
    await page.waitForURL('**/admin/user')
    await page.goto('/admin/user/khong-phai-ma')
    await page.getByText(texts.unknown).waitFor()
  })
})
