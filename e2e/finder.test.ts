import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { adminUserTexts } from '#web/features/admin-users/admin-user-texts.ts'
import { besideTexts } from '#web/features/chat/beside-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { finderTexts as texts } from '#web/features/finder/finder-texts.ts'
import { adminFinderTexts } from '#web/layout/admin-finder-texts.ts'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import {
  type Account,
  anAdmin,
  anotherAdmin,
  aPlayer,
  call,
  fileDeposit,
  linkBank,
  roundWithLeft,
} from './support/api.ts'
import { useWriters } from './support/chat-writer.ts'
import { useProduct } from './support/use-product.ts'
import { failures, look } from './support/look.ts'

const { server, device, visit } = useProduct({ isOwn: true })
const { writer } = useWriters(() => server.url)
let owner: string
let player: Account
beforeAll(async () => {
  owner = await anAdmin(server.url)
  player = await aPlayer(server.url)
  await linkBank(server.url, player)
  await fileDeposit(server.url, player, 10_000n)
})

const openFinder = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: texts.title }).waitFor()
}
const chosen = (page: Page, name: string | RegExp) => page.getByRole('option', { name, selected: true }).waitFor()

test('by keyboard alone: to a player, to a round, to an act on somebody, and back', async () => {
  const { page } = await visit('/admin/transaction', { token: owner })
  await page.locator('[data-row-id]').first().waitFor()
  await openFinder(page)
  await page.getByRole('group', { name: adminFinderTexts.pages }).waitFor()
  expect(await failures(page)).toEqual([])
  await look(page, 'finder')
  await page.keyboard.type(player.username.slice(0, -1))
  await chosen(page, new RegExp(`^${player.username}`))
  expect(await failures(page)).toEqual([])
  await look(page, 'finder-found')
  // What may be done with them, and back to the same row.
  await page.keyboard.press('ArrowRight')
  await chosen(page, adminFinderTexts.openPage)
  expect(await failures(page)).toEqual([])
  await look(page, 'finder-acts')
  await page.keyboard.press('Escape')
  await chosen(page, new RegExp(`^${player.username}`))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('so du')
  await chosen(page, adminFinderTexts.adjust)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: adminUserTexts.editTitle(player.username) }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(new RegExp(`/admin/user/${player.id}$`))
  await page.getByRole('heading', { name: player.username, level: 1 }).waitFor()

  await openFinder(page)
  await chosen(page, player.username)
  await page.keyboard.type('mở phiên 60s')
  await chosen(page, adminFinderTexts.openRound('60s'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/admin\/game\?type=60s$/)
  await page.getByRole('tab', { name: '60s', selected: true }).waitFor()

  await openFinder(page)
  await page.keyboard.type(`dong bang ${player.username}`)
  await chosen(page, texts.actOn(adminFinderTexts.freeze, player.username))
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog', { name: adminUserTexts.freezeTitle(player.username) }).waitFor()
  // Over a dialog the key does nothing.
  await page.keyboard.press('Control+k')
  expect(await page.getByRole('dialog', { name: texts.title }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.waitForURL(new RegExp(`/admin/user/${player.id}$`))
  expect(await page.getByRole('alertdialog').count()).toBe(0)

  await openFinder(page)
  await page.keyboard.type('zzqq77')
  await page.getByText(texts.nothingHint).waitFor()
  expect(await failures(page)).toEqual([])
  await look(page, 'finder-nothing')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a press opens it, too, and a bank number leads to whose it is', async () => {
  const { page } = await visit('/admin', { token: owner })
  const button = page.getByRole('button', { name: adminTexts.find })
  if (device.hasTouch) {
    const box = await button.boundingBox()
    expect([box?.width, box?.height].every((size) => (size ?? 0) >= 44)).toBe(true)
  }
  await button.click()
  await page.getByRole('combobox', { name: texts.title }).fill('6789')
  await page.getByRole('option', { name: player.username }).click()
  await page.waitForURL(`**/admin/user/${player.id}?part=banks`)
})

test('half a round’s number, an amount and an address, each by a press', async () => {
  const { page } = await visit('/admin', { token: owner })
  const round = await roundWithLeft(server.url, owner, '30s', 0)
  const number = String(round.roundNumber)
  const button = page.getByRole('button', { name: adminTexts.find })
  const field = page.getByRole('combobox', { name: texts.title })
  await button.click()
  await field.fill(`30s ${number.slice(-3)}`)
  await page.getByRole('option', { name: texts.round('30s', formatCount(Number(number))) }).click()
  await page.waitForURL(`**/admin/round/*`)
  await button.click()
  await field.fill('127.0.0.1')
  await page.getByRole('option', { name: new RegExp(`^${player.username} .*${texts.signedIn('')}`) }).waitFor()
  expect(await failures(page)).toEqual([])
  await look(page, 'finder-address')
  await field.fill('100,00')
  await page.getByRole('option', { name: texts.request('deposit', '100.00') }).click()
  await page.waitForURL(`**/admin/user/${player.id}?part=requests`)
})

test('words of a message lead to the desk, the message and all that hold them', async () => {
  const { id: ownerId } = await call(server.url, endpoints.me, { token: owner })
  const send = await writer(player.token)
  await send(ownerId, 'Cho tôi hỏi vì sao lệnh hoàn điểm')
  const { page } = await visit('/admin', { token: owner })
  await page.getByRole('button', { name: adminTexts.find }).click()
  const field = page.getByRole('combobox', { name: texts.title })
  await field.fill('lenh hoan')
  const hit = page.getByRole('option', { name: /vì sao lệnh hoàn điểm/ })
  await hit.waitFor()
  expect(await failures(page)).toEqual([])
  await look(page, 'finder-messages')
  await hit.click()
  await page.waitForURL(/\/admin\/chat\?search=lenh\+hoan&message=/)
  const list = page.getByRole('region', { name: besideTexts.foundMessages, exact: true })
  await page
    .getByRole('region', { name: chatTexts.messageList, exact: true })
    .getByText('Cho tôi hỏi vì sao lệnh hoàn điểm')
    .waitFor()
  if (!device.hasTouch) {
    await list.getByText('Cho tôi hỏi vì sao lệnh hoàn điểm').waitFor()
    expect(await page.getByRole('searchbox', { name: chatTexts.search }).inputValue()).toBe('lenh hoan')
  }
})

test('a view that is saved for the team is there for another admin, until its maker deletes it', async () => {
  // Saved views stand above tables, which a phone has not.
  if (device.hasTouch) return
  const other = await anotherAdmin(server.url, owner, [])
  const { page } = await visit('/admin/transaction?status=rejected', { token: owner })
  const openViews = (on: Page) => on.getByRole('button', { name: adminTableTexts.views, exact: true }).click()
  await openViews(page)
  await page.getByRole('menuitem', { name: adminTableTexts.saveView }).click()
  const dialog = page.getByRole('dialog', { name: adminTableTexts.viewsTitle })
  await dialog.getByLabel(adminTableTexts.viewName).fill('Đã từ chối')
  await dialog.getByRole('switch', { name: adminTableTexts.shareView }).check()
  expect(await failures(page)).toEqual([])
  await dialog.getByRole('button', { name: adminTableTexts.saveViewButton }).click()
  await page.getByText(adminTableTexts.viewSaved('Đã từ chối')).waitFor()
  await openViews(page)
  await page.getByRole('menuitem', { name: adminTableTexts.saveView }).click()
  await dialog.getByText(adminTableTexts.viewShared).waitFor()
  await look(page, 'views', [768, 1280, 1920])

  const reading = await visit('/admin/transaction', { token: other.token })
  await reading.page.getByRole('radio', { name: adminRequestTexts.rejected }).waitFor()
  await openViews(reading.page)
  const shared = reading.page.getByRole('menuitem', { name: /Đã từ chối.*của admin/ })
  await shared.click()
  await reading.page.waitForURL(/status=rejected/)

  // Once its maker has deleted it, it is gone where the other opens the list of views.
  const [view] = await call(server.url, endpoints.listViews, { token: owner, query: { list: 'giao-dich' } })
  await call(server.url, endpoints.deleteView, { token: owner, params: { id: view?.id ?? '' } })
  await openViews(reading.page)
  await reading.page.getByRole('menuitem', { name: adminTableTexts.saveView }).waitFor()
  await shared.waitFor({ state: 'detached' })
})
