import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { adminAuditTexts } from '#web/features/admin-audit/admin-audit-texts.ts'
import { filterSheetTexts } from '#web/lists/filter-sheet-texts.ts'
import { adminTableTexts as texts } from '#web/lists/table-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { type Account, aCustomer, anAdmin, call } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, isEveryWidth, pictures } from './support/look.ts'

const { server, visit } = useProduct()
let admin: string
let player: Account

beforeAll(async () => {
  admin = await anAdmin(server.url)
  player = await aCustomer(server.url, admin)
})

const totalsOf = (page: Page) => page.getByRole('group', { name: texts.totals })
const rows = (page: Page) => page.locator('[data-row-id]')
/** The totals once they are there, and the rows' ids. */
const shown = async (page: Page) => {
  await rows(page).first().waitFor()
  await page.waitForLoadState('networkidle')
  return {
    ids: await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-row-id'))),
    totals: await totalsOf(page).textContent(),
  }
}

test('filters set by keyboard alone stand in the address, which shows the same in another browser', async () => {
  // On a phone they stand in a sheet, below.
  const desk = { token: admin, width: 1280, height: 800 }
  const { page } = await visit('/admin/transaction?status=all', desk)
  const all = await shown(page)
  const fold = page.getByRole('button', { name: texts.moreFilters, exact: true })
  await fold.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  // Past the three parts of each day and the button of its calendar, as this browser has them.
  const amount = page.getByLabel(texts.fromPoints)
  for (let presses = 0; presses < 12; presses++) {
    if (await amount.evaluate((box) => box === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('150')
  await page.waitForURL('**min=150')
  await page.getByRole('button', { name: texts.moreFiltersSet('1') }).waitFor()
  await page.waitForFunction((before) => document.querySelectorAll('[data-row-id]').length < before, all.ids.length)
  // The totals come a moment after the rows.
  await expect.poll(() => totalsOf(page).textContent()).not.toBe(all.totals)
  const here = await shown(page)

  const wanted = await call(server.url, endpoints.listRequests, { token: admin, query: { min: 150, limit: 100 } })
  expect(here.ids.toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())

  const { page: other } = await visit(page.url().replace(server.url, ''), desk)
  expect(await shown(other)).toEqual(here)
  expect(await other.getByLabel(texts.fromPoints).inputValue()).toBe('150')

  // Taken back by the keyboard, too; what was chosen outside of the fold stays.
  await other.getByRole('button', { name: texts.clearMoreFilters }).focus()
  await other.keyboard.press('Enter')
  await other.waitForURL('**/admin/transaction?status=all')
  await expect.poll(() => shown(other)).toEqual(all)
})

test('on a phone a row has two lines and unfolds the rest; filters and order stand in one sheet', async () => {
  const { page } = await visit('/admin/transaction?status=all', { token: admin, width: 360, height: 740 })
  const all = await shown(page)
  const heightOf = (part: Locator) => part.evaluate((one) => one.getBoundingClientRect().height)
  const card = rows(page).first()
  const unfold = card.getByRole('button', { name: /^Chi tiết của / })
  const bank = card.getByText('Ngân hàng', { exact: true })
  expect(await bank.count()).toBe(0)
  const low = await heightOf(card)
  // Two lines beside the box, and the acts.
  expect(low).toBeLessThan(140)
  await unfold.click()
  await bank.waitFor()
  await unfold.click()
  await bank.waitFor({ state: 'hidden' })
  const cut = await rows(page).evaluateAll((cards) =>
    cards.flatMap((one) =>
      [...one.querySelectorAll('.text-up, .text-down')]
        .filter((amount) => {
          const { left, right } = amount.getBoundingClientRect()
          return left < 0 || right > innerWidth || amount.scrollWidth > amount.clientWidth + 1
        })
        .map(({ textContent }) => textContent),
    ),
  )
  expect(cut).toEqual([])

  const open = page.getByRole('button', { name: texts.filter, exact: true })
  await page.getByRole('button', { name: texts.filterSet('1') }).click()
  const sheet = page.getByRole('dialog', { name: filterSheetTexts.title })
  expect(await failures(page)).toEqual([])
  await sheet.getByLabel(texts.fromPoints).fill('150')
  await page.waitForURL('**min=150')
  await sheet.getByRole('combobox', { name: texts.sortBy }).selectOption('-money')
  await page.waitForURL('**sort=-money**')
  await page.waitForFunction((before) => document.querySelectorAll('[data-row-id]').length < before, all.ids.length)
  await sheet.getByRole('button', { name: /^Xem \d+ hàng$/ }).click()
  await sheet.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: texts.filterSet('2') }).click()
  await sheet.getByRole('button', { name: texts.clearFilters }).click()
  await page.waitForURL((url) => !url.search.includes('min='))
  await page.keyboard.press('Escape')
  await open.waitFor()
})

describe('a page has as many rows as its window shows at once, and asks for no others', () => {
  beforeAll(async () => {
    for (let written = 0; written < 31; written++)
      await call(server.url, endpoints.addCustomerNote, {
        token: admin,
        params: { id: player.id },
        body: { noteId: randomUUID(), text: `${written}` },
      })
  })

  test.each([
    [1280, 800, 10],
    [1920, 1080, 20],
    [2560, 1440, 30],
  ])('%d × %d: %d', async (width, height, shows) => {
    const { page } = await visit('/admin', { token: admin, width, height })
    const asked = new Set<string | null>()
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === endpoints.listAudit.path) asked.add(searchParams.get('limit'))
    })
    await page.getByRole('link', { name: screenTitles.adminAudit, exact: true }).click()
    await rows(page).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await rows(page).count()).toBe(shows)
    expect([...asked]).toEqual([`${shows}`])
    const beyond = (of: HTMLElement) => of.scrollHeight - of.clientHeight
    expect(await page.getByRole('region', { name: adminAuditTexts.title }).evaluate(beyond)).toBe(0)
    expect(await page.locator('html').evaluate(beyond)).toBe(0)
  })
})

test('axe finds nothing with the filters open, and nothing scrolls sideways', async () => {
  const day = 'from=2026-01-01&to=2099-01-01'
  const lists = [
    ['requests', `/admin/transaction?status=all&${day}&min=1&by=zzz`],
    ['requests', `/admin/transaction?status=all&${day}&min=1&bank=v`],
    ['bets', `/admin/history?${day}&max=1000000`],
    ['rounds', `/admin/game?${day}`],
    ['audit', `/admin/audit?${day}`],
    ['customer', `/admin/user/${player.id}?part=requests&${day}`],
  ] as const
  const { page } = await visit('/admin/audit', { token: admin, reducedMotion: true })
  const found: string[] = []
  for (const [at, [name, path]] of lists.entries())
    for (const width of [390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 844 })
      // A phone has the filters in a sheet.
      if (width <= 768) await page.goto(path)
      await (name === 'audit' ? rows(page).first() : totalsOf(page)).waitFor()
      await page.waitForLoadState('networkidle')
      if (width === 390) await page.getByRole('button', { name: /^Lọc · / }).click()
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        await page.locator(`html[data-theme="${theme}"]`).waitFor()
        if (width === 390 || width === 1280 || isEveryWidth) {
          const seen = await failures(page, { isRecoloured: theme === 'dark' })
          found.push(...seen.map((failure) => `${path} ${width} ${theme}: ${failure}`))
        }
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (sideways > 0) found.push(`${path} ${width}: scrolls sideways by ${sideways} px`)
        if (pictures !== undefined)
          await page.screenshot({ path: `${pictures}/filters-${name}-${at}-${width}-${theme}.png`, fullPage: true })
      }
      if (width > 390) continue
      await page.keyboard.press('Escape')
      // The sheet's entry of the history is left before the next address is opened.
      await page.waitForFunction(() => (history.state as { readonly overlays?: number } | null)?.overlays === undefined)
    }
  expect(found).toEqual([])
})
