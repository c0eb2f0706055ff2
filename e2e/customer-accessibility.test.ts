import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminCustomerTexts as texts } from '#web/features/admin-customer/admin-customer-texts.ts'
import { type Account, aCustomer, anAdmin, aPlayer, linkBank } from './support/api.ts'
import { useBrowser } from './support/browser.ts'
import { type RunningServer, startServer } from './support/server.ts'

let server: RunningServer
let admin: string
let player: Account
const pictures = process.env['ADMIN_PICTURES']

beforeAll(async () => {
  server = await startServer()
  admin = await anAdmin(server.url)
  player = await aCustomer(server.url, admin)
  // Somebody else with the same bank number.
  await linkBank(server.url, await aPlayer(server.url))
})
afterAll(() => server.stop())
const { visit } = useBrowser(() => server.url)

const partLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: texts.parts }).getByRole('link', { name, exact: true })

test('axe finds nothing on any part of a customer’s page', { timeout: 240_000 }, async () => {
  const { page } = await visit(`/admin/user/${player.id}`, { token: admin, reducedMotion: true })
  const found: string[] = []
  for (const width of [1280, 390, 768, 1920]) {
    await page.setViewportSize({ width, height: 844 })
    for (const part of [
      'timeline',
      'ledger',
      'bets',
      'requests',
      'banks',
      'limits',
      'care',
      'acts',
      'notes',
    ] as const) {
      await partLink(page, texts[part]).click()
      await page.locator(`main a[aria-current="page"]:has-text("${texts[part]}")`).waitFor()
      await page.waitForLoadState('networkidle')
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        await page.locator(`html[data-theme="${theme}"]`).waitFor()
        await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
        if (width === 1280 || width === 390) {
          const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
          found.push(...violations.map(({ id, nodes }) => `${part} ${width} ${theme}: ${id}: ${nodes[0]?.html ?? ''}`))
        }
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (sideways > 0) found.push(`${part} ${width}: scrolls sideways by ${sideways} px`)
        if (pictures !== undefined)
          await page.screenshot({ path: `${pictures}/customer-${part}-${width}-${theme}.png`, fullPage: true })
      }
    }
  }
  expect(found).toEqual([])
})
