import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { changePasswordTexts } from '#web/features/identity/change-password-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { pausedAccountTexts } from '#web/layout/paused-account-texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { type Account, anAdmin, aPlayer, call, referralCode, roundWithLeft } from './support/api.ts'
import { connected } from './support/browser.ts'
import { useProduct } from './support/use-product.ts'
import { supportContact } from './support/server-env.ts'

const { server, visit } = useProduct()
let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})

const hasFocus = (control: Locator) => control.evaluate((element) => element === document.activeElement)

const change = (player: Account, body: object) =>
  call(server.url, endpoints.updateUser, { token: admin, params: { id: player.id }, body })

describe('the forms', () => {
  test('login: both fields are required, a wrong password is reported, and nothing typed is lost', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/login')
    await page.getByRole('button', { name: 'Đăng nhập' }).click()
    await page.getByText(signInTexts.usernameRequired).waitFor()
    await page.getByText(signInTexts.passwordRequired).waitFor()
    const username = page.getByLabel('Tài khoản')
    const password = page.getByLabel('Mật khẩu', { exact: true })
    await expect.poll(() => hasFocus(username)).toBe(true)

    await username.fill(player.username)
    await password.fill('sai-mat-khau')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Sai tài khoản hoặc mật khẩu').waitFor()
    expect(await username.inputValue()).toBe(player.username)
    expect(await password.inputValue()).toBe('sai-mat-khau')

    await page.getByRole('button', { name: signInTexts.forgotPassword }).click()
    await page.getByText(signInTexts.forgotPasswordHelp(supportContact)).waitFor()
  })

  test('register: every mistake by its field at once, then what only the server knows, by its field too', async () => {
    const taken = await aPlayer(server.url)
    const { page } = await visit('/register')
    const whence = page.getByText(signInTexts.referralHint(supportContact))
    await whence.waitFor()
    await page.getByLabel('Mã giới thiệu').fill('SAI')
    await page.getByLabel('Tài khoản').fill('tên có dấu')
    await page.getByLabel('Mật khẩu', { exact: true }).fill('123')
    await page.getByLabel('Nhập lại mật khẩu').fill('124')
    await page.getByRole('button', { name: 'Đăng ký' }).click()
    const { referralWrong, usernameLetters, passwordTooShort, passwordsDiffer } = signInTexts
    for (const text of [referralWrong, usernameLetters, passwordTooShort, passwordsDiffer])
      await page.getByText(text, { exact: true }).waitFor()
    // An error stands in its field's help's place.
    expect(await whence.or(page.getByText(signInTexts.passwordHint, { exact: true })).count()).toBe(0)
    await expect.poll(() => hasFocus(page.getByLabel('Mã giới thiệu'))).toBe(true)

    await page.getByLabel('Mã giới thiệu').fill(referralCode)
    await page.getByLabel('Tài khoản').fill(taken.username.toUpperCase())
    await page.getByLabel('Mật khẩu', { exact: true }).fill('123456')
    await page.getByLabel('Nhập lại mật khẩu').fill('123456')
    await page.getByRole('button', { name: 'Đăng ký' }).click()
    await page.getByText('Tài khoản đã tồn tại').waitFor()
    const username = page.getByLabel('Tài khoản')
    await expect.poll(() => hasFocus(username)).toBe(true)
    expect(await username.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Mã giới thiệu').inputValue()).toBe(referralCode)
  })

  test('a signed-in user is not asked to sign in again', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/register', { token })
    await page.waitForURL(`${server.url}/`)
  })
})

describe('the account changes while it is in use', () => {
  test('frozen: the blocking screen at once, and the way back once it is thawed', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token: player.token })
    await connected(page)
    await change(player, { isFrozen: true })
    await page.getByText(pausedAccountTexts.message).waitFor({ timeout: 3_000 })
    for (const text of [pausedAccountTexts.footerHint, supportContact]) await page.getByText(text).waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    await page.goto('/account')
    await page.getByText(pausedAccountTexts.message).waitFor()

    await change(player, { isFrozen: false })
    await page.getByRole('button', { name: 'Làm mới trang' }).click()
    await page.getByRole('navigation').waitFor()
  })

  test('the session ends: to /login with a word, and after the staff-set password to a new one', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token: player.token })
    await connected(page)
    await change(player, { password: 'do-nhan-vien-dat' })
    await page.waitForURL('/login', { timeout: 5_000 })
    await page.getByText(signInTexts.sessionEnded).waitFor()

    await page.getByLabel('Tài khoản').fill(player.username)
    await page.getByLabel('Mật khẩu', { exact: true }).fill('do-nhan-vien-dat')
    await page.getByRole('button', { name: 'Đăng nhập' }).click()
    await page.waitForURL('/change-password')
    await page.getByText(changePasswordTexts.setByStaff).waitFor()
    await page.goto('/investment/game')
    await page.waitForURL('/change-password')

    await page.getByLabel(changePasswordTexts.current).fill('khong-dung')
    await page.getByLabel(changePasswordTexts.next, { exact: true }).fill('12345')
    await page.getByLabel(changePasswordTexts.confirmation).fill('54321')
    const submit = page.getByRole('button', { name: changePasswordTexts.submit })
    await submit.click()
    for (const text of [changePasswordTexts.tooShort, changePasswordTexts.differs]) await page.getByText(text).waitFor()
    await page.getByLabel(changePasswordTexts.next, { exact: true }).fill('cua-chinh-minh')
    await page.getByLabel(changePasswordTexts.confirmation).fill('cua-chinh-minh')
    await submit.click()
    await page.getByText('Mật khẩu hiện tại không đúng').waitFor()
    await page.getByLabel(changePasswordTexts.current).fill('do-nhan-vien-dat')
    await submit.click()
    await page.getByText(changePasswordTexts.done).waitFor()
    await page.waitForURL(`${server.url}/`)
  })
})

describe('the connection fails', () => {
  test('without a network: a bar says so, the buttons close with the reason, and all comes back by itself', async () => {
    const player = await aPlayer(server.url)
    const { page, context } = await visit('/investment/game', { token: player.token })
    await page.getByRole('radio', { name: /^120s/ }).check()
    await roundWithLeft(server.url, player.token, '120s', 20_000, 118_000)
    const buy = page.getByRole('button', { name: /^Mua/ })
    await buy.and(page.locator('[aria-disabled="false"]')).waitFor()
    await page.getByText(/^0\.\d giây trước$/).waitFor()
    await context.setOffline(true)
    await page.getByText(commonTexts.offline).waitFor()
    await page.getByText(gameTexts.offline).waitFor()
    // No tick arrives, so the price's age grows.
    await page.getByText(/^[2-9]\.\d giây trước$/).waitFor()
    await context.setOffline(false)
    await buy.and(page.locator('[aria-disabled="false"]')).waitFor()
    await page.getByText(/^0\.\d giây trước$/).waitFor()
  })

  test('an answer that is lost: the same order again carries the same key, and one bet stands', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token: player.token })
    await page.getByRole('radio', { name: /^120s/ }).check()
    await roundWithLeft(server.url, player.token, '120s', 25_000, 118_000)
    const keys: (string | undefined)[] = []
    await page.route('**/api/v1/history', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      // The request never reaches the server.
      return route.abort('connectionreset')
    })
    const buy = page.getByRole('button', { name: /^Mua/ })
    await buy.and(page.locator('[aria-disabled="false"]')).click()
    await page.getByText(gameTexts.betFailed).waitFor()
    await buy.and(page.locator('[aria-disabled="false"]')).click()
    await page.getByText(gameTexts.betPlaced).waitFor()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f-]{32,36}$/)
    expect(keys[1]).toBe(keys[0])
    expect(await call(server.url, endpoints.listOwnBets, { token: player.token, query: {} })).toHaveLength(1)
  })
})
