import { createECDH, randomBytes } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { pushMessages } from '#contract/push.ts'
import { accountTexts } from '#web/features/account/account-texts.ts'
import { cashRequestTexts } from '#web/features/cashier/cashier-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { pushTexts } from '#web/features/push/push-texts.ts'
import { writeTo } from './support/message-field.ts'
import { type Account, aPlayer, call, linkBank, signIn } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { failures, pictures } from './support/look.ts'

const { server, visit, device } = useProduct({ isOwn: true }, 'whole')
/**
 * A page whose browser has a push service. Chromium has none here, so the Push API's answers are a test's own;
 * everything else is the browser's: the permission, the service worker, its events and notifications.
 */
async function open(path: string, { token }: Pick<Account, 'token'>) {
  const visitor = await visit('/login', { token, hasServiceWorker: true })
  const { context, page } = visitor
  await context.grantPermissions(['notifications'])
  const made = {
    endpoint: `https://push.kimphien.test/${randomBytes(8).toString('hex')}`,
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  await page.addInitScript((fields) => {
    navigator.serviceWorker.addEventListener = function listen(...[type, ...rest]: [string, never]) {
      if (type === 'message') Object.assign(globalThis, { followsPresses: true })
      EventTarget.prototype.addEventListener.call(this, type, ...rest)
    }
    const mark = 'a test’s subscription'
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer
    const subscription = {
      endpoint: fields.endpoint,
      options: { applicationServerKey: null },
      getKey: (name: 'p256dh' | 'auth') => bytes(fields[name]),
      unsubscribe: async () => {
        sessionStorage.removeItem(mark)
        return true
      },
    }
    const prototype = PushManager.prototype as unknown as Record<string, unknown>
    prototype['getSubscription'] = async () => (sessionStorage.getItem(mark) === null ? null : subscription)
    prototype['subscribe'] = async () => {
      sessionStorage.setItem(mark, 'yes')
      return subscription
    }
  }, made)
  await page.goto(path)
  return { ...visitor, endpoint: made.endpoint }
}
const stateOf = (player: Account) => call(server.url, endpoints.readPush, { token: player.token })
const deviceSwitch = (page: Page) => page.getByRole('switch', { name: pushTexts.device })
const picture = async (page: Page, name: string) => {
  const folder = pictures
  if (folder === undefined) return
  for (const theme of ['light', 'dark'] as const)
    for (const width of [320, 360, 390, 600, 1280]) {
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width, height: 800 })
      await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: true })
    }
  await page.emulateMedia({ colorScheme: device.theme })
  await page.setViewportSize({ width: device.width, height: device.height })
}

/**
 * Returns what hands a message to the service worker as the browser's own push service would. It is made once: Chromium
 * puts a notification away after some seconds, and on a busy machine a second session with the browser takes as long.
 */
async function pushService(context: BrowserContext, page: Page): Promise<(message: object) => Promise<unknown>> {
  // What reaches a worker before it is activated is dropped.
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated')
  const session = await context.newCDPSession(page)
  const registrationId = await new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first !== undefined) resolve(first.registrationId)
    })
    void session.send('ServiceWorker.enable')
  })
  return (message) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin: server.url,
      registrationId,
      data: JSON.stringify(message),
    })
}
const shownIn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
  })

describe('pushes', () => {
  test('are off until the settings switch them on, with kinds and quiet hours, and go with the session', async () => {
    const player = await aPlayer(server.url)
    const { page, endpoint } = await open('/account/settings', player)
    await expect.poll(() => deviceSwitch(page).isChecked()).toBe(false)
    expect((await stateOf(player)).endpoint).toBeNull()
    await deviceSwitch(page).click()
    const points = page.getByRole('switch', { name: pushTexts.kinds['points-adjusted'] })
    await points.click()
    await expect.poll(async () => (await stateOf(player)).kinds['points-adjusted']).toBe(false)
    expect((await stateOf(player)).endpoint).toBe(endpoint)
    await page.getByLabel(pushTexts.from).selectOption('23:30')
    await expect.poll(async () => (await stateOf(player)).quiet).toEqual({ fromMinute: 1_410, toMinute: 420 })
    // As high as the page: a switch half behind the bar at the bottom would be too small a target.
    await page.setViewportSize({ width: page.viewportSize()?.width ?? 390, height: 2_000 })
    expect(await failures(page)).toEqual([])
    await picture(page, 'settings-on')

    await page.reload()
    await expect.poll(() => deviceSwitch(page).isChecked()).toBe(true)
    await expect.poll(() => points.isChecked()).toBe(false)
    await deviceSwitch(page).click()
    await expect.poll(async () => (await stateOf(player)).endpoint).toBeNull()
    await deviceSwitch(page).click()
    await expect.poll(async () => (await stateOf(player)).endpoint).toBe(endpoint)

    await page.goto('/account')
    await page.getByRole('button', { name: accountTexts.logout }).click()
    await page.waitForURL('/login')
    const hasSubscription = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration()
        return (await registration?.pushManager.getSubscription()) ?? null
      })
    await expect.poll(hasSubscription).toBeNull()
    const state = await call(server.url, endpoints.readPush, { token: await signIn(server.url, player) })
    // The wishes are the user's, the browser was the session's.
    expect(state).toMatchObject({ endpoint: null, kinds: { 'points-adjusted': false } })
  })

  test('are offered after filing a request, never on arrival, and put away for good', async () => {
    const player = await aPlayer(server.url)
    await linkBank(server.url, player)
    const { page } = await open('/transaction', player)
    const offer = page.getByRole('button', { name: pushTexts.offerYes })
    const file = async () => {
      await page.getByRole('button', { name: cashRequestTexts.deposit, exact: true }).click()
      await page.getByLabel(cashRequestTexts.amount).fill('500')
      await page.getByRole('button', { name: cashRequestTexts.submitDeposit }).click()
      await page.getByText(cashRequestTexts.pending).first().waitFor()
    }
    await page.getByRole('button', { name: cashRequestTexts.deposit, exact: true }).waitFor()
    expect(await offer.count()).toBe(0)
    await file()
    await offer.waitFor()
    expect(await failures(page)).toEqual([])
    await picture(page, 'offer-transaction')
    await page.getByRole('button', { name: pushTexts.offerNever }).click()
    await offer.waitFor({ state: 'detached' })
    await expect.poll(async () => (await stateOf(player)).mayOffer).toBe(false)

    await page.reload()
    const asked = page.waitForResponse((response) => response.url().endsWith(endpoints.readPush.path))
    await file()
    await asked
    await page.waitForTimeout(300)
    expect(await offer.count()).toBe(0)
  })

  test('are offered after writing to care, and one press switches them on', async () => {
    const player = await aPlayer(server.url)
    const { page, endpoint } = await open('/support', player)
    await writeTo(page, 'admin')
    const field = page.getByLabel(chatTexts.messageLabel)
    await field.waitFor()
    const offer = page.getByRole('button', { name: pushTexts.offerYes })
    expect(await offer.count()).toBe(0)
    await field.fill('Xin chào')
    await field.press('Enter')
    await offer.waitFor()
    expect(await failures(page)).toEqual([])
    await picture(page, 'offer-support')
    await offer.click()
    await page.getByText(pushTexts.turnedOn).waitFor()
    await offer.waitFor({ state: 'detached' })
    expect((await stateOf(player)).endpoint).toBe(endpoint)
  })

  test('show as the server wrote them, replace each other, and lead to their screen without a reload', async () => {
    const player = await aPlayer(server.url)
    const { page, context } = await open('/account', player)
    const { title, body, tag } = pushMessages['request-decided']
    const deliver = await pushService(context, page)
    await deliver(pushMessages['request-decided'])
    await expect.poll(() => shownIn(page)).toEqual([{ title, body, tag }])
    // Until both are seen, since Chromium may have put one away before a busy machine looks.
    await expect
      .poll(async () => {
        const tags = (await shownIn(page)).map((one) => one.tag).toSorted()
        if (tags.length < 2) {
          await deliver(pushMessages['request-decided'])
          await deliver(pushMessages['points-adjusted'])
        }
        return tags
      })
      .toEqual(['points-adjusted', 'request-decided'])

    // What follows presses is loaded after the page; a mark shows that it is still the same page.
    await page.waitForFunction(() => 'followsPresses' in globalThis)
    await page.evaluate(() => {
      document.title = 'the same page'
      ;(globalThis as { isSamePage?: boolean }).isSamePage = true
    })
    const [worker] = context.serviceWorkers()
    await worker?.evaluate(async (wanted) => {
      const self = globalThis as unknown as {
        registration: { getNotifications(): Promise<Array<{ tag: string }>> }
        dispatchEvent(event: Event): void
        NotificationEvent: new (name: string, init: object) => Event
        WindowClient: { prototype: object }
      }
      // The browser focuses a page only in a press of a person's own.
      Object.assign(self.WindowClient.prototype, { focus: async () => {} })
      const notification = (await self.registration.getNotifications()).find((one) => one.tag === wanted)
      self.dispatchEvent(new self.NotificationEvent('notificationclick', { notification }))
    }, tag)
    await page.waitForURL('/transaction')
    expect(await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage)).toBe(true)
    await expect.poll(async () => (await shownIn(page)).map((one) => one.tag)).toEqual(['points-adjusted'])

    // What still shows is not for the next user of this browser.
    await page.goto('/account')
    await page.getByRole('button', { name: accountTexts.logout }).click()
    await page.waitForURL('/login')
    expect(await shownIn(page)).toEqual([])
  })
})
