import { describe, expect, test } from 'vitest'
import { sourceLabel } from '#domain/market/source-label.ts'
import { SIMULATED } from '#domain/market/sources.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { rulesTexts } from '#web/features/game/rules-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { tradingViewTexts } from '#web/features/market/trading-view-texts.ts'
import { aPlayer, roundWithLeft } from './support/api.ts'
import { entriesLeft, inMenu, openRules, openTradingView } from './support/chart.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()

describe('beside the bet', () => {
  test('the rules can be read at any time, and a result is silent until a signal is switched on', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token })
    const rules = page.getByRole('dialog', { name: rulesTexts.title })
    await openRules(page)
    await rules.getByText(rulesTexts.payout[1]).waitFor()
    expect(await rules.getByRole('row').allTextContents()).toEqual([
      `${rulesTexts.type}${rulesTexts.rate}${rulesTexts.example}`,
      '30s5%+5.00 / −5.00',
      '60s7%+7.00 / −7.00',
      '90s9%+9.00 / −9.00',
      '120s12%+12.00 / −12.00',
    ])
    const sound = rules.getByRole('switch', { name: rulesTexts.sound })
    expect(await sound.isChecked()).toBe(false)
    await sound.check()
    await page.keyboard.press('Escape')
    await rules.waitFor({ state: 'hidden' })
    await entriesLeft(page)
    await page.reload()
    await openRules(page)
    expect(await sound.isChecked()).toBe(true)
  })

  test('the receipt of the running round is one press behind "⋯"', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/login', { token })
    await page.evaluate(() => localStorage.setItem('selected_game_type', '120s'))
    const round = await roundWithLeft(server.url, token, '120s', 20_000, 118_000)
    await page.goto('/investment/game')
    const number = round.roundNumber.toLocaleString('en-US')
    await page.getByText(gameTexts.round(number)).waitFor()
    await inMenu(page, async (sheet) => {
      await sheet.getByRole('link', { name: gameTexts.receipt(number) }).click()
      await sheet.waitFor({ state: 'detached' })
    })
    await page.waitForURL(`**/vong/${round.id}`)
  })

  test('how the latest rounds of the type ended, and which of them staff had set', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/login', { token })
    const endings = [
      { result: 'UP', n2: 4_000.002, resultSource: 'PRICE' },
      { result: 'DOWN', n2: 4_000.002, resultSource: 'ADMIN' },
      { result: null, n2: 4_000.001, resultSource: 'PRICE' },
    ]
    await page.route('**/api/v1/game/by-type/30s*', async (route) => {
      const rows = endings.map((ending, age) => ({
        ...{ _id: `phien-${age}`, gameId: 'game-30s', gameType: '30s', turnNumber: 8_000 - age, attempt: 0 },
        ...{ status: 'ENDED', n1: 4_000.001, announcement: null, priceSource: 'simulated', duration: 30 },
        ...{ priceSourceLabel: sourceLabel(SIMULATED), isDeleted: false },
        ...{ startTime: '2026-01-05T00:00:00.000Z', locksAt: '2026-01-05T00:00:29.000Z' },
        ...{ endTime: '2026-01-05T00:00:30.000Z', ...ending },
      }))
      const meta = { total: 3, page: 1, limit: 12, hasMore: false }
      await route.fulfill({ json: { statusCode: 200, message: 'OK', data: rows, meta } })
    })
    await page.goto('/investment/game')
    const marks = page.getByRole('listitem').filter({ hasText: /Phiên (8,000|7,99\d)/ })
    await marks.first().waitFor()
    expect(await marks.allTextContents()).toEqual([
      `▲${gameTexts.round('8,000')}, ${gameTexts.recentUp}`,
      `▼${gameTexts.round('7,999')}, ${gameTexts.recentDown}, ${gameTexts.recentByStaff}`,
      `=${gameTexts.round('7,998')}, ${gameTexts.recentTie}`,
    ])
  })

  test('TradingView’s chart is asked for first, given up after 5 s, and shown once it says that it is there', async () => {
    const { token } = await aPlayer(server.url)
    const { page, context } = await visit('/investment/game', { token })
    let isTalking = false
    const asked: string[] = []
    await context.route('https://www.tradingview-widget.com/**', async (route) => {
      asked.push(route.request().url())
      const script = isTalking ? "<script>parent.postMessage({ name: 'tv-widget-load' }, '*')</script>" : ''
      await route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>tv</title><p>candles</p>${script}` })
    })
    const figure = page.getByRole('figure')
    await openTradingView(page)
    await page.getByText(tradingViewTexts.about).waitFor()
    expect(asked).toEqual([])

    await page.getByRole('button', { name: tradingViewTexts.open }).click()
    await figure.getByText(tradingViewTexts.failed).waitFor()
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('/embed-widget/advanced-chart/')
    isTalking = true
    await figure.getByRole('button', { name: commonTexts.retry }).click()
    await figure.getByText(tradingViewTexts.title, { exact: true }).waitFor()
    await figure.frameLocator('iframe').getByText('candles').waitFor()
    await figure.getByRole('button', { name: tradingViewTexts.back }).click()
    await figure.locator('canvas').first().waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
  })
})
