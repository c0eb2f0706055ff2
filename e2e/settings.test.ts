import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { limitsTexts } from '#web/features/limits/limits-texts.ts'
import { settingsTexts } from '#web/features/settings/settings-texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { themeTexts } from '#web/ui/theme-texts.ts'
import { screenTitles } from '#web/platform/texts.ts'
import { type Account, aPlayer, anAdmin, call, roundWithLeft, signIn } from './support/api.ts'
import { connected } from './support/browser.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
/** Sockets of an ended session are closed within this time (rules §4.1). */
const SOON_MS = 1_000

const signInAgain = (account: Account): Promise<string> => signIn(server.url, account)

describe('settings', () => {
  test('colours, chart and sounds are kept on the device, the reminder with the account', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account', { token: player.token, theme: 'light' })
    await page.getByRole('link', { name: screenTitles.settings }).click()
    await page.getByRole('radio', { name: themeTexts.dark }).check()
    await page.locator('html[data-theme=dark]').waitFor()
    await page.getByRole('radio', { name: settingsTexts.chartMinute }).check()
    await page.getByRole('switch', { name: settingsTexts.resultSound }).click()
    await page.getByLabel(limitsTexts.reminder, { exact: true }).selectOption('30')
    await page.getByText(limitsTexts.reminderSaved).waitFor()
    expect((await call(server.url, endpoints.readLimits, { token: player.token })).reminderMinutes).toBe(30)

    await page.reload()
    await page.locator('html[data-theme=dark]').waitFor()
    expect(await page.getByRole('radio', { name: settingsTexts.chartMinute }).isChecked()).toBe(true)
    expect(await page.getByRole('switch', { name: settingsTexts.resultSound }).isChecked()).toBe(true)
    expect(await page.getByRole('switch', { name: settingsTexts.chatSound }).isChecked()).toBe(false)
  })

  test('another device is signed out from the list, which it notices within a second', async () => {
    const player = await aPlayer(server.url)
    const here = await visit('/account/settings', { token: player.token })
    const there = await visit('/investment/game', { token: await signInAgain(player) })
    await connected(there.page)
    await here.page.reload()
    const list = here.page.getByRole('region', { name: settingsTexts.devices })
    await list.getByText(settingsTexts.inUse).waitFor()
    // Registered over HTTP with another name of the browser; the page there has Chromium's.
    await list.getByRole('button', { name: settingsTexts.signOut }).last().click()
    await here.page.getByRole('alertdialog').getByRole('button', { name: settingsTexts.signOutVerb }).click()
    const pressedAt = performance.now()
    await there.page.waitForURL('**/login')
    await there.page.getByText(signInTexts.sessionEnded).waitFor()
    // The socket is told within a second; the rest is the page's way to the sign-in form.
    expect(performance.now() - pressedAt).toBeLessThan(SOON_MS + 4_000)
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    await here.page.reload()
    await list.getByText(settingsTexts.inUse).waitFor()
  })

  test('the own data are saved as a ZIP, with the token in no address', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account/settings', { token: player.token })
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: settingsTexts.dataSave }).click()
    const download = await saving
    expect(download.suggestedFilename()).toMatch(/^kim-phien-du-lieu-\d{4}-\d\d-\d\d\.zip$/)
    const zip = readFileSync(await download.path())
    expect(zip.subarray(0, 4)).toEqual(Buffer.from('504b0304', 'hex'))
    expect(zip.includes('ledger.csv')).toBe(true)
    expect(addresses.some((address) => address.includes(player.token))).toBe(false)
  })

  test('an account is not closed with an open bet; then it is, with the password, and can’t sign in again', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account/settings', { token: player.token })
    const round = await roundWithLeft(server.url, player.token, '30s', 15_000)
    await call(server.url, endpoints.placeBet, {
      token: player.token,
      body: { roundId: round.id, direction: 'up', stakeMinor: 10_00n },
    })
    await page.getByRole('button', { name: settingsTexts.closeVerb }).click()
    const question = page.getByRole('alertdialog')
    const confirm = question.getByRole('button', { name: settingsTexts.closeVerb })
    await question.getByLabel(settingsTexts.password, { exact: true }).fill('khong-phai')
    await confirm.click()
    await question.getByText('Mật khẩu hiện tại không đúng').waitFor()
    await question.getByLabel(settingsTexts.password, { exact: true }).fill(player.password)
    await confirm.click()
    await question.getByText('Tài khoản còn phiên đang chạy hoặc yêu cầu đang chờ duyệt').waitFor()

    await expect
      .poll(async () => (await call(server.url, endpoints.sumOwnBets, { token: player.token })).open, {
        timeout: 45_000,
      })
      .toBe(0)
    await confirm.click()
    await page.waitForURL('**/login')
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
    await page.getByLabel(signInTexts.username).fill(player.username)
    await page.getByLabel(signInTexts.password, { exact: true }).fill(player.password)
    await page.getByRole('button', { name: signInTexts.loginButton }).click()
    await page.getByText('Sai tài khoản hoặc mật khẩu').waitFor()

    const admin = await anAdmin(server.url)
    const acts = await call(server.url, endpoints.listAudit, { token: admin, query: { act: 'user.close' } })
    expect(acts.filter(({ target }) => target === `user:${player.id}`)).toMatchObject([{ actor: player.username }])
    expect((await server.auditLedger()).isClean).toBe(true)
  })
})
