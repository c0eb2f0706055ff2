import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { landingTexts } from '#web/features/landing/landing-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { aPlayer, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
/** Waits until the product itself and what the screen knows are on the device. */
const untilKept = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (navigator.serviceWorker.controller === null || localStorage.getItem('last_known') === null)
      await new Promise((resolve) => setTimeout(resolve, 100))
    document.dispatchEvent(new Event('visibilitychange'))
  })
const age = (page: Page) => page.getByText(/^Số liệu lúc \d\d:\d\d/)

describe('a start without a network', () => {
  test('shows home and the game as they were last known, with their age and what can’t be done', async () => {
    const player = await aPlayer(server.url)
    const { page, context } = await visit('/investment/game', { token: player.token, hasServiceWorker: true })
    const balance = page.getByText('1,000.00').first()
    await balance.waitFor()
    await untilKept(page)
    // What the screen knows is written 10 s after it was learnt.
    await page.waitForTimeout(10_500)

    await context.setOffline(true)
    await page.goto('/')
    await page.getByText(landingTexts.welcome).waitFor()
    await balance.waitFor()
    await page.getByText(commonTexts.offline).waitFor()
    await age(page).waitFor()

    await page.goto('/investment/game')
    await balance.waitFor()
    await page.getByText(gameTexts.serverAway).waitFor()
    await page.getByText(gameTexts.offline).waitFor()
    expect(
      await page.getByRole('button', { name: new RegExp(`^${gameTexts.buy}`) }).getAttribute('aria-disabled'),
    ).toBe('true')
    expect(await page.getByText(gameTexts.roundSettling).count()).toBe(0)
    await expect.poll(() => page.getByText(commonTexts.loading, { exact: true }).count()).toBe(0)
    expect(await page.getByText(commonTexts.offline).count()).toBe(1)

    await context.setOffline(false)
    await page.getByText(commonTexts.offline).waitFor({ state: 'detached' })
    await page.getByText(gameTexts.serverAway).waitFor({ state: 'detached' })
  })

  test('leaves nothing of the session behind', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account', { token: player.token, hasServiceWorker: true })
    await page.getByText(player.username).first().waitFor()
    await untilKept(page)
    await page.getByRole('button', { name: 'Đăng xuất' }).click()
    await page.waitForURL('**/login')
    expect(await page.evaluate(() => localStorage.getItem('last_known'))).toBeNull()
  })
})

test('a browser that is wrong about its network stops no bet while the server answers', async () => {
  const player = await aPlayer(server.url)
  const { page, context } = await visit('/account', { token: player.token })
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }))
  await page.goto('/investment/game')
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await roundWithLeft(server.url, player.token, '30s', 10_000, 28_000)
  await page.getByRole('button', { name: new RegExp(`^${gameTexts.buy}`) }).click()
  await page.getByText(gameTexts.betPlaced).waitFor()
  expect(await page.getByText(commonTexts.offline).count()).toBe(0)
})

test('customer care: one bar, and the field stays above the tab bar', async () => {
  const player = await aPlayer(server.url)
  const { page, context } = await visit('/support', { token: player.token })
  await page.getByRole('button', { name: chatTexts.chatWith('admin') }).click()
  await page.getByPlaceholder(chatTexts.messagePlaceholder).waitFor()
  await context.setOffline(true)
  await page.getByText(commonTexts.offline).waitFor()
  const field = page.getByRole('textbox', { name: chatTexts.messageLabel })
  await page.getByPlaceholder(chatTexts.connecting).waitFor({ timeout: 60_000 })
  expect(await page.getByText(chatTexts.disconnected).count()).toBe(0)
  const box = await field.boundingBox()
  const bar = await page.getByRole('navigation').boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
  expect(Math.round((bar?.y ?? 0) + (bar?.height ?? 0))).toBe(page.viewportSize()?.height)
})
