import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import type { Direction } from '#domain/game/bet.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { marketTexts } from '#web/features/market/market-texts.ts'
import { type Account, aPlayer, call, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
const view = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
async function shown(page: Page, name: string): Promise<void> {
  await expect.poll(() => view(page, name).isChecked()).toBe(true)
}
const pin = (page: Page) => page.getByRole('button', { name: marketTexts.pin, exact: true })
const tableButton = (page: Page) => page.getByRole('button', { name: marketTexts.showTable })
const { round: roundView, '1m': minuteView, '60m': hourView } = marketTexts.views

async function openGame(player: Account, type: RoundType, options: Parameters<typeof visit>[1] = {}) {
  const visitor = await visit('/login', { token: player.token, ...options })
  await visitor.page.evaluate((chosen) => localStorage.setItem('selected_game_type', chosen), type)
  await visitor.page.goto('/investment/game')
  await visitor.page.locator('figure canvas').first().waitFor()
  return visitor
}

async function placeBet(player: Account, type: RoundType, direction: Direction, least: number): Promise<void> {
  const round = await roundWithLeft(server.url, player.token, type, least)
  const body = { userId: player.id, roundId: round.id, direction, stakeMinor: 1_000n, seenBasis: 'PRICE' } as const
  await call(server.url, endpoints.placeBet, { token: player.token, body })
}

/** How many pixels of the drawing have a colour token's colour. */
const pixelsOf = (page: Page, token: string) =>
  page.evaluate((name) => {
    const canvas = document.querySelector<HTMLCanvasElement>('figure canvas')
    const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const context = canvas?.getContext('2d')
    if (canvas == null || context == null || probe === null || canvas.width === 0) return 0
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name)
    probe.fillRect(0, 0, 1, 1)
    const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) count++
    return count
  }, token)

/** The seconds of the table's rows, newest first. */
const rowTimes = (page: Page) =>
  page
    .getByRole('rowheader')
    .allTextContents()
    .then((texts) => texts.map((text) => text.slice(0, 8)))
const asSecond = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
const hasNoGap = (times: readonly string[]) =>
  times.every((time, row) => row === 0 || (asSecond(times[row - 1] ?? '') - asSecond(time) + 86_400) % 86_400 === 1)

describe('the live bet in the chart', () => {
  test.each(['up', 'down'] as const)(
    'a bet on %s opens its round by itself: entry, tint, who is ahead in words, the end; then the hours again',
    async (direction) => {
      const player = await aPlayer(server.url)
      const { page } = await openGame(player, '30s', { theme: 'light' })
      await shown(page, hourView)
      await placeBet(player, '30s', direction, 20_000)
      await shown(page, roundView)
      await page.getByText(/^kết thúc \d\d:\d\d:(00|30)$/).waitFor()
      await page.getByText(marketTexts.sinceEntry).waitFor()
      // The entry's line and dot, and the tint between entry and price.
      await expect.poll(() => pixelsOf(page, '--info')).toBeGreaterThan(30)
      await expect
        .poll(async () => (await pixelsOf(page, '--up-soft')) + (await pixelsOf(page, '--down-soft')), {
          timeout: 8_000,
        })
        .toBeGreaterThan(20)

      // Words, sign and headline agree at every moment.
      for (let look = 0; look < 6; look++) {
        const { headline, words, way } = await page.evaluate(() => ({
          headline: document.querySelector('section p + p')?.textContent ?? '',
          words: document.querySelector('figure [data-way]')?.textContent ?? '',
          way: document.querySelector<HTMLElement>('figure [data-way]')?.dataset['way'],
        }))
        const [, arrow = '', size = ''] = /^(▲ |▼ |)([\d.]+) so với giá vào$/.exec(headline) ?? []
        const isAhead = arrow === (direction === 'up' ? '▲ ' : '▼ ')
        if (arrow === '') expect([words, way]).toEqual([marketTexts.lead.level(), 'level'])
        else if (isAhead) expect([words, way]).toEqual([marketTexts.lead.ahead(`+${size}`), 'ahead'])
        else expect([words, way]).toEqual([marketTexts.lead.behind(`−${size}`), 'behind'])
        await page.waitForTimeout(700)
      }
      await page.getByRole('dialog').waitFor({ timeout: 40_000 })
      await page.keyboard.press('Escape')
      await shown(page, hourView)
    },
  )

  test('a screen reader hears who is ahead at most every five seconds, with the seconds left', async () => {
    const player = await aPlayer(server.url)
    const { page } = await openGame(player, '60s')
    await placeBet(player, '60s', 'up', 20_000)
    await shown(page, roundView)
    await page.getByText(marketTexts.sinceEntry).waitFor()
    const heard = await page.evaluate(async () => {
      const line = document.querySelector('figure [aria-live=polite]')
      const texts: { readonly text: string; readonly at: number }[] = []
      const observer = new MutationObserver(() => texts.push({ text: line?.textContent ?? '', at: performance.now() }))
      if (line !== null) observer.observe(line, { childList: true, characterData: true, subtree: true })
      await new Promise((resolve) => setTimeout(resolve, 12_000))
      observer.disconnect()
      return texts
    })
    expect(heard.length).toBeGreaterThanOrEqual(1)
    for (const { text } of heard)
      expect(text).toMatch(/^(Bạn đang (bị )?dẫn [+−][\d.]+|Đang bằng giá vào), còn \d+ giây$/)
    for (const [index, { at }] of heard.entries())
      expect(at - (heard[index - 1]?.at ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(4_500)
  })
})

describe('the pin', () => {
  test('is kept over a reload, and holds its view while a bet opens', async () => {
    const player = await aPlayer(server.url)
    const { page } = await openGame(player, '60s')
    await view(page, minuteView).check()
    await pin(page).click()
    await page.reload()
    await shown(page, minuteView)
    await expect.poll(() => pin(page).getAttribute('aria-pressed')).toBe('true')
    await placeBet(player, '60s', 'up', 15_000)
    await page.getByText(marketTexts.sinceEntry).waitFor()
    await shown(page, minuteView)
    // Without the pin the page that opens goes to the round.
    await pin(page).click()
    await shown(page, minuteView)
    await page.reload()
    await shown(page, roundView)
  })
})

describe('who arrives late, or was away', () => {
  test('finds every second since the opening, also after a broken connection', async () => {
    const player = await aPlayer(server.url)
    const { page, context } = await visit('/login', { token: player.token })
    await page.evaluate(() => {
      localStorage.setItem('selected_game_type', '120s')
      localStorage.setItem('chart_view', 'round')
    })
    const round = await roundWithLeft(server.url, player.token, '120s', 50_000, 100_000)
    await page.goto('/investment/game')
    await shown(page, roundView)
    await tableButton(page).click()
    const opening = new Date(round.opensAtMs + 7 * 3_600_000).toISOString().slice(11, 19)
    await expect.poll(async () => (await rowTimes(page)).at(-1)).toBe(opening)
    const before = await rowTimes(page)
    expect(before.length).toBeGreaterThan(15)
    expect(hasNoGap(before)).toBe(true)

    await context.setOffline(true)
    await page.waitForTimeout(7_000)
    await context.setOffline(false)
    await expect
      .poll(
        async () => {
          const times = await rowTimes(page)
          return times.length > before.length + 6 && hasNoGap(times) && times.at(-1) === opening
        },
        { timeout: 25_000 },
      )
      .toBe(true)
  })
})

describe('the table', () => {
  test.each([roundView, minuteView, hourView])(
    'of "%s" is whole at 320 px, and no button covers its head',
    async (name) => {
      const player = await aPlayer(server.url)
      const { page } = await openGame(player, '60s', { width: 320, height: 640 })
      await view(page, name).check()
      await tableButton(page).click()
      const region = page.getByRole('region', { name: /^Biểu đồ giá vàng/ })
      await region.getByRole('rowheader').first().waitFor()
      expect(await region.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0)
      for (const head of await region.getByRole('columnheader').all()) {
        const isOnTop = await head.evaluate((cell) => {
          const box = cell.getBoundingClientRect()
          return [0.1, 0.5, 0.9].every((part) =>
            cell.contains(document.elementFromPoint(box.x + box.width * part, box.y + box.height / 2)),
          )
        })
        expect(isOnTop).toBe(true)
      }
    },
  )
})

test('with reduced motion nothing moves between two ticks', async () => {
  const player = await aPlayer(server.url)
  const { page } = await openGame(player, '60s', { reducedMotion: true })
  await view(page, roundView).check()
  await page.waitForTimeout(3_000)
  const { running, pictures } = await page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>('figure canvas')
    const seen = new Set<string>()
    for (let look = 0; look < 40; look++) {
      seen.add(canvas?.toDataURL() ?? '')
      await new Promise((resolve) => setTimeout(resolve, 75))
    }
    const moving = document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().duration) > 10)
    return { running: moving.length, pictures: seen.size }
  })
  expect(running).toBe(0)
  // Three seconds have three or four ticks.
  expect(pictures).toBeGreaterThanOrEqual(2)
  expect(pictures).toBeLessThanOrEqual(5)
})
