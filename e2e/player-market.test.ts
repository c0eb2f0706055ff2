import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { marketListTexts } from '#web/features/market/market-list-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { aPlayer } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { type RunningServer, startServer, whileGoldTrades } from './support/server.ts'

const { server, visit } = useProduct()
beforeAll(async () => {
  // The address of the coins' source does not answer.
})

describe('the market list while its upstream is down', () => {
  test('shows a sample that says so, and every row leads to the gold game', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment', { token })
    await page.getByText(marketListTexts.sample, { exact: true }).waitFor()
    await page.getByText(marketListTexts.sampleDetail).waitFor()
    await page.getByText(marketListTexts.lead).waitFor()
    const rows = page.locator('main a[href^="/investment/game"]')
    expect(await rows.count()).toBe(21)
    expect(await page.locator('main img').count()).toBe(0)
    // The first price of a new server may take a second longer than the list.
    await rows.first().getByText(/\$\d/).waitFor()
    const gold = (await rows.first().textContent()) ?? ''
    expect(gold).toMatch(/Vàng.*XAU\/USD · Giá mô phỏng.*\$\d,\d{3}\.\d{3}/)
    await rows.nth(1).click()
    await page.waitForURL(/\/investment\/game\?from=Bitcoin/)
    await page.getByText(gameTexts.goldOnly, { exact: true }).waitFor()
    await page.goBack()
    await page.waitForURL('/investment')
  })

  test('keeps what it has and says that nothing newer came; with nothing it offers to try again', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment', { token })
    await page.getByText('Bitcoin', { exact: true }).waitFor()
    let isDown = true
    await page.route('**/api/v1/market', (route) => (isDown ? route.abort() : route.fallback()))
    await page.goto('/account')
    await page.goto('/investment')
    await page.getByText(marketListTexts.failed).waitFor()
    isDown = false
    await page.getByRole('button', { name: commonTexts.retry }).click()
    await page.getByText('Bitcoin', { exact: true }).waitFor()
  })

  test('shows the age of coins that are older than two minutes', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/account', { token })
    await page.route('**/api/v1/market', async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: { serverTime: string } }
      const fetchedAt = new Date(Date.parse(answer.data.serverTime) - 5 * 60_000 - 1_000).toISOString()
      await route.fulfill({ json: { ...answer, data: { ...answer.data, isSample: false, coinsFetchedAt: fetchedAt } } })
    })
    await page.goto('/investment')
    await page.getByText(`${marketListTexts.stale} 5 phút trước`).waitFor()
  })
})

describe('the market list with its upstream', () => {
  let live: RunningServer
  beforeAll(async () => {
    live = await startServer({ feed: 'pyth', clockShiftMs: whileGoldTrades() })
  })
  afterAll(() => live.stop())

  test('replaces the sample by real coins within seconds, with change and arrow', async () => {
    const { token } = await aPlayer(live.url)
    const { page } = await visit(`${live.url}/login`)
    await page.evaluate((value) => localStorage.setItem('access_token', value), token)
    await page.goto(`${live.url}/investment`)
    // A call that a busy machine gave up is made again after a minute.
    await page.getByText(new RegExp(`^${marketListTexts.updatedAt}`)).waitFor({ timeout: 100_000 })
    expect(await page.getByText(marketListTexts.sample, { exact: true }).count()).toBe(0)
    const rows = page.locator('main a[href^="/investment/game"]')
    for (const text of await rows.allTextContents()) expect(text).toMatch(/▲ tăng \d|▼ giảm \d|không đổi 0\.00%|–$/)
    live.liveFeed?.set({ gives: 500 })
    await page.reload()
    await page.getByText('Ethereum', { exact: true }).waitFor()
  })
})
