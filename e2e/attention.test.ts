import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { points } from '#domain/money.ts'
import { attentionTexts as texts } from '#web/features/admin-attention/admin-attention-texts.ts'
import { anAdmin, aPlayer, fileDeposit, linkBank } from './support/api.ts'
import { useBrowser } from './support/browser.ts'
import { type RunningServer, startServer } from './support/server.ts'

let server: RunningServer
let admin: string
beforeAll(async () => {
  server = await startServer()
  admin = await anAdmin(server.url)
})
afterAll(() => server.stop())
vi.setConfig({ testTimeout: 240_000 })
const { visit } = useBrowser(() => server.url)

/** Pictures for people, where they are asked for. */
async function look(page: Page, name: string) {
  const folder = process.env['ATTENTION_PICTURES']
  if (folder === undefined) return
  const before = page.viewportSize()
  for (const width of [390, 768, 1280, 1920])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForTimeout(400)
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  if (before !== null) await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null })
}

const failures = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
}

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
  await expect.poll(inBoth, { timeout: 10_000 }).toContain(news)
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
  const before = await inBoth()
  const other = await aPlayer(server.url)
  await linkBank(server.url, other)
  const asked = second.waitForResponse((response) => response.url().endsWith('/api/v1/attention'))
  await fileDeposit(server.url, other, points(700))
  await asked
  await second.waitForTimeout(1_500)
  expect(await inBoth()).toEqual(before)
})
