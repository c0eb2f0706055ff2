import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { points } from '#domain/money.ts'
import { delaysMs } from '#web/boot/delays.ts'
import { attentionTexts as texts } from '#web/features/admin-attention/admin-attention-texts.ts'
import { anAdmin, anotherAdmin, aPlayer, fileDeposit, linkBank } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, look } from './support/look.ts'

const { server, visit } = useProduct({ isOwn: true }, 'whole')
let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})

/** The notifications that a tab has shown, by title and body; every page of the context notes its own. */
const noteNotifications = (context: BrowserContext) =>
  context.addInitScript(() => {
    const shown: string[] = []
    Object.assign(globalThis, { shownOnDesktop: shown })
    const Real = globalThis.Notification
    globalThis.Notification = class extends Real {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        shown.push(`${title} | ${options?.body ?? ''}`)
      }
    }
  })
const shownIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { shownOnDesktop: string[] }).shownOnDesktop)

test('a new request is told by one of two tabs, counted by the bell, and not told where that is off', async () => {
  const player = await aPlayer(server.url)
  await linkBank(server.url, player)
  const { page: first } = await visit('/admin', { token: admin, width: 1280, height: 800 })
  const context = first.context()
  await context.grantPermissions(['notifications'], { origin: new URL(server.url).origin })
  await noteNotifications(context)
  await first.goto(`${server.url}/admin/security`)
  const desktop = first.getByRole('switch', { name: texts.desktop })
  await desktop.check()
  expect(await shownIn(first)).toEqual([`${texts.turnedOn} | ${texts.desktopHint}`])
  await look(first, 'settings')
  expect(await failures(first)).toEqual([])
  const second = await context.newPage()
  await second.goto(`${server.url}/admin`)
  const card = second.getByRole('region', { name: texts.title })
  await card.getByText(texts.empty).or(card.getByRole('list')).waitFor()
  // What tells of it is loaded after the page; what came before is no news.
  for (const page of [first, second]) await page.getByRole('button', { name: /^Thông báo/ }).waitFor()

  await fileDeposit(server.url, player, points(500))
  await card.getByText(texts.kinds.request).waitFor()
  const bell = second.getByRole('button', { name: /^Thông báo, \d+ việc cần chú ý/ })
  await bell.waitFor()
  const news = `${texts.newRequest.deposit} | ${player.username} · 500`
  const inBoth = async () => [...(await shownIn(first)), ...(await shownIn(second))]
  await expect.poll(inBoth).toContain(news)
  expect((await inBoth()).filter((one) => one === news)).toHaveLength(1)
  expect(await failures(second)).toEqual([])
  await look(second, 'overview')
  await bell.click()
  await look(second, 'bell')
  await second.getByRole('menuitem', { name: new RegExp(texts.kinds.request) }).click()
  await second.waitForURL('**/admin/transaction**')

  const saved = first.waitForResponse((response) => response.url().endsWith('/attention/muted') && response.ok())
  await first.getByRole('switch', { name: texts.alerts.request }).uncheck()
  await saved
  // Who goes on by keyboard is still at it.
  expect(await first.evaluate(() => document.activeElement?.role)).toBe('switch')
  const before = await inBoth()
  const other = await aPlayer(server.url)
  await linkBank(server.url, other)
  const asked = second.waitForResponse((response) => response.url().endsWith('/api/v1/attention'))
  await fileDeposit(server.url, other, points(700))
  await asked
  await second.waitForTimeout(1_500)
  expect(await inBoth()).toEqual(before)
})

test('the bell has its number from the first answer on', async () => {
  const player = await aPlayer(server.url)
  await linkBank(server.url, player)
  await fileDeposit(server.url, player, points(300))
  // Who has muted nothing.
  const { token } = await anotherAdmin(server.url, admin)
  const { page } = await visit('/admin', { token, width: 1280, height: 800 })
  const bell = page.getByRole('button', { name: /^Thông báo, \d+ việc cần chú ý/ })
  // What the first screen can do without never comes (web/boot/delays.ts).
  await page.addInitScript((unreadBadgeMs) => {
    const set = globalThis.setTimeout
    globalThis.setTimeout = ((work: () => void, ms?: number, ...rest: unknown[]) =>
      (ms ?? 0) >= unreadBadgeMs ? 0 : set(work, ms, ...rest)) as typeof setTimeout
  }, delaysMs.unreadBadge)
  for (const path of ['/admin', '/admin/user', '/admin/chat']) {
    await page.goto(path)
    await bell.waitFor()
  }
})
