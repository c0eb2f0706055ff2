import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { changePasswordTexts } from '#web/features/identity/change-password-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { writeTo } from './support/message-field.ts'
import { anAdmin, aPlayer, call, referralCode, signIn } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { useWriters } from './support/chat-writer.ts'

const { server, visit } = useProduct()
let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})
const { writer } = useWriters(() => server.url)

/** A proxy between the app and the server answers instead, without a sentence of the product. */
const byProxy = (route: Route, status: number) =>
  route.fulfill({ status, contentType: 'text/html', body: `<h1>${status}</h1>` })
/** Calls with these methods to that address fail until the returned function is called. An act with a 403 is not done. */
async function failing(page: Page, address: RegExp, methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], status = 502) {
  await page.route(address, (route) =>
    methods.includes(route.request().method()) ? byProxy(route, status) : route.continue(),
  )
  return () => page.unroute(address)
}
const alertOf = (page: Page, text: string) => page.getByRole('alert').getByText(text)
let newcomers = 0
const retry = (page: Page) => page.getByRole('button', { name: commonTexts.retry }).click()

describe('a server that answers nothing sensible (spec §8)', () => {
  test('signing in and registering: the catalogue’s sentence, and what was typed goes through the next time', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/login')
    let mend = await failing(page, /\/auth\/login/)
    await page.getByLabel(signInTexts.username).fill(player.username)
    await page.getByLabel(signInTexts.password, { exact: true }).fill(player.password)
    await page.getByRole('button', { name: 'Đăng nhập' }).click()
    await alertOf(page, signInTexts.loginFailed).waitFor()
    await mend()
    await page.getByRole('button', { name: 'Đăng nhập' }).click()
    await page.getByText(signInTexts.loginDone).waitFor()
    await page.waitForURL(`${server.url}/`)

    const { page: newcomer } = await visit('/register')
    mend = await failing(newcomer, /\/auth\/register/, ['POST'], 403)
    await newcomer.getByLabel(signInTexts.referralCode).fill(referralCode)
    await newcomer.getByLabel(signInTexts.username).fill(`nguoimoi${(newcomers += 1)}`)
    await newcomer.getByLabel(signInTexts.password, { exact: true }).fill('bi-mat-123')
    await newcomer.getByLabel(signInTexts.passwordAgain).fill('bi-mat-123')
    await newcomer.getByRole('button', { name: 'Đăng ký' }).click()
    await alertOf(newcomer, signInTexts.registerFailed).waitFor()
    await mend()
    await newcomer.getByRole('button', { name: 'Đăng ký' }).click()
    await newcomer.getByText(signInTexts.registerDone).waitFor()
  })

  test('changing the password: nothing is lost from the form, and the next try ends the other devices', async () => {
    const player = await aPlayer(server.url)
    const accessToken = await signIn(server.url, player)
    const { page: elsewhere } = await visit('/account', { token: accessToken })
    await elsewhere.getByText(player.username).first().waitFor()
    const { page } = await visit('/change-password', { token: player.token })
    const mend = await failing(page, /\/auth\/change-password/)
    await page.getByLabel(changePasswordTexts.current).fill(player.password)
    await page.getByLabel(changePasswordTexts.next, { exact: true }).fill('moi-hon-321')
    await page.getByLabel(changePasswordTexts.confirmation).fill('moi-hon-321')
    await page.getByRole('button', { name: changePasswordTexts.submit }).click()
    await alertOf(page, commonTexts.unsure).waitFor()
    expect(await page.getByLabel(changePasswordTexts.next, { exact: true }).inputValue()).toBe('moi-hon-321')
    await mend()
    await page.getByRole('button', { name: changePasswordTexts.submit }).click()
    await page.getByText(changePasswordTexts.done).waitFor()
    await elsewhere.waitForURL('/login')
    await elsewhere.getByText(signInTexts.sessionEnded).waitFor()
  })

  test('chat: what can’t be loaded says so and can be tried again, and what can’t be deleted stays', async () => {
    const player = await aPlayer(server.url)
    const write = await writer(admin)
    for (let n = 1; n <= 35; n++) await write(player.id, `Tin số ${n}`)
    const { page } = await visit('/account', { token: player.token })
    const list = page.getByRole('region', { name: chatTexts.messageList })
    let mend = await failing(page, /\/chat\/conversations\?/)
    await page.goto('/support')
    await alertOf(page, chatTexts.initialLoadFailed).waitFor()
    // It retries once when the socket connects; after that only on request.
    await page.waitForTimeout(1_500)
    await mend()
    await retry(page)

    mend = await failing(page, /\/messages\?/)
    await page.getByRole('button', { name: /Tin số 35/ }).click()
    await alertOf(page, chatTexts.messagesLoadFailed).waitFor()
    await mend()
    await retry(page)
    await list.getByText('Tin số 35', { exact: true }).waitFor()

    mend = await failing(page, /\/messages\?/)
    await list.evaluate((element) => element.scrollTo(0, 0))
    await list.getByRole('button', { name: chatTexts.loadOlder }).click()
    await page.getByText(chatTexts.olderLoadFailed).waitFor()
    await mend()

    mend = await failing(page, /\/chat\/conversations\/[^/]+$/, ['DELETE'], 403)
    await page.getByRole('button', { name: chatTexts.deleteTitle }).click()
    await page.getByRole('button', { name: commonTexts.confirm }).click()
    // Said where it was pressed.
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(chatTexts.deleteFailed).waitFor()
    await dialog.getByRole('button', { name: commonTexts.cancel }).click()
    await mend()
    await list.getByRole('button', { name: chatTexts.loadOlder }).click()
    await list.getByText('Tin số 5', { exact: true }).waitFor()
  })

  test('chat: an image that is not taken waits, says so offline too, and goes when all is well', async () => {
    const player = await aPlayer(server.url)
    const { page, context } = await visit('/support', { token: player.token })
    await writeTo(page, 'admin')
    const list = page.getByRole('region', { name: chatTexts.messageList })
    const mend = await failing(page, /\/file-upload/)
    const png = await page.screenshot()
    await page.locator('input[type=file]').setInputFiles({ name: 'anh.png', mimeType: 'image/png', buffer: png })
    await page.getByRole('img', { name: chatTexts.attached }).waitFor()
    await page.getByRole('button', { name: chatTexts.send }).click()
    await alertOf(page, chatTexts.imageNotSent).waitFor()
    await mend()
    const again = list.getByRole('button', { name: chatTexts.sendAgain })
    await context.setOffline(true)
    await page.getByPlaceholder(chatTexts.connecting).waitFor()
    await again.click()
    await alertOf(page, chatTexts.connectionLost).waitFor()
    await context.setOffline(false)
    await page.getByPlaceholder(chatTexts.messagePlaceholder).waitFor()
    await again.click()
    await list.getByText(chatTexts.sent).waitFor()
    expect(await again.count()).toBe(0)
  })

  test('chat: a socket that never stands says so, and comes by the button', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account', { token: player.token })
    let isShut = true
    await page.routeWebSocket(/socket\.io/, (socket) => (isShut ? socket.close() : void socket.connectToServer()))
    await page.goto('/support')
    // The client waits at most 20 s for an answer (spec §9).
    await alertOf(page, chatTexts.connectFailed).waitFor()
    await page.getByText(chatTexts.connectFailedHint).waitFor()
    isShut = false
    await retry(page)
    await page.getByRole('heading', { name: chatTexts.conversations }).waitFor()
    await page.getByText(chatTexts.noConversations).waitFor()
  })

  test('chat: nobody of the staff, and a conversation without a message', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account', { token: player.token })
    await page.route(/\/chat\/users/, (route) => route.fulfill({ json: { data: [] } }))
    await page.goto('/support')
    await page.getByText(chatTexts.chooseOther).click()
    await page.getByText(chatTexts.noUsers).waitFor()
    const { id: adminId } = await call(server.url, endpoints.me, { token: admin })
    await call(server.url, endpoints.openConversation, { token: player.token, body: { participantId: adminId } })
    await page.unroute(/\/chat\/users/)
    await page.reload()
    await page.getByRole('button', { name: new RegExp(chatTexts.noMessages) }).waitFor()
  })
})

describe('an error that nobody caught', () => {
  test('is reported once to the server, without personal data', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account?q=an', { token: player.token, throws: true })
    const reports: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/browser-errors')) reports.push(request.postDataJSON())
    })
    const answered = page.waitForResponse('**/api/v1/browser-errors')
    await page.evaluate(() => {
      const fail = () => {
        throw new TypeError('planted by "Nguyen Van An" 0123456789')
      }
      setTimeout(fail)
      setTimeout(fail)
    })
    expect((await answered).status()).toBe(200)
    await page.waitForTimeout(500)
    expect(reports).toEqual([
      { kind: 'script', message: 'TypeError: planted by "…" #', frames: [], screen: '/account' },
    ])
  })
})
