import type { Page, Response } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoints.ts'
import type { Bet } from '#contract/game.ts'
import { noticeTexts } from '#web/features/notices/notices-texts.ts'
import { formatAmount, formatSignedAmount } from '#web/platform/formats.ts'
import { type Account, anAdmin, aPlayer, call, fileDeposit, linkBank, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct({ isEmbedded: true })
/** What happens to a player's bets, requests and balance finds the player, wherever they are (rules §6.10). */

let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})

const bell = (page: Page, unread: number) =>
  page.getByRole('link', { name: unread === 0 ? 'Thông báo' : `Thông báo, ${unread} chưa đọc`, exact: true })
const toasts = (page: Page) => page.locator('[data-sonner-toast]')

/** Places a bet by price in a 30 s round with enough time left. */
async function place(player: Account): Promise<Bet> {
  const round = await roundWithLeft(server.url, player.token, '30s', 4_000)
  const body = { roundId: round.id, stakeMinor: 10_000n, direction: 'up', seenBasis: 'PRICE' }
  return call(server.url, endpoints.placeBet, { token: player.token, body })
}
async function settled(player: Account, id: string): Promise<Bet> {
  for (;;) {
    const bets = await call(server.url, endpoints.listOwnBets, { token: player.token })
    const bet = bets.find((one) => one.id === id)
    if (bet !== undefined && bet.status !== 'open') return bet
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
/** Waits until the page has read which notices there were before: only later ones are news to it. */
const knowsEarlier = (page: Page) =>
  page.waitForFunction(
    (path) =>
      performance
        .getEntriesByType('resource')
        .some((one) => one.name.includes(path) && (one as PerformanceResourceTiming).responseEnd > 0),
    endpoints.notices.path,
  )
const balanceOf = async ({ token }: Account) => (await call(server.url, endpoints.me, { token })).balanceMinor
const list = (player: Account) => call(server.url, endpoints.notices, { token: player.token, query: {} })

test('a bet that is settled on another screen: a line, the bell, the list, and the balance everywhere', async () => {
  const player = await aPlayer(server.url)
  const { page, context } = await visit('/transaction', { token: player.token })
  // Rounds and a busy machine take their time.
  context.setDefaultTimeout(40_000)
  const account = await context.newPage()
  await account.goto('/account')
  await bell(page, 0).waitFor()
  await knowsEarlier(page)

  const { id } = await place(player)
  const held = `${formatAmount(90_000n)} điểm`
  for (const screen of [page, account]) await screen.getByText(held).first().waitFor()
  const bet = await settled(player, id)
  const line = toasts(page).first()
  await line.waitFor()
  // A page behind another one draws nothing that moves.
  await page.bringToFront()
  const text = (await line.textContent()) ?? ''
  expect(text).toContain(bet.status === 'voided' ? noticeTexts.voided : formatSignedAmount(bet.profitMinor ?? 0n))
  expect(text).toContain(bet.status === 'voided' ? noticeTexts.voidTie : noticeTexts.byPrice)
  // It slides in, to below the bell.
  await bell(page, 1).waitFor()
  const bellBox = await bell(page, 1).boundingBox()
  const below = bellBox === null ? Number.NaN : bellBox.y + bellBox.height
  await expect
    .poll(async () => (await line.boundingBox())?.y ?? 0, { interval: 100, timeout: 3_500 })
    .toBeGreaterThanOrEqual(below)
  const now = `${formatAmount(await balanceOf(player))} điểm`
  for (const screen of [page, account]) await screen.getByText(now).first().waitFor()

  await bell(page, 1).click()
  await page.waitForURL('/account/notifications')
  // The screen before may stand for a moment after its address is gone.
  await page.getByRole('main').getByRole('listitem').getByRole('link').filter({ hasText: noticeTexts.unread }).click()
  await page.waitForURL(`/account/bets?bet=${id}`)
  // It was the only unread one. The bet's dialog hides the bell until it is closed.
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await bell(page, 0).waitFor()
})

test('two devices share what is read; a decided request and an adjustment come by themselves', async () => {
  const player = await aPlayer(server.url)
  await linkBank(server.url, player)
  const request = await fileDeposit(server.url, player, 20_000n)
  const phone = (await visit('/account/limits', { token: player.token })).page
  const laptop = (await visit('/account/notifications', { token: player.token, width: 1280, height: 800 })).page
  await laptop.getByText(noticeTexts.empty).waitFor()
  await knowsEarlier(phone)
  // An answer names the instant up to which no notice can be missing, shortly before its own: what is newer stays unread.
  const isComplete = async (response: Response) => {
    if (new URL(response.url()).pathname !== endpoints.notices.path) return false
    const { data } = (await response.json()) as { data: never }
    const { notices, completeToMs } = z.decode(endpoints.notices.data, data)
    return notices.length === 2 && notices.every(({ atMs }) => atMs <= completeToMs)
  }
  const complete = laptop.waitForResponse(isComplete)

  const body = { verdict: 'rejected', reason: 'Sai nội dung', from: 'pending' }
  await call(server.url, endpoints.decideRequest, { token: admin, params: { id: request.id }, body })
  await toasts(phone).getByText('Sai nội dung').waitFor()
  await call(server.url, endpoints.updateUser, {
    token: admin,
    params: { id: player.id },
    body: { balanceMinor: 120_000n, reason: 'Bù nhầm' },
  })
  await toasts(phone).getByText('Bù nhầm').waitFor()
  await bell(phone, 2).waitFor()
  await bell(laptop, 2).waitFor()
  // The list shows both by itself, and no line repeats them there.
  await expect.poll(() => laptop.getByRole('main').getByRole('listitem').count()).toBe(2)
  expect(await toasts(laptop).count()).toBe(0)
  await laptop
    .getByText(/^admin|bởi admin/)
    .first()
    .waitFor()

  await complete
  await laptop.getByRole('button', { name: noticeTexts.markRead }).click()
  await laptop.getByText(noticeTexts.allRead).waitFor()
  await bell(phone, 0).waitFor()

  await laptop.getByLabel(noticeTexts.filter).selectOption('request')
  await laptop.getByText(noticeTexts.adjusted).waitFor({ state: 'hidden' })
  await expect.poll(() => laptop.getByRole('main').getByRole('listitem').count()).toBe(1)
})

test('a server that is killed between a bet and its settlement loses no notice and doubles none', async () => {
  const player = await aPlayer(server.url)
  const { page } = await visit('/account/limits', { token: player.token })
  await knowsEarlier(page)
  const { id } = await place(player)
  await server.kill()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await server.comeBack()
  const bet = await settled(player, id)
  await bell(page, 1).waitFor({ timeout: 60_000 })
  const before = await list(player)
  expect(before.notices.map((notice) => [notice.kind, notice.bet?.id, notice.bet?.status])).toEqual([
    ['bet', id, bet.status],
  ])
  await server.kill()
  await server.comeBack()
  const after = await list(player)
  expect(after.notices).toEqual(before.notices)
  // What is read stays read.
  await call(server.url, endpoints.readNotices, { token: player.token, body: { upToMs: after.completeToMs } })
  await server.kill()
  await server.comeBack()
  expect(await list(player)).toMatchObject({ unread: 0, notices: [{ isRead: true }] })
  expect((await server.auditLedger()).isClean).toBe(true)
})
