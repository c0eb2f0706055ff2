import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import type { Direction } from '#domain/game/bet.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { marketTexts } from '#web/features/market/market-texts.ts'
import { pictureTexts } from '#web/ui/picture-texts.ts'
import { type Account, aPlayer, call, roundWithLeft } from './support/api.ts'
import { chooseView, inMenu, turnPin, turnTable, viewShown } from './support/chart.ts'
import { failures } from './support/look.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit, device } = useProduct()

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
/** A Vietnamese time of the day, as a row says it. */
const timeAt = (ms: number) => new Date(ms + 7 * 3_600_000).toISOString().slice(11, 19)

describe('the live bet in the chart', () => {
  test('a bet is drawn into its round: entry, tint, and whether it is winning in words; then the round alone again', async () => {
    const player = await aPlayer(server.url)
    const { page } = await openGame(player, '30s', { theme: 'light' })
    await viewShown(page, 'round')
    await page.getByText(/^Trên ≈\$[\d,.]+: Mua thắng · dưới: Bán$/).waitFor()
    await placeBet(player, '30s', 'down', 20_000)
    await page.getByText(marketTexts.sinceEntry).waitFor()
    // The entry's line and dot, and the tint between entry and price.
    await expect.poll(() => pixelsOf(page, '--color-info')).toBeGreaterThan(30)
    await expect
      .poll(async () => (await pixelsOf(page, '--color-up-soft')) + (await pixelsOf(page, '--color-down-soft')), {
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
      const [, arrow = ''] = /^(▲ |▼ |)[\d.]+ so với giá vào$/.exec(headline) ?? []
      if (arrow === '') expect([words, way]).toEqual([marketTexts.lead.level, 'level'])
      else if (arrow === '▼ ') expect([words, way]).toEqual([marketTexts.lead.ahead, 'ahead'])
      else expect([words, way]).toEqual([marketTexts.lead.behind, 'behind'])
      await page.waitForTimeout(700)
    }
    await page.getByRole('dialog').waitFor({ timeout: 40_000 })
    await page.keyboard.press('Escape')
    await page.getByText(/^Trên ≈/).waitFor()
  })

  test('a screen reader hears who is ahead at most every five seconds, with the seconds left', async () => {
    const player = await aPlayer(server.url)
    const { page } = await openGame(player, '60s')
    await placeBet(player, '60s', 'up', 20_000)
    await page.getByText(marketTexts.sinceEntry).waitFor()
    const heard = await page.evaluate(async () => {
      const line = document.querySelector('figure [aria-live=polite]')
      const texts: string[] = []
      const observer = new MutationObserver(() => texts.push(line?.textContent ?? ''))
      if (line !== null) observer.observe(line, { childList: true, characterData: true, subtree: true })
      await new Promise((resolve) => setTimeout(resolve, 12_000))
      observer.disconnect()
      return texts
    })
    expect(heard.length).toBeGreaterThanOrEqual(1)
    for (const text of heard) expect(text).toMatch(/^(Đang thắng|Đang thua|Đang bằng giá vào), còn \d+ giây$/)
    // By the seconds that it says itself: a busy machine writes one line late and the next one in time.
    const left = heard.map((text) => Number(/còn (\d+) giây$/.exec(text)?.[1]))
    for (const [index, seconds] of left.entries())
      expect((left[index - 1] ?? Number.POSITIVE_INFINITY) - seconds).toBeGreaterThanOrEqual(5)
  })
})

/** Draws a finger over the screen. Returns the function that lifts it. */
async function drawFinger(page: Page, ...places: ReadonlyArray<readonly [x: number, y: number]>) {
  const session = await page.context().newCDPSession(page)
  for (const [at, [x, y]] of places.entries()) {
    const type = at === 0 ? 'touchStart' : 'touchMove'
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
  }
  return () => session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

describe('reading along the chart', () => {
  const readingOf = {
    round: /^\d\d:\d\d:\d\d · \$[\d,.]+$/,
    '1m': /^\d\d\/\d\d \d\d:\d\d · \$[\d,.]+$/,
  }
  test.each(['round', '1m'] as const)(
    'of the view %s: a finger or a mouse, and the keys of a slider, say time and price; a finger still scrolls the page',
    async (view) => {
      const player = await aPlayer(server.url)
      await roundWithLeft(server.url, player.token, '120s', 20_000, 90_000)
      const { page } = await openGame(player, '120s', { height: 480 })
      await chooseView(page, view)
      const slider = page.getByRole('slider', { name: pictureTexts.read(marketTexts.captions[view]) })
      const shown = page.locator('figure').getByText(readingOf[view])
      await slider.waitFor()
      const box = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const place = (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const
      const readAt = async (part: number) => {
        const lift = device.hasTouch ? await drawFinger(page, place(0.45), place(part)) : null
        if (lift === null) await page.mouse.move(...place(part))
        const text = await shown.textContent()
        await (lift?.() ?? page.mouse.move(0, 0))
        await shown.waitFor({ state: 'detached' })
        return text
      }
      const [early, late] = [await readAt(0.05), await readAt(0.7)]
      expect(early).not.toBe(late)

      // Drawn upwards, the finger scrolls and reads nothing.
      if (device.hasTouch) {
        await page.evaluate(() => scrollTo(0, 0))
        const [x] = place(0.5)
        const lift = await drawFinger(page, place(0.5), [x, 90], [x, 60], [x, 10])
        await lift()
        await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(10)
        expect(await shown.count()).toBe(0)
      }

      // The keys are heard as values: one point back, the first, the newest.
      await slider.focus()
      const said = () => slider.getAttribute('aria-valuetext')
      await page.keyboard.press('Home')
      const first = await said()
      expect(first).toMatch(readingOf[view])
      expect(await shown.textContent()).toBe(first)
      expect(await failures(page, { part: 'figure' })).toEqual([])
      await page.keyboard.press('ArrowRight')
      const second = await said()
      expect(second).not.toBe(first)
      await page.keyboard.press('ArrowLeft')
      expect(await said()).toBe(first)
      await page.keyboard.press('End')
      expect(await said()).not.toBe(second)
      await page.keyboard.press('Tab')
      await shown.waitFor({ state: 'detached' })
    },
  )
})

describe('the pin', () => {
  test('is kept over a reload, and holds its view while a bet opens', async () => {
    const player = await aPlayer(server.url)
    const { page } = await openGame(player, '60s')
    await inMenu(page, async (sheet) => {
      await sheet.getByRole('radio', { name: marketTexts.views['1m'], exact: true }).check()
      await sheet.getByRole('switch', { name: marketTexts.pin }).click()
    })
    await page.reload()
    await viewShown(page, '1m')
    await placeBet(player, '60s', 'up', 15_000)
    await page.getByText(marketTexts.sinceEntry).waitFor()
    await viewShown(page, '1m')
    // Without the pin the page that opens goes to the round.
    await turnPin(page)
    await viewShown(page, '1m')
    await page.reload()
    await viewShown(page, 'round')
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
    await viewShown(page, 'round')
    await turnTable(page)
    await expect.poll(async () => (await rowTimes(page)).at(-1)).toBe(timeAt(round.opensAtMs))

    /** The newest row's place among the seconds that the server has a price of, and those up to it that the table lacks. */
    const seen = async () => {
      const times = await rowTimes(page)
      const query = { source: round.priceSource, from: round.opensAtMs, to: round.closesAtMs }
      const { ticks } = await call(server.url, endpoints.listTicks, { token: player.token, query })
      const known = ticks.filter(({ price }) => price !== null).map(({ second }) => timeAt(second * 1_000))
      const newest = known.indexOf(times[0] ?? '')
      return { newest, missing: known.slice(0, newest + 1).filter((time) => !times.includes(time)) }
    }
    await expect.poll(seen).toMatchObject({ missing: [] })
    const { newest } = await seen()
    expect(newest).toBeGreaterThanOrEqual(15)

    await context.setOffline(true)
    await page.waitForTimeout(7_000)
    await context.setOffline(false)
    await expect
      .poll(async () => {
        const now = await seen()
        return now.newest > newest + 6 ? now.missing : null
      })
      .toEqual([])
    expect((await rowTimes(page)).at(-1)).toBe(timeAt(round.opensAtMs))
  })
})

describe('the table', () => {
  test.each(['round', '1m', '60m'] as const)(
    'of the view %s is whole at 320 px, and no button covers its head',
    async (name) => {
      const player = await aPlayer(server.url)
      const { page } = await openGame(player, '60s', { width: 320, height: 640 })
      await chooseView(page, name)
      await turnTable(page)
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
  await page.waitForTimeout(3_000)
  const { running, pictures } = await page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>('figure canvas')
    const seen = new Set<string>()
    // By the clock: each look takes its own time on a busy machine.
    for (const until = performance.now() + 3_000; performance.now() < until;) {
      seen.add(canvas?.toDataURL() ?? '')
      await new Promise((resolve) => setTimeout(resolve, 75))
    }
    const moving = document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().duration) > 10)
    return { running: moving.length, pictures: seen.size }
  })
  expect(running).toBe(0)
  // Three seconds have three or four ticks, and perhaps a late one. What moves is another picture at each of forty looks.
  expect(pictures).toBeGreaterThanOrEqual(2)
  expect(pictures).toBeLessThanOrEqual(6)
})
