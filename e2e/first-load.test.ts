import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { landingTexts } from '#web/features/landing/landing-texts.ts'
import { commonTexts, screenTitles } from '#web/platform/texts.ts'
import { aPlayer } from './support/api.ts'
import { useBrowser } from './support/browser.ts'
import { type RunningServer, startServer } from './support/server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())
const { visit } = useBrowser(() => server.url)

/** Holds a screen's code back until the returned function is called. */
async function holdBack(page: Page, chunk: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(chunk, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Time from the start of the page until it shows a text. */
const drawnAfterMs = (page: Page, text: string) =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () =>
          document.body.innerText.includes(wanted) ? resolve(performance.now()) : requestAnimationFrame(look)
        look()
      }),
    text,
  )

describe('a page whose screen is slow to arrive', () => {
  test('shows the frame within its first second, and the screen as soon as it is here', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/login', { token })
    const release = await holdBack(page, /\/assets\/home-screen-/)
    await page.goto('/', { waitUntil: 'commit' })
    expect(await drawnAfterMs(page, commonTexts.loading)).toBeLessThan(1_000)
    // The tab bar is visible and its links work.
    await page.getByRole('link', { name: screenTitles.account }).waitFor({ timeout: 1_000 })
    release()
    const before = Date.now()
    await page.getByText(landingTexts.welcome).waitFor()
    expect(Date.now() - before).toBeLessThan(500)
  })

  test('says that it loads while the code of all screens behind the token is slow', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/login', { token })
    const release = await holdBack(page, /\/assets\/signed-in-/)
    await page.goto('/', { waitUntil: 'commit' })
    expect(await drawnAfterMs(page, commonTexts.loading)).toBeLessThan(1_000)
    release()
    await page.getByText(landingTexts.welcome).waitFor()
  })
})
