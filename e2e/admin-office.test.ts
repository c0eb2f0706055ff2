import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { adminBetTexts } from '#web/features/admin-bets/admin-bet-texts.ts'
import { adminRequestTexts } from '#web/features/admin-requests/admin-request-texts.ts'
import { adminRoundTexts } from '#web/features/admin-rounds/admin-round-texts.ts'
import { adminTableTexts } from '#web/lists/table-texts.ts'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { adminUserTexts } from '#web/features/admin-users/admin-user-texts.ts'
import { shellTexts } from '#web/layout/layout-texts.ts'
import { commonTexts, screenTitles } from '#web/platform/texts.ts'
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
import { useProduct } from './support/use-product.ts'

const { server, device, visit } = useProduct({ isOwn: true })
let admin: string
let other: Account
beforeAll(async () => {
  admin = await anAdmin(server.url)
  other = await anotherAdmin(server.url, admin)
})

/** The rows and cards of a list. */
const rows = (page: Page) => page.locator('[data-row-id]')
const rowOf = (page: Page, name: string) => rows(page).filter({ has: page.getByText(name, { exact: true }) })
const up = `${adminRoundTexts.up} ▲`
/** A form, or a confirmation. */
const dialogOf = (page: Page) => page.locator('[role="dialog"],[role="alertdialog"]')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const chooseInMenu = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: adminTableTexts.moreActions(name) }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const userNow = async (id: string) => {
  const [user] = await call(server.url, endpoints.listUsers, { token: admin, query: { userId: id } })
  if (user === undefined) throw new Error('The user is not in the list.')
  return user
}
/** A player with a linked bank and a pending deposit. */
const aDepositor = async (amountMinor: bigint) => {
  const player = await aPlayer(server.url)
  await linkBank(server.url, player)
  const { id } = await fileDeposit(server.url, player, amountMinor)
  return { player, requestId: id }
}
const decideAll = async () => {
  const pending = await call(server.url, endpoints.listRequests, { token: admin, query: { status: 'pending' } })
  for (const { id } of pending)
    await call(server.url, endpoints.decideRequest, {
      token: admin,
      params: { id },
      body: { verdict: 'rejected', reason: 'Dọn', from: 'pending' },
    })
}

describe('two administrators', () => {
  test('the other admin sees a decision at once, and a second decision of the same request names the first admin', async () => {
    const first = await aDepositor(10_000n)
    const second = await aDepositor(20_000n)
    const one = (await visit('/admin/transaction', { token: admin })).page
    const two = (await visit('/admin/transaction', { token: other.token })).page
    await two.getByText(adminRequestTexts.waiting('2')).waitFor()

    await rowOf(two, first.player.username).getByRole('button', { name: adminRequestTexts.approve }).click()
    await dialogOf(two).getByText(adminRequestTexts.approveDeposit(first.player.username, '100.00')).waitFor()
    await rowOf(one, first.player.username).getByRole('button', { name: adminRequestTexts.approve }).click()
    await press(one, adminRequestTexts.approveDepositButton('100.00'))
    await one.getByText(adminRequestTexts.approved1(first.player.username, '100.00')).waitFor()

    await dialogOf(two).getByText(adminRequestTexts.justDecided('admin')).waitFor()
    const confirm = two.getByRole('button', { name: adminRequestTexts.approveDepositButton('100.00') })
    expect(await confirm.isDisabled()).toBe(true)
    await press(two, commonTexts.back)
    await rowOf(two, first.player.username).getByText(adminRequestTexts.justDecided('admin')).waitFor()
    await two.getByText(adminRequestTexts.waiting('1')).waitFor()
    if (device.hasTouch) await press(two, adminTexts.toggleSidebar)
    await two.getByText(adminTexts.pendingBadge('1')).waitFor({ state: 'attached' })
    if (device.hasTouch) await press(two, adminTexts.closeSidebar)

    // Without the refreshed list the second admin's decision reaches the server, which refuses it by code.
    await two.route(/\/api\/v1\/transaction\?/, (route) => route.abort())
    await rowOf(two, second.player.username).getByRole('button', { name: adminRequestTexts.approve }).click()
    await dialogOf(two).waitFor()
    await call(server.url, endpoints.decideRequest, {
      token: admin,
      params: { id: second.requestId },
      body: { verdict: 'rejected', reason: 'Sai nội dung', from: 'pending' },
    })
    const answer = two.waitForResponse((response) => response.request().method() === 'PATCH')
    await press(two, adminRequestTexts.approveDepositButton('200.00'))
    expect((await answer).status()).toBe(409)
    await dialogOf(two).getByText(adminRequestTexts.justDecided('admin')).waitFor()
    expect((await userNow(second.player.id)).balanceMinor).toBe(100_000n)
    expect((await userNow(first.player.id)).balanceMinor).toBe(110_000n)
  })
})

describe('one administrator', () => {
  test('sets a demonstration account to win, to lose and back to fair, and is shown what the player will see', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit(`/admin/user?q=${player.username}`, { token: admin })
    await rowOf(page, player.username).waitFor()
    const { toWin, winText, toLose, loseText, toFair, fairText } = adminUserTexts
    for (const [item, text, shown, done, outcome] of [
      [toWin, winText, 'auto win', adminUserTexts.nowScripted('auto win'), 'win'],
      [toLose, loseText, 'auto lose', adminUserTexts.nowScripted('auto lose'), 'lose'],
      [toFair, fairText, null, adminUserTexts.madeFair, null],
    ] as const) {
      await chooseInMenu(page, player.username, item)
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText(text(player.username)).waitFor()
      if (shown !== null) await dialog.getByText(adminUserTexts.shownToPlayer(shown)).waitFor()
      await dialog.getByRole('button', { name: item }).click()
      await page.getByText(done, { exact: true }).waitFor()
      expect((await userNow(player.id)).scriptedOutcome).toBe(outcome)
    }
  })

  test('sets a round’s result once, is shown what that means, and removes a settled bet from the list alone', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/admin/game?type=120s', { token: admin })
    const round = await roundWithLeft(server.url, admin, '120s', 25_000)
    const place = () =>
      call(server.url, endpoints.placeBet, {
        token: player.token,
        body: { roundId: round.id, direction: 'up', stakeMinor: 1_000n, seenBasis: 'PRICE' },
      })
    const bet = await place()
    await page.getByRole('button', { name: adminRoundTexts.setUp }).click()
    const dialog = dialogOf(page)
    await dialog.getByText(adminRoundTexts.setText(up)).waitFor()
    await dialog.getByText(adminRoundTexts.setShown).waitFor()
    await dialog.getByText(adminRoundTexts.setStanding('1', '10', '0')).waitFor()
    await press(page, adminRoundTexts.setButton(up))
    await page.getByText(adminRoundTexts.announcedAs(up)).first().waitFor()
    expect(await page.getByRole('button', { name: adminRoundTexts.setDown }).count()).toBe(0)
    const again = { token: admin, params: { id: round.id }, body: { result: 'down' as const } }
    await expect(call(server.url, endpoints.setResult, again)).rejects.toThrow(/409.*RESULT_ALREADY_SET/)

    // The running round is deleted, its bet is void and settled, and can be removed from the list.
    await press(page, adminRoundTexts.remove)
    await dialog.getByText(adminRoundTexts.removeRunning('1', '10')).waitFor()
    await press(page, adminRoundTexts.removeButton)
    await page.getByText(adminRoundTexts.deletedRound).waitFor()
    await page.goto(`/admin/history?q=${player.username}`)
    await rowOf(page, player.username).waitFor()
    await chooseInMenu(page, player.username, adminBetTexts.remove)
    await page.getByText(adminBetTexts.removeText(player.username, '10', adminBetTexts.voided)).waitFor()
    await press(page, adminBetTexts.remove)
    await page.getByText(adminTableTexts.noResults).waitFor()
    const kept = await call(server.url, endpoints.listOwnBets, { token: player.token, query: {} })
    expect(kept).toMatchObject([{ id: bet.id, status: 'voided' }])
  })

  test('takes the list along as a file that runs no formula', async () => {
    const player = await aPlayer(server.url)
    await linkBank(server.url, player)
    await call(server.url, endpoints.fileRequest, {
      token: player.token,
      body: { ownerId: player.id, kind: 'deposit', amountMinor: 12_300n, memo: '=1+1' },
    })
    const { page } = await visit(`/admin/transaction?q=${player.username}`, { token: admin })
    await rowOf(page, player.username).waitFor()
    const download = page.waitForEvent('download')
    await press(page, adminTableTexts.exportCsv)
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^giao-dich-\d\d-\d\d-\d{4}\.csv$/)
    const text = await readFile(await file.path(), 'utf8')
    expect(text.startsWith('\uFEFF')).toBe(true)
    const [head, line] = text.slice(1).split('\r\n')
    expect(head).toContain(adminRequestTexts.amount)
    expect(line).toContain(`${player.username},`)
    expect(line).toContain(',123.00,')
    expect(line).toContain(`'=1+1`)
    await decideAll()
  })

  test('finds a sidebar that remembers, by key on a wide screen and off-canvas on a phone', async () => {
    const { page } = await visit('/admin', { token: admin })
    const toggle = page.getByRole('button', { name: adminTexts.toggleSidebar })
    const isExpanded = () => toggle.getAttribute('aria-expanded')
    await toggle.waitFor()
    const hasFocusInside = () =>
      page.evaluate(
        () => document.activeElement?.closest('[role="dialog"]') !== null && document.activeElement !== null,
      )
    if (device.hasTouch) {
      await toggle.click()
      const sheet = page.getByRole('dialog', { name: adminTexts.platform })
      await sheet.getByRole('link', { name: screenTitles.account }).waitFor()
      for (let tabs = 0; tabs < 14; tabs++) {
        await page.keyboard.press('Tab')
        expect(await hasFocusInside()).toBe(true)
      }
      await press(page, adminTexts.closeSidebar)
      await sheet.waitFor({ state: 'detached' })
      await expect.poll(() => toggle.evaluate((button) => button === document.activeElement)).toBe(true)
      return
    }
    expect(await isExpanded()).toBe('true')
    await page.keyboard.press('Control+b')
    await expect.poll(isExpanded).toBe('false')
    const kept = (await page.context().cookies()).find(({ name }) => name === 'sidebar_state')
    expect(kept?.value).toBe('false')
    expect((kept?.expires ?? 0) * 1000 - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    await page.goto('/admin/user')
    await page.getByRole('searchbox').click()
    expect(await isExpanded()).toBe('false')
    // A key typed into a field is no shortcut.
    await page.keyboard.press('Control+b')
    expect(await isExpanded()).toBe('false')
    // The page of a wrong address leads back into the office, and has no bell of players beside that of the header.
    await page.goto('/admin/khong-co')
    await page.getByText(commonTexts.notFound).waitFor()
    const links = page.getByRole('main').getByRole('link')
    expect(await links.allTextContents()).toEqual([adminTexts.overview])
    await links.click()
    await page.waitForURL((url) => url.pathname === '/admin')
  })

  test('walks through the queue by keyboard, and keeps a view of it', async () => {
    const [older, newer] = [await aDepositor(30_000n), await aDepositor(40_000n)]
    const { page } = await visit('/admin/transaction', { token: admin })
    await rowOf(page, older.player.username).waitFor()
    await page.locator('h1').focus()
    const focused = () => page.evaluate(() => document.activeElement?.closest('[data-row-id]')?.textContent ?? '')
    // The oldest waits at the top.
    await page.keyboard.press('j')
    expect(await focused()).toContain(older.player.username)
    await page.keyboard.press('j')
    expect(await focused()).toContain(newer.player.username)
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: adminRequestTexts.detailsTitle }).waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await expect.poll(focused).toContain(older.player.username)
    await decideAll()
    if (device.hasTouch) return
    await page.getByRole('radio', { name: adminRequestTexts.rejected }).check()
    await page.waitForURL(/status=rejected/)
    await press(page, adminTableTexts.views)
    await page.getByRole('menuitem', { name: adminTableTexts.saveView }).click()
    await page.getByLabel(adminTableTexts.viewName).fill('Đã từ chối')
    await press(page, adminTableTexts.saveViewButton)
    await page.getByText(adminTableTexts.viewSaved('Đã từ chối')).waitFor()
    await page.goto('/admin/transaction')
    await page.getByRole('radio', { name: adminRequestTexts.rejected }).waitFor()
    await press(page, adminTableTexts.views)
    await page.getByRole('menuitem', { name: 'Đã từ chối' }).click()
    await page.waitForURL(/status=rejected/)
    await rowOf(page, newer.player.username).waitFor()
  })

  test('is no player: a player who opens the back office is sent to the first page', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/admin/user', { token: player.token })
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('navigation', { name: shellTexts.navigation }).waitFor()
    expect(await page.getByText(adminTexts.platform, { exact: true }).count()).toBe(0)
  })
})
