import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { marketTexts } from '#web/features/market/market-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { aPlayer } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct({ isEmbedded: true })
const awayMs = 35_000
/** Not what stands in its place until there is one. */
const price = (page: Page) => page.getByRole('region', { name: marketTexts.price }).getByText(/^\$\d,\d{3}\.\d{3}$/)
const buy = (page: Page) => page.getByRole('button', { name: new RegExp(`^${gameTexts.buy}`) })
const isOff = (page: Page) => buy(page).getAttribute('aria-disabled')
const bar = (page: Page) => page.getByText(commonTexts.serverAway)
const settling = (page: Page) => page.getByText(gameTexts.roundSettling)

/** Opens the game and waits until prices come by the socket. */
async function playing(token: string): Promise<Page> {
  const { page } = await visit('/investment/game', { token })
  await price(page).waitFor()
  const first = await price(page).textContent()
  await expect.poll(() => price(page).textContent(), { timeout: 20_000 }).not.toBe(first)
  return page
}

/** Reads what the screen says every half second, for this long. */
async function watchFor(page: Page, ms: number): Promise<ReadonlySet<string>> {
  const said = new Set<string>()
  const until = Date.now() + ms
  while (Date.now() < until) {
    if (await settling(page).count()) said.add('settling')
    if ((await isOff(page)) === 'false') said.add('open')
    if (await page.getByText(gameTexts.serverAway).count()) said.add('away')
    if (await bar(page).count()) said.add('bar')
    await page.waitForTimeout(500)
  }
  return said
}

describe('a server that is away for 35 s', () => {
  test('killed: nothing can be bet on the old price, and the price runs again soon after its return', async () => {
    const player = await aPlayer(server.url)
    const page = await playing(player.token)
    const { page: care } = await visit('/support', { token: player.token })
    await care.getByText(chatTexts.noConversations).waitFor()

    const lostAtMs = Date.now()
    await server.kill()
    await page.bringToFront()
    await expect.poll(() => isOff(page), { timeout: 8_000 }).toBe('true')
    expect(Date.now() - lostAtMs).toBeLessThan(8_000)
    await page.getByText(gameTexts.serverAwayNoBets).waitFor()
    const old = await price(page).textContent()
    const said = await watchFor(page, lostAtMs + awayMs - Date.now())
    expect(said).toEqual(new Set(['away', 'bar']))
    await bar(care).waitFor()

    await server.comeBack()
    await bar(page).waitFor({ state: 'detached', timeout: 15_000 })
    await expect.poll(() => price(page).textContent(), { timeout: 5_000 }).not.toBe(old)
    await page.getByText(gameTexts.serverAway).waitFor({ state: 'detached' })
    // Care makes no calls of its own, so it waits for its next try.
    await bar(care).waitFor({ state: 'detached', timeout: 35_000 })
  }, 150_000)

  test('a press tries at once', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/support', { token: player.token })
    await page.getByText(chatTexts.noConversations).waitFor()
    await server.kill()
    await bar(page).waitFor({ timeout: 40_000 })
    await server.comeBack()
    await page.getByRole('button', { name: commonTexts.tryNow }).click()
    await bar(page).waitFor({ state: 'detached', timeout: 3_000 })
  }, 90_000)

  test('suspended: the connection stands, but the screen says that nothing comes', async () => {
    const player = await aPlayer(server.url)
    const page = await playing(player.token)
    server.signal('SIGSTOP')
    try {
      await page.getByText(gameTexts.serverAwayNoBets).waitFor({ timeout: 8_000 })
      const said = await watchFor(page, awayMs - 8_000)
      expect(said.has('settling') || said.has('open')).toBe(false)
    } finally {
      server.signal('SIGCONT')
    }
    await page.getByText(gameTexts.serverAway).waitFor({ state: 'detached', timeout: 10_000 })
    const before = await price(page).textContent()
    await expect.poll(() => price(page).textContent(), { timeout: 5_000 }).not.toBe(before)
  }, 120_000)
})
