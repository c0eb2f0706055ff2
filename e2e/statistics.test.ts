import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { dayOf } from '#domain/day.ts'
import { NO_TOTALS } from '#domain/statistics/play.ts'
import { statisticsTexts as texts } from '#web/features/statistics/statistics-texts.ts'
import { formatDate, formatSignedAmount } from '#web/platform/formats.ts'
import { playMoneyTexts, screenTitles } from '#web/platform/texts.ts'
import { pictureTexts } from '#web/ui/picture-texts.ts'
import { dayOutside } from '#web/ui/typed-texts.ts'
import { type Account, anAdmin, aPlayer, call, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures } from './support/look.ts'

const { server, visit } = useProduct({ isOwn: true })
let player: Account
let scripted: Account
beforeAll(async () => {
  player = await aPlayer(server.url)
  scripted = await aPlayer(server.url)
  const admin = await anAdmin(server.url)
  const { version } = await call(server.url, endpoints.me, { token: scripted.token })
  await call(server.url, endpoints.updateUser, {
    token: admin,
    params: { id: scripted.id },
    body: { scriptedOutcome: 'win', version },
  })
  // One bet of the price and one of a script, both settled before the screens are opened.
  const round = await roundWithLeft(server.url, player.token, '30s', 5_000)
  for (const [who, seenBasis] of [
    [player, 'PRICE'],
    [scripted, 'SCRIPTED'],
  ] as const)
    await call(server.url, endpoints.placeBet, {
      token: who.token,
      body: { roundId: round.id, direction: 'up', stakeMinor: 20_00n, seenBasis },
    })
  await vi.waitFor(
    async () => {
      expect(await betsOf(scripted)).toMatchObject({ leftOut: 1 })
      const [{ won, lost, voided } = NO_TOTALS] = (await betsOf(player)).types
      expect(won + lost + voided).toBe(1)
    },
    { timeout: 80_000, interval: 500 },
  )
}, 120_000)

const betsOf = ({ token }: Account) => call(server.url, endpoints.readStatistics, { token })
const picture = (page: Page, name: string) => page.getByRole('img', { name, exact: true })

describe('statistics', () => {
  test('are reached from the account, and show the bet that the server counted', async () => {
    const { page } = await visit('/account', { token: player.token })
    await page.getByRole('link', { name: screenTitles.statistics }).click()
    await page.waitForURL('**/account/statistics')
    const counted = await betsOf(player)
    const net = formatSignedAmount(counted.types[0]?.netMinor ?? 0n)
    await page.getByText(`${net} điểm`, { exact: true }).waitFor()
    await picture(page, texts.balance).waitFor()
    await page.getByText(playMoneyTexts.everywhere).waitFor()
    await page.getByText(texts.leftOut('1')).waitFor({ state: 'detached' })
    // One bet is too few for more than the balance, whose line has every change: the lowest is that while it ran.
    expect(await page.getByRole('img', { name: texts.netByDay }).count()).toBe(0)
    await page.getByText(pictureTexts.lowest('980.00')).waitFor()
    // The numbers of a picture are one key away.
    const card = page.locator('section', { has: page.getByRole('heading', { name: texts.balance }) })
    await card.locator('summary').focus()
    await page.keyboard.press('Enter')
    await card.getByRole('cell', { name: '980.00' }).waitFor()
    // Seven days hold today; a day before the account is none to choose.
    await page.getByRole('radio', { name: texts.ranges.week }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('radio', { name: texts.ranges.own }).check()
    await page.getByLabel(texts.from).fill('2026-01-01')
    const [first, last] = [Date.now(), Date.now() + 86_400_000].map(formatDate)
    await page.getByText(dayOutside(first ?? '', last ?? '')).waitFor()
    await page.getByText(texts.pickDates).waitFor()
  })

  test('bets that a script decided stand apart', async () => {
    const { page } = await visit('/account/statistics', { token: scripted.token })
    await page.getByText(texts.leftOut('1')).waitFor()
    await picture(page, texts.balance).waitFor()
    expect(await picture(page, texts.netByDay).count()).toBe(0)
  })

  test('are saved as a file, and printed without what is only for the screen', async () => {
    const { page } = await visit('/account/statistics', { token: player.token })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: texts.csv }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^kim-phien-thong-ke-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
    const file = await readFile(await download.path(), 'utf8')
    expect(file).toContain(texts.columns.balance)
    expect(file).toContain(`\r\n${dayOf(Date.now())},`)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    expect(await page.getByRole('button', { name: texts.print }).isVisible()).toBe(false)
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
    expect(await page.getByRole('radio', { name: texts.ranges.week }).isVisible()).toBe(false)
    expect(await page.getByRole('table').first().isVisible()).toBe(true)
  })

  test('are accessible with every table open, and nothing is wider than a small screen or with large text', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page } = await visit('/account/statistics', { token: player.token, width: 320, height: 4_000, theme })
      await picture(page, texts.balance).waitFor()
      for (const summary of await page.locator('summary').all()) await summary.click()
      expect(await failures(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await page.addStyleTag({ content: 'html { font-size: 200% }' })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    }
  })
})
