import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { landingTexts } from '#web/features/landing/landing-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { aPlayer, roundWithLeft } from './support/api.ts'
import { say, writeTo } from './support/message-field.ts'
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
const age = (page: Page) => page.getByText(/^· số liệu \d\d:\d\d$/)

describe('a start without a network', () => {
  test('shows home and the game as they were last known, with their time', async () => {
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

test('customer care: one line, the newest message stays in view, and the field above the tab bar', async () => {
  const player = await aPlayer(server.url)
  const { page, context } = await visit('/support', { token: player.token })
  await writeTo(page, 'admin')
  for (let n = 1; n <= 3; n++) await say(page, `${'dòng\n'.repeat(9)}cuối ${n}`)
  await page.getByText('cuối 3').last().waitFor()
  const bottomOf = async (what: Locator) => {
    const { y = 0, height = 0 } = (await what.boundingBox()) ?? {}
    return y + height
  }
  const overhang = async () =>
    (await bottomOf(page.getByText('cuối 3').last())) -
    (await bottomOf(page.getByRole('region', { name: chatTexts.messageList })))
  await expect.poll(overhang).toBeLessThan(0)
  const before = await overhang()
  await context.setOffline(true)
  const bar = page.getByRole('status').filter({ hasText: commonTexts.offline })
  await bar.waitFor()
  // It takes its room from the messages: what was at their end still is.
  expect((await bar.boundingBox())?.height).toBe(24)
  await expect.poll(overhang).toBe(before)
  const field = page.getByRole('textbox', { name: chatTexts.messageLabel })
  await page.getByPlaceholder(chatTexts.connecting).waitFor({ timeout: 60_000 })
  const box = await field.boundingBox()
  const tabs = await page.getByRole('navigation').boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0)
  expect(Math.round((tabs?.y ?? 0) + (tabs?.height ?? 0))).toBe(page.viewportSize()?.height)
})
