import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { dayOf } from '#domain/day.ts'
import { figuresTexts as texts } from '#web/features/admin-overview/figures-texts.ts'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { pictureTexts } from '#web/ui/picture-texts.ts'
import { aCustomer, anAdmin, call } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures } from './support/look.ts'

const { server, device, visit } = useProduct({ isOwn: true })
let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
  // A bet whose round is deleted, and three requests of which two are decided.
  await aCustomer(server.url, admin)
  await vi.waitFor(
    async () => {
      const nowMs = Date.now()
      const { buckets } = await call(server.url, endpoints.overviewFigures, {
        token: admin,
        query: { from: nowMs - 3_600_000, to: nowMs + 3_600_000 },
      })
      expect(buckets.reduce((voids, bucket) => voids + bucket.voids.roundDeleted, 0)).toBe(1)
    },
    { timeout: 30_000, interval: 500 },
  )
}, 120_000)

/** Where there is little room a picture is drawn when it is asked for; where one was left quickly it may stand yet. */
const unfold = async (card: Locator) => {
  if (!device.hasTouch) return
  const button = card.getByRole('button', { name: new RegExp(`^(${texts.unfold}|${texts.fold})`) })
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
}

describe('the figures of the overview', () => {
  test('are drawn, and a mark, a row and a file hold what happened', async () => {
    const { page } = await visit('/admin', { token: admin })
    const requests = page.getByRole('region', { name: texts.requests, exact: true })
    const drawn = requests.getByRole('figure')
    await unfold(requests)
    await drawn.waitFor()
    await requests.getByText(texts.requestsReading('3', '1', '1')).waitFor()

    // One stop of the keyboard, with today's figures.
    const mark = drawn.getByRole('link')
    await mark.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('End')
    expect(await mark.getAttribute('aria-label')).toContain(`${texts.filed}: 3; ${texts.approved}: 1`)

    // The table and the file hold the same.
    await requests.getByText(pictureTexts.table).click()
    const row = requests.getByRole('row').last()
    expect(await row.getByRole('cell').allTextContents()).toEqual(['3', '1', '1', '0'])
    const download = page.waitForEvent('download')
    await requests.getByRole('button', { name: texts.csvOf(texts.requests) }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(8)
    expect(lines.at(-1)).toMatch(/^\d\d\/\d\d\/\d{4},3,1,1,0$/)

    // Voids by reason lead to the bets.
    const voids = page.getByRole('region', { name: texts.voids, exact: true })
    await unfold(voids)
    await voids.getByRole('link', { name: texts.voidReasons.ROUND_DELETED }).first().click()
    await page.waitForURL('**/admin/history?**')
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('voidReason')).toBe('ROUND_DELETED')
    expect(searchParams.get('to')).toBe(dayOf(Date.now()))

    // The back button leads to the same pictures.
    await page.goBack()
    await unfold(requests)
    await drawn.waitFor()
  })

  test('a mark says its figures under the pointer, and a press opens the list of its day', async () => {
    const { page } = await visit('/admin?range=24h', { token: admin })
    const stakes = page.getByRole('region', { name: texts.stakes, exact: true })
    const drawn = stakes.getByRole('figure')
    await unfold(stakes)
    await drawn.waitFor()
    await drawn.scrollIntoViewIfNeeded()
    const box = await stakes.getByRole('img', { name: texts.stakes }).boundingBox()
    if (box === null) throw new Error('The picture has no place.')
    const [x, y] = [box.x + box.width - 5, box.y + 80]
    if (device.hasTouch) {
      await page.touchscreen.tap(x, y)
      await stakes.getByText(texts.touchAgain).waitFor()
      await page.touchscreen.tap(x, y)
    } else {
      await page.mouse.move(x, y)
      await stakes.getByText(texts.openList).waitFor()
      await page.mouse.click(x, y)
    }
    await page.waitForURL('**/admin/history?**')
    expect(new URL(page.url()).searchParams.get('from')).toBe(dayOf(Date.now()))
  })

  test('are reached from the sidebar, fit a small phone, and have no fault that axe finds', async () => {
    const { page } = await visit('/admin/user', { token: admin, ...(device.hasTouch && { width: 320 }) })
    if (device.hasTouch) await page.getByRole('button', { name: adminTexts.toggleSidebar }).click()
    await page.getByRole('link', { name: adminTexts.overview }).click()
    await page.waitForURL('**/admin')
    await unfold(page.getByRole('region', { name: texts.requests, exact: true }))
    await page.getByRole('figure').first().waitFor()
    for (const name of [texts.net, texts.byHour, texts.states])
      await page.getByRole('heading', { name, exact: true }).waitFor()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - globalThis.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    expect(await failures(page)).toEqual([])
  })
})
