import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { adminCustomerTexts as texts } from '#web/features/admin-customer/admin-customer-texts.ts'
import { type Account, aCustomer, anAdmin, aPlayer, linkBank } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, isEveryWidth, pictures } from './support/look.ts'

const { server, visit } = useProduct()
let admin: string
let player: Account

beforeAll(async () => {
  admin = await anAdmin(server.url)
  player = await aCustomer(server.url, admin)
  // Somebody else with the same bank number.
  await linkBank(server.url, await aPlayer(server.url))
})

const partLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: texts.parts }).getByRole('link', { name, exact: true })

test('axe finds nothing on any part of a customer’s page', async () => {
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
        if (width === 1280 || isEveryWidth) {
          const seen = await failures(page, { isRecoloured: theme === 'dark' })
          found.push(...seen.map((failure) => `${part} ${width} ${theme}: ${failure}`))
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
