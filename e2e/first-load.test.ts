import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { landingTexts } from '#web/features/landing/landing-texts.ts'
import { commonTexts, screenTitles } from '#web/platform/texts.ts'
import { aPlayer } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct({ isOwn: true })
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

/** Opens the landing page. Returns the time from the start of the page until it shows a text, ms. */
async function drawnAfterMs(page: Page, text: string): Promise<number> {
  await page.goto('/', { waitUntil: 'commit' })
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () =>
          document.body.innerText.includes(wanted) ? resolve(performance.now()) : requestAnimationFrame(look)
        look()
      }),
    text,
  )
}

/** The quickest of three loads: another browser on the same two cores only ever adds to the time. */
async function quickestMs(page: Page, text: string): Promise<number> {
  const times: number[] = []
  for (let load = 0; load < 3; load++) times.push(await drawnAfterMs(page, text))
  return Math.min(...times)
}

describe('a page whose screen is slow to arrive', () => {
  test('shows the frame within its first second, and the screen as soon as it is here', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/login', { token })
    const release = await holdBack(page, /\/assets\/home-screen-/)
    expect(await quickestMs(page, commonTexts.loading)).toBeLessThan(1_000)
    // The tab bar is visible and its links work.
    await page.getByRole('link', { name: screenTitles.account }).waitFor({ timeout: 1_000 })
    release()
    await page.getByText(landingTexts.welcome).waitFor({ timeout: 500 })
  })

  test('says that it loads while the code of all screens behind the token is slow', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/login', { token })
    const release = await holdBack(page, /\/assets\/signed-in-/)
    expect(await quickestMs(page, commonTexts.loading)).toBeLessThan(1_000)
    release()
    await page.getByText(landingTexts.welcome).waitFor()
  })
})
