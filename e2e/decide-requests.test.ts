import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { points } from '#domain/money.ts'
import { adminRequestTexts as texts } from '#web/features/admin-requests/admin-request-texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import {
  type Account,
  adminPassword,
  anAdmin,
  anotherAdmin,
  aPlayer,
  call,
  fileDeposit,
  linkBank,
} from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, look } from './support/look.ts'

const { server, visit } = useProduct({ isOwn: true })
let admin: string
let lan: Account
beforeAll(async () => {
  admin = await anAdmin(server.url)
  lan = await anotherAdmin(server.url, admin)
})

const aDepositor = async (amountMinor: bigint) => {
  const player = await aPlayer(server.url)
  await linkBank(server.url, player)
  await fileDeposit(server.url, player, amountMinor)
  return player
}
const balanceOf = async ({ token }: Account) => (await call(server.url, endpoints.me, { token })).balanceMinor
const details = (page: Page) => page.getByRole('dialog', { name: texts.detailsTitle })
const rowOf = (page: Page, { username }: Account) => page.getByRole('row', { name: new RegExp(`\\b${username}\\b`) })
test('one admin sees what another has open, in the list and in the dialog, until it is left or the page is gone', async () => {
  const [first, second] = [await aDepositor(points(100)), await aDepositor(points(200))]
  const earlier = await fileDeposit(server.url, first, points(3_000))
  await call(server.url, endpoints.decideRequest, {
    token: admin,
    params: { id: earlier.id },
    body: { verdict: 'approved', from: 'pending' },
  })
  await call(server.url, endpoints.addCustomerNote, {
    token: admin,
    params: { id: first.id },
    body: { noteId: crypto.randomUUID(), text: 'Khách gọi hỏi khi nào có điểm.' },
  })
  const wide = { width: 1280, height: 800 }
  const one = (await visit('/admin/transaction', { token: lan.token, ...wide })).page
  const two = (await visit('/admin/transaction', { token: admin, ...wide })).page
  await rowOf(two, first).waitFor()
  // The act that moves points is filled on the row in hand alone.
  const fillOf = (account: Account) =>
    rowOf(two, account)
      .getByRole('button', { name: texts.approve, exact: true })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  const quiet = await fillOf(second)
  expect(await fillOf(first)).toBe(quiet)
  await rowOf(two, first).focus()
  await expect.poll(() => fillOf(first)).not.toBe(quiet)
  expect(await fillOf(second)).toBe(quiet)
  const seen = (account: Account) => rowOf(two, account).getByText(texts.viewing(lan.username))

  await rowOf(one, first).focus()
  await one.keyboard.press('Enter')
  await details(one).getByText('Khách gọi hỏi').waitFor()
  await seen(first).waitFor()
  expect(await failures(two)).toEqual([])
  expect(await failures(one)).toEqual([])
  await look(one, 'details')
  await look(two, 'list')

  // It blocks nothing, and says so to whoever opens the same.
  await rowOf(two, first).focus()
  await two.keyboard.press('a')
  const approving = two.getByRole('alertdialog', { name: texts.approveTitle })
  await approving.getByText(texts.viewing(lan.username)).waitFor()
  await details(one).getByText(texts.viewing('admin')).waitFor()
  await approving.getByText('Khách gọi hỏi').waitFor()
  expect(await failures(two)).toEqual([])
  await look(two, 'approve')
  await two.keyboard.press('Escape')
  await details(one).getByText(texts.viewing('admin')).waitFor({ state: 'hidden' })
  await rowOf(two, first).focus()
  await two.keyboard.press('r')
  const rejecting = two.getByRole('alertdialog', { name: texts.rejectTitle })
  await rejecting.getByText('Khách gọi hỏi').waitFor()
  expect(await failures(two)).toEqual([])
  await look(two, 'reject')
  await two.keyboard.press('Escape')

  // The next one, then back, then closed.
  await one.keyboard.press('j')
  await details(one).getByText('2 / 2').waitFor()
  await seen(second).waitFor()
  await seen(first).waitFor({ state: 'hidden' })
  await details(one).getByRole('button', { name: texts.previous }).click()
  await details(one).getByText('1 / 2').waitFor()
  await seen(first).waitFor()
  await one.keyboard.press('Escape')
  await seen(first).waitFor({ state: 'hidden' })

  // A page that is closed takes it back by itself, long before two minutes are over.
  await one.keyboard.press('Enter')
  await seen(first).waitFor()
  await one.goto('about:blank')
  await seen(first).waitFor({ state: 'hidden' })
})

test('in a wide window the details stand beside the list and follow the row in hand', async () => {
  const players = [await aDepositor(points(310)), await aDepositor(points(320))] as const
  const { page } = await visit('/admin/transaction?sort=-createdAt', { token: admin, width: 1680, height: 900 })
  const pane = page.getByRole('region', { name: texts.detailsTitle })
  const openRow = page.locator('tr[aria-current="true"]')
  await rowOf(page, players[1]).focus()
  await page.keyboard.press('Enter')
  await pane.getByText('+320.00 điểm').waitFor()
  const [list, beside] = [
    await page.getByRole('table', { name: texts.title, exact: true }).boundingBox(),
    await pane.boundingBox(),
  ]
  expect(list === null || beside === null || list.x + list.width > beside.x).toBe(false)
  // What was scrolled to in one row's details is not where the next one's begin.
  await pane.getByRole('region', { name: texts.dossier }).getByText(texts.noNotes).waitFor()
  await page.keyboard.press('j')
  await pane.getByText('+310.00 điểm').waitFor()
  expect(await pane.getByText('320.00').count()).toBe(0)
  expect(await openRow.textContent()).toContain(players[0].username)
  expect(await failures(page)).toEqual([])
  await look(page, 'beside', [1680, 1920])
  // A press on a row does the same; at its end the list alone is there again.
  await rowOf(page, players[1]).getByText(texts.deposit, { exact: true }).click()
  await pane.getByText('+320.00 điểm').waitFor()
  await page.keyboard.press('Escape')
  await pane.waitFor({ state: 'hidden' })
  // Without that room they open over the list, as ever.
  await page.setViewportSize({ width: 1280, height: 800 })
  await rowOf(page, players[1]).focus()
  await page.keyboard.press('Enter')
  await details(page).getByText('+320.00 điểm').waitFor()
})

/** Presses Tab until the wanted element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, what: string, most = 80) {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const one = document.activeElement
      if (!(one instanceof HTMLElement)) return ''
      const isField = one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement
      return isField ? (one.labels?.[0]?.textContent ?? '') : one.textContent
    })
    if (name.trim().startsWith(what)) return
  }
  throw new Error(`Tab does not reach "${what}".`)
}

test('ten requests are decided by keyboard alone, from signing in on', async () => {
  const left = await call(server.url, endpoints.listRequests, { token: admin, query: { status: 'pending' } })
  for (const { id } of left)
    await call(server.url, endpoints.decideRequest, {
      token: admin,
      params: { id },
      body: { verdict: 'rejected', reason: 'Dọn', from: 'pending' },
    })
  const players: Account[] = []
  for (let at = 0; at < 10; at += 1) players.push(await aDepositor(points(100 + at)))
  const before = await Promise.all(players.map(balanceOf))

  const { page } = await visit('/login', { width: 1280, height: 800 })
  await page.getByLabel(signInTexts.username).waitFor()
  await page.locator('body').focus()
  await tabTo(page, signInTexts.username)
  await page.keyboard.type('admin')
  await tabTo(page, signInTexts.password)
  await page.keyboard.type(adminPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/login')
  await page.goto('/admin')
  await page.getByRole('link', { name: screenTitles.transaction }).waitFor()
  await tabTo(page, screenTitles.transaction)
  await page.keyboard.press('Enter')
  await rowOf(page, players[0] as Account).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')

  for (const [at, player] of players.entries()) {
    await details(page).getByRole('link', { name: player.username, exact: true }).waitFor()
    await details(page)
      .getByText(`${at + 1} / 10`)
      .waitFor()
    // Each is decided inside the dialog: the focus never falls out of it.
    expect(
      await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null),
      `the focus before decision ${at + 1}`,
    ).toBe(true)
    if (at % 2 === 0) {
      await page.keyboard.press('a')
      await page.getByRole('alertdialog', { name: texts.approveTitle }).waitFor()
      await tabTo(page, texts.approveDepositButton(`${100 + at}.00`))
    } else {
      await page.keyboard.press('r')
      await page.getByRole('alertdialog', { name: texts.rejectTitle }).waitFor()
      await tabTo(page, texts.reasonLabel)
      await page.keyboard.type('Sai nội dung chuyển')
      await tabTo(page, texts.rejectButton)
    }
    await page.keyboard.press('Enter')
  }
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  // The row that was decided last has the focus, so that `j` and `k` go on from there.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-row-id]')?.textContent ?? ''))
    .toContain((players[9] as Account).username)
  await page.getByText(texts.nothingWaits).waitFor()
  const after = await Promise.all(players.map(balanceOf))
  expect(after.map((balance, at) => balance - (before[at] as bigint))).toEqual(
    players.map((_, at) => (at % 2 === 0 ? points(100 + at) : 0n)),
  )
})
