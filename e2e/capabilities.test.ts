import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { capabilityWords } from '#contract/capability-words.ts'
import { endpoints } from '#contract/endpoints.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { adminRoundTexts } from '#web/features/admin-rounds/admin-round-texts.ts'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { anAdmin, anotherAdmin, aPlayer, call, fileDeposit, linkBank } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, look } from './support/look.ts'
import { adminUserTexts as texts } from '#web/features/admin-users/admin-user-texts.ts'

const { server, device, visit } = useProduct({ isOwn: true })
let owner: string
beforeAll(async () => {
  owner = await anAdmin(server.url)
})

const chooseInMenu = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: adminTableTexts.moreActions(name) }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('an owner grants, and the other admin’s open screens follow without a reload', async () => {
  const player = await aPlayer(server.url)
  await linkBank(server.url, player)
  await fileDeposit(server.url, player, 10_000n)
  const other = await anotherAdmin(server.url, owner, [])

  const reading = await visit('/admin', { token: other.token })
  await reading.page.getByText(adminTexts.readOnlyText).waitFor()
  await reading.page.getByRole('banner').getByText(adminTexts.readOnly, { exact: true }).waitFor()
  expect(await reading.page.getByRole('link', { name: screenTitles.adminChat }).count()).toBe(0)
  await look(reading.page, 'overview')
  await reading.page.goto('/admin/chat')
  await reading.page.getByText(adminTexts.notAllowed(capabilityWords.care)).waitFor()
  await look(reading.page, 'no-messages')
  await reading.page.goto('/admin/game')
  await reading.page.getByRole('tablist').waitFor()
  await reading.page.getByText(adminRoundTexts.bets, { exact: false }).first().waitFor()
  expect(await reading.page.getByRole('button', { name: adminRoundTexts.setUp }).count()).toBe(0)
  await look(reading.page, 'rounds')
  await reading.page.goto('/admin/user')
  await reading.page.locator('[data-row-id]').first().waitFor()
  expect(await reading.page.getByRole('button', { name: texts.edit, exact: true }).count()).toBe(0)
  await look(reading.page, 'users')
  await reading.page.goto('/admin/transaction')
  const waiting = reading.page.locator('[data-row-id]').filter({ hasText: player.username })
  await waiting.waitFor()
  const approve = waiting.getByRole('button', { name: adminRequestTexts.approve, exact: true })
  expect(await approve.count()).toBe(0)
  expect(await failures(reading.page)).toEqual([])

  const granting = await visit('/admin/user?kind=admins', { token: owner })
  const row = granting.page.locator('[data-row-id]').filter({ hasText: other.username })
  await row.getByText(texts.readOnly, { exact: true }).waitFor()
  await chooseInMenu(granting.page, other.username, texts.capabilities)
  const dialog = granting.page.getByRole('alertdialog')
  await dialog.getByText(texts.capabilitiesNone).waitFor()
  await dialog.getByRole('switch', { name: capabilityWords.money }).check()
  expect(await failures(granting.page)).toEqual([])
  await look(granting.page, 'granting')
  await dialog.getByRole('button', { name: texts.capabilitiesButton }).click()
  await row.getByText(capabilityWords.money, { exact: true }).waitFor()

  // Nothing is pressed on the other screen.
  await approve.waitFor()
  await reading.page.getByRole('banner').getByText(adminTexts.readOnly, { exact: true }).waitFor({ state: 'detached' })

  // Taken away again while the screen is open.
  const [{ version } = { version: '' }] = await call(server.url, endpoints.listUsers, {
    token: owner,
    query: { userId: other.id },
  })
  await call(server.url, endpoints.grantCapabilities, {
    token: owner,
    params: { id: other.id },
    body: { capabilities: ['care'], version },
  })
  await approve.waitFor({ state: 'detached' })
  // A phone has the sidebar behind a button.
  if (!device.hasTouch) await reading.page.getByRole('link', { name: screenTitles.adminChat }).waitFor()
})

test('the last owner is told why the own capability stays', async () => {
  const { page } = await visit('/admin/user?kind=admins', { token: owner })
  await page.locator('[data-row-id]').first().waitFor()
  await chooseInMenu(page, 'admin', texts.capabilities)
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('switch', { name: capabilityWords.owner }).uncheck()
  await dialog.getByRole('button', { name: texts.capabilitiesButton }).click()
  await dialog.getByText('Phải còn ít nhất một quản trị viên có quyền Chủ quản').waitFor()
})
