import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { dayOf } from '#domain/day.ts'
import { type Meaning, TYPED_TEXTS } from '#domain/testing/typed-texts.ts'
import { adminUserTexts } from '#web/features/admin-users/admin-user-texts.ts'
import { bookTexts } from '#web/features/book/book-texts.ts'
import { cashRequestTexts } from '#web/features/cashier/cashier-texts.ts'
import { betsTexts } from '#web/features/game/bets-texts.ts'
import { statisticsTexts } from '#web/features/statistics/statistics-texts.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { numberProblems } from '#web/ui/typed-texts.ts'
import { type Account, anAdmin, aPlayer, linkBank } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()

/* Numbers and days as a real browser's clipboard and its own fields for dates hand them over (rules §6.1). */

let admin: string
let player: Account
beforeAll(async () => {
  admin = await anAdmin(server.url)
  player = await aPlayer(server.url)
  await linkBank(server.url, player)
})

/** Pastes every text over what is in the field, leaves it, and compares what stands there and what is said. */
async function pasteAll(page: Page, field: Locator, meaningOf: (row: (typeof TYPED_TEXTS)[number]) => Meaning) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const row of TYPED_TEXTS) {
    const [text] = row
    if (text.trim() === '') continue
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await field.focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Control+V')
    await page.keyboard.press('Tab')
    const meaning = meaningOf(row)
    const isRead = typeof meaning === 'bigint'
    const [stands, isRefused] = [await field.inputValue(), (await field.getAttribute('aria-invalid')) === 'true']
    const shown = isRead ? stands : stands.replaceAll(',', '')
    const amount = isRead
      ? formatAmount(meaning)
          .replace(/\.00$/, '')
          .replace(/(\.\d)0$/, '$1')
      : text.trim().replaceAll(',', '')
    expect([text, shown, isRefused]).toEqual([text, amount, !isRead])
    if (!isRead) await page.getByText(numberProblems[meaning]).waitFor()
  }
}

describe('numbers that are pasted', () => {
  test('into a deposit are whole points, or refused with a sentence', async () => {
    const { page } = await visit('/transaction?form=deposit', { token: player.token })
    const dialog = page.getByRole('dialog')
    await pasteAll(page, dialog.getByLabel(cashRequestTexts.amount), ([, whole]) => whole)
  })

  test('into the balance that staff set have two decimals, or are refused with a sentence', async () => {
    const { page } = await visit(`/admin/user?q=${player.username}`, { token: admin })
    await page
      .locator('[data-row-id]', { hasText: player.username })
      .getByRole('button', { name: adminUserTexts.edit, exact: true })
      .click()
    const dialog = page.getByRole('dialog')
    await pasteAll(page, dialog.getByLabel(adminUserTexts.balance, { exact: true }), ([, , cents]) => cents)
  })
})

describe('a day that is typed digit by digit', () => {
  const today = dayOf(Date.now())
  const year = today.slice(0, 4)
  const begun = `0002${today.slice(4)}`
  const aSecond = (page: Page) => page.waitForTimeout(1_500)

  /**
   * Types the year of a day, its first digit, looks for the next key, and the year anew, since the browser's own field
   * begins a part again after a second; returns how long the first key took. The year comes last in every language.
   */
  async function typeToday(page: Page, label: string): Promise<number> {
    const field = page.getByLabel(label, { exact: true })
    await field.fill(today)
    await field.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const before = Date.now()
    await page.keyboard.press(year.slice(0, 1))
    await page.evaluate(() => new Promise(requestAnimationFrame))
    const tookMs = Date.now() - before
    expect(await field.inputValue()).toBe(begun)
    await aSecond(page)
    expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual([begun, null])
    await page.keyboard.type(year)
    expect(await field.inputValue()).toBe(today)
    await aSecond(page)
    return tookMs
  }

  test.each([
    ['/account/statistics', 'user/statistics', statisticsTexts.from, statisticsTexts.to],
    ['/account/bets', 'history/user', betsTexts.from, betsTexts.to],
    ['/so-mo', 'book/acts', bookTexts.from, bookTexts.to],
  ] as const)('on %s asks for that day alone, and freezes nothing', async (path, call, from, to) => {
    const { page } = await visit(path, { token: player.token })
    const asked = new Set<string>()
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (!pathname.includes(call)) return
      for (const name of ['from', 'to']) asked.add((searchParams.get(name) ?? '').slice(0, 4))
    })
    if (path === '/account/statistics')
      await page.getByRole('radio', { name: statisticsTexts.ranges.own }).check({ force: true })
    if (path === '/so-mo') await page.locator('summary').filter({ hasText: bookTexts.notes }).click()
    if (path === '/account/bets') await page.getByRole('button', { name: betsTexts.filter }).click()
    const slowest = Math.max(await typeToday(page, from), await typeToday(page, to))
    expect([...asked].filter((one) => one !== '' && Math.abs(Number(one) - Number(year)) > 1)).toEqual([])
    expect([...asked]).toContain(year)
    expect(slowest).toBeLessThan(4_000)
  })
})
