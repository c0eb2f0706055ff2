import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { refusals } from '#contract/refusals.ts'
import { accountTexts } from '#web/features/account/account-texts.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { practiceTexts } from '#web/features/game/practice-texts.ts'
import { refillTexts } from '#web/features/game/refill-texts.ts'
import { rulesTexts } from '#web/features/game/rules-texts.ts'
import { changePasswordTexts } from '#web/features/identity/change-password-texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { pausedAccountTexts } from '#web/layout/paused-account-texts.ts'
import { ledgerTexts } from '#web/features/wallet/wallet-texts.ts'
import { type Account, anAdmin, aPlayer, call, referralCode, roundWithLeft } from './support/api.ts'
import { connected } from './support/browser.ts'
import { openRules } from './support/chart.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})

const signIn = async (page: Page, { username, password }: Pick<Account, 'username' | 'password'>) => {
  await page.getByLabel('Tài khoản').fill(username)
  await page.getByLabel('Mật khẩu', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Đăng nhập' }).click()
}
const change = (player: Account, body: object) =>
  call(server.url, endpoints.updateUser, { token: admin, params: { id: player.id }, body })
/** The address without its origin. */
const addressOf = (page: Page) => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}
const arrives = async (page: Page, address: string) => {
  await expect.poll(() => addressOf(page)).toBe(address)
}

let newcomers = 0

describe('a link that was opened without a session', () => {
  const link = '/account/bets?bet=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0001'

  test('comes back after signing in, also after a reload of the form and a look at the other form', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit(link)
    await page.waitForURL('/login')
    await page.reload()
    await page.getByRole('link', { name: signInTexts.toRegister }).click()
    await page.getByRole('link', { name: signInTexts.toLogin }).click()
    await signIn(page, player)
    await arrives(page, link)
    // The form is not behind it.
    await page.goBack()
    await expect.poll(() => addressOf(page)).not.toBe('/login')
  })

  test('comes back after registering', async () => {
    const { page } = await visit('/transaction?form=deposit')
    await page.getByRole('link', { name: signInTexts.toRegister }).click()
    await page.getByLabel('Mã giới thiệu').fill(referralCode)
    await page.getByLabel('Tài khoản').fill(`nguoiden${Date.now()}${(newcomers += 1)}`)
    await page.getByLabel('Mật khẩu', { exact: true }).fill('bi-mat-123')
    await page.getByLabel('Nhập lại mật khẩu').fill('bi-mat-123')
    await page.getByRole('button', { name: 'Đăng ký' }).click()
    await arrives(page, '/transaction?form=deposit')
  })

  test('into the back office leads an admin there, and a player home', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/admin/user')
    await page.waitForURL('/login')
    await signIn(page, player)
    await arrives(page, '/')
    const { page: office } = await visit('/admin/user')
    await office.waitForURL('/login')
    await signIn(office, { username: 'admin', password: 'mat-khau-quan-tri' })
    await arrives(office, '/admin/user')
  })

  test.each(['//evil.example/a', '/.//evil.example', '/\\evil.example'])('%s leads nowhere else', async (address) => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/login')
    const { origin } = new URL(page.url())
    await page.goto(origin + address)
    await page.goto('/account')
    await page.waitForURL('/login')
    // As if such an address had come into the history's entry.
    await page.evaluate((returnTo) => history.replaceState({ ...history.state, returnTo }, ''), address)
    await page.reload()
    await signIn(page, player)
    await arrives(page, '/')
    expect(new URL(page.url()).origin).toBe(origin)
  })

  test('after the session died: back for the same person, home for another', async () => {
    const [player, other] = [await aPlayer(server.url), await aPlayer(server.url)]
    const { page } = await visit('/login')
    await signIn(page, player)
    await arrives(page, '/')
    for (const [next, address] of [
      [player, '/transaction?form=withdrawal'],
      [other, '/'],
    ] as const) {
      await page.goto('/transaction?form=withdrawal')
      await page.getByRole('navigation').waitFor()
      await connected(page)
      const token = await page.evaluate(() => localStorage.getItem('access_token') ?? '')
      await call(server.url, endpoints.logout, { token })
      await page.waitForURL('/login')
      await page.getByText(signInTexts.sessionEnded).waitFor()
      await signIn(page, next)
      await arrives(page, address)
    }
  })

  test('after a sign-out the way behind the back button is nobody’s', async () => {
    const [player, other] = [await aPlayer(server.url), await aPlayer(server.url)]
    const { page } = await visit('/login')
    await signIn(page, player)
    await arrives(page, '/')
    await page.goto(link)
    await page.goto('/account')
    await page.getByRole('button', { name: accountTexts.logout }).click()
    await page.waitForURL('/login')
    await page.goBack()
    await page.waitForURL('/login')
    await signIn(page, other)
    await arrives(page, '/')
  })

  test('a password that staff have set is changed first', async () => {
    const player = await aPlayer(server.url)
    await change(player, { password: 'do-nhan-vien-dat' })
    const { page } = await visit(link)
    await page.waitForURL('/login')
    await signIn(page, { ...player, password: 'do-nhan-vien-dat' })
    await arrives(page, '/change-password')
    await page.getByText(changePasswordTexts.setByStaff).waitFor()
  })
})

test('a frozen account’s screen says who is signed in and lets them out', async () => {
  const player = await aPlayer(server.url)
  await change(player, { isFrozen: true })
  const { page } = await visit('/account', { token: player.token })
  await page.getByText(pausedAccountTexts.message).waitFor()
  await page.getByText(pausedAccountTexts.signedInAs(player.username)).waitFor()
  await page.getByRole('button', { name: pausedAccountTexts.logOut }).click()
  await page.waitForURL('/login')
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
  await expect(call(server.url, endpoints.me, { token: player.token })).rejects.toThrow('401')
})

describe('the first bet', () => {
  test('is practised first, sent by no card, and offered again: after the last card as after a skip', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token: player.token, isNewToRules: true, reducedMotion: true })
    await page.getByRole('radio', { name: /^60s/ }).check()
    await page.getByRole('radio', { name: '50', exact: true }).check()
    await roundWithLeft(server.url, player.token, '60s', 25_000, 58_000)
    const sell = page.getByRole('button', { name: /^Bán/ }).and(page.locator('[aria-disabled="false"]'))
    await sell.click()
    const practice = page.getByRole('dialog', { name: practiceTexts.title })
    await practice.getByText(practiceTexts.notSent).waitFor()
    await practice.getByRole('button', { name: practiceTexts.next }).click()
    await practice.getByRole('button', { name: /^Mua/ }).click()
    await practice.getByRole('button', { name: practiceTexts.toResult }).click()
    await practice.getByText(practiceTexts.result.nothingMoved).waitFor()
    await practice.getByRole('button', { name: practiceTexts.backToOrder }).click()
    const offered = page.getByText(gameTexts.chosenOrder('Bán ▼', '50', '60s'))
    await offered.waitFor()
    expect(await call(server.url, endpoints.listOwnBets, { token: player.token, query: {} })).toEqual([])
    // The focus is back where the order was tapped.
    await expect.poll(() => sell.evaluate((button) => button === document.activeElement)).toBe(true)
    await sell.click()
    await page.getByText(gameTexts.betPlaced).waitFor()
    const bets = await call(server.url, endpoints.listOwnBets, { token: player.token, query: {} })
    expect(bets).toMatchObject([{ direction: 'down', stakeMinor: 5_000n, round: { type: '60s' } }])
    await offered.waitFor({ state: 'hidden' })

    const other = await aPlayer(server.url)
    const { page: skipping } = await visit('/investment/game', { token: other.token, isNewToRules: true })
    const buy = skipping.getByRole('button', { name: /^Mua/ }).and(skipping.locator('[aria-disabled="false"]'))
    await buy.click({ timeout: 40_000 })
    await skipping.getByRole('button', { name: practiceTexts.skip }).click()
    await skipping.getByText(/^Lệnh bạn vừa chọn: Mua ▲ 10 · 30s$/).waitFor({ timeout: 40_000 })
    expect(await call(server.url, endpoints.listOwnBets, { token: other.token, query: {} })).toEqual([])
  })

  test('the rules repeat the practice', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token })
    await openRules(page)
    const rules = page.getByRole('dialog', { name: rulesTexts.title })
    await rules.getByRole('button', { name: practiceTexts.title }).click()
    const practice = page.getByRole('dialog', { name: practiceTexts.title })
    await practice.getByText(practiceTexts.round.text).waitFor()
    expect(await practice.getByText(practiceTexts.notSent).count()).toBe(0)
    await practice.getByRole('button', { name: practiceTexts.skip }).click()
    await practice.waitFor({ state: 'hidden' })
  })
})

describe('an empty balance', () => {
  test('is said on its card, filled up by one press, and shown in the ledger', async () => {
    const player = await aPlayer(server.url)
    await change(player, { balanceMinor: 350n, reason: 'Điểm thử' })
    const { page } = await visit('/investment/game', { token: player.token })
    await page.getByRole('heading', { name: refillTexts.title('3.50') }).waitFor()
    await page.getByText(refillTexts.offer('996.50')).waitFor()
    await page.getByRole('button', { name: refillTexts.take }).click()
    await page.getByText(refillTexts.taken('996.50')).waitFor()
    await page.getByRole('heading', { name: refillTexts.title('3.50') }).waitFor({ state: 'hidden' })
    await page.getByText('1,000.00', { exact: true }).waitFor()
    await page.goto('/account/ledger')
    await page.getByText(ledgerTexts.reasons.REFILL).last().waitFor()

    // A second time on the same day there is a reason in place of the button.
    await change(player, { balanceMinor: 0n, reason: 'Điểm thử' })
    await page.goto('/investment/game')
    await page.getByRole('heading', { name: refillTexts.title('0.00') }).waitFor()
    await page.getByText(refusals.REFILL_TAKEN.message).waitFor()
    expect(await page.getByRole('button', { name: refillTexts.take }).count()).toBe(0)
    expect((await server.auditLedger()).isClean).toBe(true)
  })

  test('offers nothing while a bet could still change it', async () => {
    const player = await aPlayer(server.url)
    await change(player, { balanceMinor: 1_000n, reason: 'Điểm thử' })
    const round = await roundWithLeft(server.url, player.token, '30s', 15_000, 28_000)
    const body = { roundId: round.id, stakeMinor: 1_000n, direction: 'up' } as const
    await call(server.url, endpoints.placeBet, { token: player.token, body })
    const { page } = await visit('/investment/game', { token: player.token })
    await page.getByText(gameTexts.betOpen).waitFor()
    expect(await page.getByText(refillTexts.title('0.00')).count()).toBe(0)
    const popup = page.getByRole('dialog')
    await popup.waitFor({ timeout: 45_000 })
    expect(await page.getByRole('button', { name: refillTexts.take }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await popup.waitFor({ state: 'hidden' })
    // 9.50 or 10.50 points are left, or 10 after a tie.
    const bet = (await call(server.url, endpoints.listOwnBets, { token: player.token, query: {} }))[0]
    const card = page.getByRole('button', { name: refillTexts.take })
    if (bet?.status === 'lost') await card.waitFor()
    else expect(await card.count()).toBe(0)
  })
})
