import { createServer, request, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountTexts } from '#web/features/account/account-texts.ts'
import { landingTexts } from '#web/features/landing/landing-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { updateTexts } from '#web/layout/update-texts.ts'
import { aPlayer } from './support/api.ts'
import { useBrowser } from './support/browser.ts'
import { useServer } from './support/use-product.ts'

const server = useServer()
let front: Front
beforeAll(async () => {
  front = await startFront(server.url)
})
afterAll(() => front.stop())
const { visit } = useBrowser(() => front.url)

type Front = { readonly url: string; release(): void; stop(): void }

/** The server behind a proxy that can simulate a new release by changing the service worker's text. */
async function startFront(target: string): Promise<Front> {
  let releases = 0
  const proxy: Server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', target)
    const passed = request(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      if (url.pathname !== '/sw.js') {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
        return
      }
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const { etag: _, 'content-length': __, ...headers } = answer.headers
        outgoing.writeHead(200, headers)
        outgoing.end(
          Buffer.concat(chunks).toString('utf8').replace('const version = "', `const version = "${releases}`),
        )
      })
    })
    if (url.pathname === '/sw.js') passed.setHeader('accept-encoding', 'identity')
    if (url.pathname === '/sw.js') passed.removeHeader('if-none-match')
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    release: () => {
      releases += 1
    },
    stop: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/** Waits until the service worker controls the page and its cache is complete. */
const untilKept = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (navigator.serviceWorker.controller === null) await new Promise((resolve) => setTimeout(resolve, 50))
  })

/** Which fonts the page starts with after a reload. */
const fontAtFirst = async (page: Page) => {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      Object.assign(globalThis, { fontAtFirst: document.documentElement.dataset['font'] ?? 'none' })
    })
  })
  await page.reload()
  return page.evaluate(() => (globalThis as { fontAtFirst?: string }).fontAtFirst)
}

const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return keys.flat().map((kept) => new URL(kept.url).pathname)
  })

describe('the app on a phone', () => {
  test('can be installed: its manifest names it, and its icons are there', async () => {
    const { page } = await visit('/login')
    const href = await page.locator('link[rel=manifest]').getAttribute('href')
    const manifest = (await (await page.request.get(href ?? '')).json()) as {
      name: string
      display: string
      icons: ReadonlyArray<{ src: string; purpose: string; sizes: string }>
    }
    expect(manifest).toMatchObject({ name: commonTexts.productName, display: 'standalone' })
    expect(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual(
      expect.arrayContaining(['any 192x192', 'any 512x512', 'maskable 512x512']),
    )
    for (const { src } of manifest.icons)
      expect((await page.request.get(src)).headers()['content-type']).toMatch(/^image\//)
  })

  test('its fonts load after the first screen, and with it once they are on the device', async () => {
    const { page } = await visit('/login', { hasServiceWorker: true })
    await page.waitForFunction(() => document.documentElement.dataset['font'] === 'own')
    await untilKept(page)
    expect(await fontAtFirst(page)).toBe('own')
    await page.waitForFunction(() => document.fonts.check("1em 'Inter Variable'", 'aạ'))
    // A browser without stored fonts starts without them.
    const { page: other } = await visit('/login')
    expect(await fontAtFirst(other)).toBe('none')
    await other.waitForFunction(() => document.documentElement.dataset['font'] === 'own')
  })

  test('opens without a network, keeps nothing of the server’s, and says that it is offline', async () => {
    const { token } = await aPlayer(server.url)
    const { page, context } = await visit('/', { token, hasServiceWorker: true })
    await page.getByText(landingTexts.welcome).waitFor()
    await untilKept(page)
    const kept = await keptPaths(page)
    expect(kept.length).toBeGreaterThan(20)
    expect(kept.filter((path) => /^\/(api|admin)/.test(path))).toEqual([])
    expect(kept.filter((path) => /admin|office|data-table|overview|users-screen|rounds-screen/.test(path))).toEqual([])

    await context.setOffline(true)
    await page.getByText(commonTexts.offline).waitFor()
    // A screen that was never opened is loaded from the device, and names what it could not fetch.
    await page.getByRole('link', { name: 'Đầu tư' }).click()
    await page.getByRole('heading', { name: 'Đầu tư' }).waitFor()
    await page.reload()
    await page.getByText(commonTexts.offline).waitFor()
    await page.getByRole('button', { name: commonTexts.retry }).waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: commonTexts.retry }).click()
    await page.getByText('Bitcoin', { exact: true }).waitFor()
  })

  test('a newer version waits, disturbs no round, and comes when it is asked for', async () => {
    const { token } = await aPlayer(server.url)
    const { page, context } = await visit('/account', { token, hasServiceWorker: true })
    await page.getByText(accountTexts.logout).waitFor()
    await untilKept(page)
    expect(await page.getByText(updateTexts.available).count()).toBe(0)
    const other = await context.newPage()
    await other.goto('/investment/game')
    await other.getByRole('timer').waitFor()
    await other.evaluate(() => Object.assign(globalThis, { isSamePage: true }))

    front.release()
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    const bar = page.getByRole('button', { name: new RegExp(updateTexts.take) })
    await bar.waitFor()
    // The game's screen shows no update notice.
    expect(await other.getByText(updateTexts.available).count()).toBe(0)

    // A page that was opened only now offers it as well, until it is taken in another one.
    const late = await context.newPage()
    await late.goto('/account')
    await late.getByText(updateTexts.available).waitFor()

    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    await bar.click()
    await expect.poll(() => page.evaluate(() => 'isSamePage' in globalThis)).toBe(false)
    await page.getByText(accountTexts.logout).waitFor()
    expect(await page.getByText(updateTexts.available).count()).toBe(0)
    await late.getByText(updateTexts.available).waitFor({ state: 'hidden' })
    // The page in play is not reloaded, and can still load its own chunks.
    expect(await other.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
    await other.getByRole('tab', { name: 'History' }).click()
    await other.getByRole('link', { name: 'Về danh sách' }).click()
    await other.getByText('Bitcoin', { exact: true }).waitFor()
    expect(await other.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  })
})
