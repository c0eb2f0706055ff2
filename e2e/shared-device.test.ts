import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { accountTexts } from '#web/features/account/account-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { landingTexts } from '#web/features/landing/landing-texts.ts'
import { whereThingsAreKept } from '#web/platform/session.ts'
import { storageKeys } from '#web/platform/storage.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { unsentTexts } from '#web/features/account/unsent-texts.ts'
import { type Account, anAdmin, aPlayer, call } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { messageField as field, say, writeTo } from './support/message-field.ts'

const { server, visit } = useProduct()
/** Two people share one phone: every kind of storage in a browser is searched for data of the first one. */

let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})

const balanceMinor = 765_432_100n
const sentText = 'Chuyện riêng đã gửi'
const unsentText = 'Chuyện riêng chưa gửi'
const typedText = 'Chuyện riêng mới gõ'
/** A result that the first person was shown. */
const shownBetId = '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0001'

/** The first person, with a balance that nobody else has, and the next one. */
async function twoPeople() {
  const [leaver, comer] = [await aPlayer(server.url), await aPlayer(server.url)]
  const body = { balanceMinor, reason: 'Điểm thử' }
  await call(server.url, endpoints.updateUser, { token: admin, params: { id: leaver.id }, body })
  const own = [leaver.username, leaver.id, formatAmount(balanceMinor), '7654321']
  return { leaver, comer, marks: [...own, sentText, unsentText, typedText, shownBetId] }
}

/** Everything that this browser stores and shows: the first part of each text, with the marks found in it. */
const lookEverywhere = (page: Page, marks: readonly string[]): Promise<{ where: string; found: string[] }[]> =>
  page.evaluate(async (wanted) => {
    const lines: string[] = []
    for (const [name, store] of Object.entries({ localStorage, sessionStorage }))
      for (const [key, value] of Object.entries(store)) lines.push(`${name} ${key}: ${String(value)}`)
    const promised = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(new Error(String(request.error))))
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await promised(indexedDB.open(name))
      lines.push(`indexedDB ${name}`)
      for (const storeName of database.objectStoreNames) {
        const store = database.transaction(storeName).objectStore(storeName)
        const [keys, values] = await Promise.all([promised(store.getAllKeys()), promised(store.getAll())])
        for (const [at, key] of keys.entries())
          lines.push(`indexedDB ${name} ${JSON.stringify(key)}: ${JSON.stringify(values[at])}`)
      }
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        lines.push(`caches ${name} ${request.url}: ${(await (await cache.match(request))?.text()) ?? ''}`)
    }
    for (const pair of document.cookie.split('; ').filter(Boolean)) lines.push(`cookie ${pair}`)
    lines.push(`title ${document.title}`, `page ${document.documentElement.outerHTML}`)
    return lines.map((line) => ({
      where: line.slice(0, 80),
      found: wanted.filter((mark) => line.includes(mark)),
    }))
  }, marks)

/** Which of the first person's marks are found, and where. Empty when there are none. */
async function leftOf(page: Page, marks: readonly string[]): Promise<string[]> {
  const things = await lookEverywhere(page, marks)
  return things.flatMap(({ where, found }) => found.map((mark) => `${mark} in ${where}`))
}

/**
 * Watches this tab from now on, through every page it loads, for moments that show data of the first person: a check at
 * the end would only find what stayed.
 */
async function watch(page: Page, marks: readonly string[]): Promise<string[]> {
  const seen: string[] = []
  await page.exposeFunction('sawMark', (mark: string) => void seen.push(mark))
  const observe = (wanted: readonly string[]) => {
    const { sawMark } = globalThis as unknown as { sawMark: (mark: string) => void }
    const look = () => {
      const shown = `${document.title} ${document.body?.innerText ?? ''}`
      const fields = Array.from(document.querySelectorAll('input, textarea'), (one) => (one as HTMLInputElement).value)
      for (const mark of wanted) if (`${shown} ${fields.join(' ')}`.includes(mark)) sawMark(mark)
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  }
  await page.addInitScript(observe, marks)
  await page.evaluate(observe, marks)
  return seen
}

/** Checks that the product's own list of stores names every kind of place where something was found, with its owner. */
async function expectKnownPlaces(page: Page): Promise<void> {
  const things = await lookEverywhere(page, [])
  const keys = new Set<string>(Object.values(storageKeys).map(({ name }) => name))
  const unknown = things.filter(({ where }) => {
    const [place = '', name = ''] = where.split(/[ :]/)
    if (place === 'title' || place === 'page') return false
    return !Object.hasOwn(whereThingsAreKept, place) || (place === 'localStorage' && !keys.has(name))
  })
  expect(unknown).toEqual([])
}

const signIn = async (page: Page, { username, password }: Account) => {
  await page.getByLabel('Tài khoản').fill(username)
  await page.getByLabel('Mật khẩu', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Đăng nhập' }).click()
  await page.getByText(landingTexts.greeting(username)).waitFor()
}
const tokenOf = (page: Page) => page.evaluate((key) => localStorage.getItem(key) ?? '', storageKeys.accessToken.name)
const isAlive = async (token: string) => {
  const response = await fetch(`${server.url}${endpoints.me.path}`, { headers: { authorization: `Bearer ${token}` } })
  return response.ok
}
const tab = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name: new RegExp(name) })

/** After the returned function was called, this page's socket sends no more messages. */
async function muteSends(context: BrowserContext) {
  let isMuted = false
  await context.routeWebSocket(/socket\.io/, (socket) => {
    const upstream = socket.connectToServer()
    socket.onMessage((frame) => {
      if (!isMuted || !String(frame).includes('send_message')) upstream.send(frame)
    })
  })
  return (next: boolean) => {
    isMuted = next
  }
}

/** The first person leaves traces: a game type, a result that was seen, and messages sent, unsent and only typed. */
async function leaveTraces(page: Page, mute: (isMuted: boolean) => void): Promise<void> {
  await page.evaluate(
    ([id, keys]) => {
      localStorage.setItem(keys.shownBetIds.name, JSON.stringify([id]))
      localStorage.setItem(keys.selectedGameType.name, '60s')
      localStorage.setItem(keys.chatSound.name, 'on')
    },
    [shownBetId, storageKeys] as const,
  )
  await tab(page, 'CSKH').click()
  await writeTo(page, 'admin')
  await say(page, sentText)
  await page.getByText(chatTexts.sent).waitFor()
  mute(true)
  await say(page, unsentText)
  await page.getByText(chatTexts.sending).waitFor()
  await field(page).fill(typedText)
}

const conversationsOf = (account: Account) =>
  call(server.url, endpoints.listConversations, { token: account.token, query: {} })

describe('the next one on this phone', () => {
  test('finds nothing after a sign-out: not stored, not on screen, not behind the back button', async () => {
    const { leaver, comer, marks } = await twoPeople()
    const { page, context } = await visit('/login')
    const mute = await muteSends(context)
    await page.reload()
    await signIn(page, leaver)
    await leaveTraces(page, mute)
    await expectKnownPlaces(page)
    expect(await leftOf(page, marks)).not.toEqual([])
    const token = await tokenOf(page)
    expect(await isAlive(token)).toBe(true)

    // An answer that is still on its way when the first person leaves.
    let release = (): void => {}
    const late = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/v1/user/config', async (route) => {
      await late
      await route.continue().catch(() => {})
    })
    await page.getByRole('button', { name: chatTexts.back }).click()
    await tab(page, 'Tài khoản').click()
    await page.getByRole('button', { name: accountTexts.logout }).click()
    // The one that was sent and the one that was only typed.
    await page.getByText(unsentTexts.text('2')).waitFor()
    await page.getByRole('button', { name: unsentTexts.confirm }).click()
    await page.waitForURL('/login')
    release()
    await page.unroute('**/api/v1/user/config')
    mute(false)
    expect(await leftOf(page, marks)).toEqual([])
    const seen = await watch(page, marks)
    expect(await isAlive(token)).toBe(false)

    for (const _ of [1, 2]) {
      await page.goBack()
      await page.waitForURL('/login')
      expect(await leftOf(page, marks)).toEqual([])
    }
    await signIn(page, comer)
    expect(await leftOf(page, marks)).toEqual([])
    await tab(page, 'CSKH').click()
    await page.getByText(chatTexts.noConversations).waitFor()
    await writeTo(page, 'admin')
    await page.getByText(chatTexts.emptyConversation).waitFor()
    expect(await field(page).inputValue()).toBe('')
    await page.goto('/investment/game')
    await page.getByRole('radio', { name: /^30s/ }).and(page.locator(':checked')).waitFor()
    expect(await leftOf(page, marks)).toEqual([])
    expect(await conversationsOf(comer)).toEqual([])
    expect(seen).toEqual([])
  })

  test('finds nothing when the server ended the session, nor are messages sent that waited there', async () => {
    const { leaver, comer, marks } = await twoPeople()
    const { page, context } = await visit('/login')
    const mute = await muteSends(context)
    await page.reload()
    await signIn(page, leaver)
    await leaveTraces(page, mute)
    const body = { password: 'mot-mat-khau-khac' }
    await call(server.url, endpoints.updateUser, { token: admin, params: { id: leaver.id }, body })
    await page.waitForURL('/login')
    await page.getByText(signInTexts.sessionEnded).waitFor()
    mute(false)
    // The unsent text stays stored for its writer, invisible to others.
    expect((await leftOf(page, [unsentText])).length).toBe(1)
    expect((await leftOf(page, marks)).filter((line) => / in page /.test(line))).toEqual([])
    const seen = await watch(page, marks)

    await signIn(page, comer)
    await tab(page, 'CSKH').click()
    await page.getByText(chatTexts.noConversations).waitFor()
    await expect.poll(() => leftOf(page, marks)).toEqual([])
    await page.reload()
    await page.getByText(chatTexts.noConversations).waitFor()
    expect(await conversationsOf(comer)).toEqual([])
    expect(seen).toEqual([])
  })

  test('signs in beside a tab that was left open: that tab turns to the new one, its session ends', async () => {
    const { leaver, comer, marks } = await twoPeople()
    const { page: form, context } = await visit('/login')
    const mute = await muteSends(context)
    const open = await context.newPage()
    await open.goto('/login')
    await signIn(open, leaver)
    await leaveTraces(open, mute)
    mute(false)
    // A third tab is still loading for the first person: its early answers arrive after the second one signed in.
    let release = (): void => {}
    const late = new Promise<void>((resolve) => (release = resolve))
    const slow = await context.newPage()
    const token = await tokenOf(open)
    await slow.route('**/api/v1/user/me', async (route) => {
      if (route.request().headers()['authorization'] !== `Bearer ${token}`) return route.continue()
      const response = await route.fetch()
      await late
      return route.fulfill({ response }).catch(() => {})
    })
    await slow.goto('/account')

    await signIn(form, comer)
    release()
    await open.getByText(landingTexts.greeting(comer.username)).waitFor()
    await slow.getByText(landingTexts.greeting(comer.username)).waitFor()
    for (const page of [form, open, slow]) await expect.poll(() => leftOf(page, marks)).toEqual([])
    await expect.poll(() => isAlive(token)).toBe(false)
    // Nothing of the first person is continued under the second person's account.
    await open.goto('/support')
    await open.getByText(chatTexts.noConversations).waitFor()
    expect(await conversationsOf(comer)).toEqual([])
  })

  test('finds nothing, nor what was only typed, when the token was taken away by hand', async () => {
    const { leaver, comer, marks } = await twoPeople()
    const { page } = await visit('/login')
    await signIn(page, leaver)
    await tab(page, 'CSKH').click()
    await writeTo(page, 'admin')
    await field(page).fill(typedText)
    await page.getByRole('button', { name: chatTexts.back }).click()
    await page.evaluate((key) => localStorage.removeItem(key), storageKeys.accessToken.name)
    // A read of the page's own may notice it first, and leave or take the link away: a click that waits for the link would
    // be made once the next person has signed in.
    await tab(page, 'Đầu tư')
      .evaluateAll((links) => links.forEach((link) => (link as HTMLElement).click()))
      .catch(() => {})
    await page.waitForURL('/login')
    await page.getByRole('button', { name: 'Đăng nhập' }).waitFor()
    const seen = await watch(page, marks)
    await signIn(page, comer)
    await tab(page, 'CSKH').click()
    await writeTo(page, 'admin')
    await page.getByText(chatTexts.emptyConversation).waitFor()
    expect(await field(page).inputValue()).toBe('')
    await expect.poll(() => leftOf(page, marks)).toEqual([])
    expect(seen).toEqual([])
  })

  test('finds nothing without a network either: the phone has only the product itself', async () => {
    const { leaver, comer, marks } = await twoPeople()
    const { page, context } = await visit('/login', { hasServiceWorker: true })
    await signIn(page, leaver)
    await page.evaluate(async () => {
      // The product registers it five seconds later.
      await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
      await navigator.serviceWorker.ready
      while (navigator.serviceWorker.controller === null) await new Promise((resolve) => setTimeout(resolve, 50))
    })
    await tab(page, 'Tài khoản').click()
    await page.getByText(accountTexts.logout).waitFor()
    await context.setOffline(true)
    await page.getByRole('button', { name: accountTexts.logout }).click()
    await page.waitForURL('/login')
    await page.getByRole('button', { name: 'Đăng nhập' }).waitFor()
    expect(await leftOf(page, marks)).toEqual([])
    await expectKnownPlaces(page)
    await page.goto('/account')
    await page.waitForURL('/login')
    expect(await leftOf(page, marks)).toEqual([])

    await context.setOffline(false)
    // A form of its own: this one would lead back to the address on the way to which it appeared.
    await page.goto('/register')
    await page.goto('/login')
    await signIn(page, comer)
    await context.setOffline(true)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Thử lại' }).waitFor()
    expect(await leftOf(page, marks)).toEqual([])
  })
})
