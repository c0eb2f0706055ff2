import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusals } from '#contract/refusals.ts'
import { adminOverviewTexts } from '#web/features/admin-overview/admin-overview-texts.ts'
import { securityTexts } from '#web/features/admin-security/admin-security-texts.ts'
import { factorTexts } from '#web/features/identity/factor-texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { noticeTexts } from '#web/features/notices/notices-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { type Account, anAdmin, anotherAdmin, aPlayer, signIn } from './support/api.ts'
import { useBrowser, withAuthenticator } from './support/browser.ts'
import { useServer } from './support/use-product.ts'

const server = useServer({ isOnLocalhost: true })
let owner: string
beforeAll(async () => {
  owner = await anAdmin(server.url)
})
// Browsers make passkeys for names, not for addresses.
const { visit } = useBrowser(() => server.url.replace('127.0.0.1', 'localhost'))

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

const passwordStep = async (page: Page, { username, password }: Account) => {
  // Without its token the page may go to the sign-in by itself at the same moment: both ways end there.
  await page.evaluate(() => {
    localStorage.removeItem('access_token')
    location.assign('/login')
  })
  await page.getByLabel(signInTexts.username).fill(username)
  await page.getByLabel(signInTexts.password, { exact: true }).fill(password)
  await button(page, signInTexts.loginButton).click()
}
const nextCode = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp: Date.now() + 30_000 })
const securityHeading = (page: Page) => page.getByRole('heading', { name: screenTitles.adminSecurity, level: 1 })

describe('a second factor', () => {
  test('a passkey and an app are added, used to sign in and for a grave act, and reset by another owner', async () => {
    const colleague = await anotherAdmin(server.url, owner)
    const enrolling = await signIn(server.url, colleague)
    const { page } = await visit('/admin/security', { token: enrolling })
    await withAuthenticator(page)
    await page.getByText(securityTexts.none).waitFor()

    await button(page, securityTexts.addPasskey).click()
    await button(page, securityTexts.add).click()
    const codes = dialog(page, securityTexts.codesTitle)
    await codes.waitFor()
    expect(await codes.getByRole('listitem').count()).toBe(10)
    await button(page, securityTexts.saved).click()
    await page.getByText(securityTexts.passkeyName, { exact: true }).waitFor()
    await page.getByText(securityTexts.recoveryLeft('10')).waitFor()

    await passwordStep(page, colleague)
    await page.getByRole('heading', { name: factorTexts.title }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
    await button(page, factorTexts.byPasskey).click()
    await page.getByText(signInTexts.loginDone).waitFor()

    // A session that began without the factor is asked for it at its first call, which then goes on. An open page of the
    // other session would leave by itself at this change.
    await page.goto('/livez')
    await page.evaluate((token) => localStorage.setItem('access_token', token), colleague.token)
    await page.goto('/admin/security')
    const asked = dialog(page, factorTexts.freshTitle)
    await asked.getByRole('button', { name: factorTexts.byPasskey }).click()
    await button(page, securityTexts.renew).click()
    await page.getByRole('alertdialog').getByRole('button', { name: securityTexts.renew }).click()
    await codes.waitFor()
    await button(page, securityTexts.saved).click()

    await button(page, securityTexts.addTotp).click()
    await page.getByRole('img', { name: securityTexts.qr }).waitFor()
    const secret = (await page.locator('code').textContent()) ?? ''
    const current = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate()
    await page.getByLabel(securityTexts.firstCode).fill(current)
    await button(page, securityTexts.add).click()
    await page.getByText(securityTexts.totpName, { exact: true }).waitFor()

    await passwordStep(page, colleague)
    await button(page, factorTexts.byTotp).click()
    await page.getByLabel(factorTexts.totpLabel).fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText(refusals.FACTOR_WRONG.message).waitFor()
    await page.getByLabel(factorTexts.totpLabel).fill(nextCode(secret))
    await page.keyboard.press('Enter')
    await page.getByText(signInTexts.loginDone).waitFor()
    await page.goto('/admin/security')
    await securityHeading(page).waitFor()

    const { page: owners } = await visit('/admin', { token: owner })
    await owners.getByText(adminOverviewTexts.noSecondFactor).waitFor()
    await owners.getByRole('link', { name: adminOverviewTexts.toSecurity }).click()
    await button(owners, securityTexts.resetNamed(colleague.username)).click()
    await owners.getByRole('alertdialog').getByRole('button', { name: securityTexts.reset, exact: true }).click()
    await owners.getByText(securityTexts.resetDone(colleague.username)).waitFor()

    // The colleague is signed out, and the password alone opens the account again.
    await page.waitForURL(/\/login/)
    await passwordStep(page, colleague)
    await page.getByText(signInTexts.loginDone).waitFor()
  })
})

describe('a player’s passkey', () => {
  test('is made in the settings, opens the account without a password when it is pressed, and is removed', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account/settings', { token: player.token })
    await withAuthenticator(page)
    await page.getByText(securityTexts.noPasskey).waitFor()
    expect(await button(page, securityTexts.addTotp).count()).toBe(0)
    await button(page, securityTexts.addPasskey).click()
    await button(page, securityTexts.add).click()
    await page.getByText(securityTexts.passkeyName, { exact: true }).waitFor()
    expect(await dialog(page, securityTexts.codesTitle).count()).toBe(0)

    // The password alone goes on opening the account: nobody is asked for a second step.
    await passwordStep(page, player)
    await page.getByText(signInTexts.loginDone).waitFor()

    const leave = () =>
      page.evaluate(() => {
        localStorage.removeItem('access_token')
        location.assign('/login')
      })
    await leave()
    await button(page, factorTexts.byPasskey).click()
    await page.getByText(signInTexts.loginDone).waitFor()
    await page.goto('/account/settings')
    await button(page, securityTexts.removeNamed(securityTexts.passkeyName)).click()
    await page.getByRole('alertdialog').getByRole('button', { name: securityTexts.remove, exact: true }).click()
    await page.getByText(securityTexts.noPasskey).waitFor()
    await page.goto('/account/notifications')
    await page.getByText(noticeTexts.passkeyChanges.removed).waitFor()

    // The device still has it; nothing of ours does.
    await leave()
    await button(page, factorTexts.byPasskey).click()
    await page.getByText('Khoá truy cập này không mở được tài khoản nào').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
  })
})
