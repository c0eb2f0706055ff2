import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { limitsTexts, reminderTexts } from '#web/features/limits/limits-texts.ts'
import { type Account, aPlayer, call, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
const limitsOf = (player: Account) => call(server.url, endpoints.readLimits, { token: player.token })

describe('own limits', () => {
  test('a first limit works at once and stops a bet; a higher one waits a day; a lower one takes its place', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account/limits', { token: player.token })
    const stake = page.getByLabel(limitsTexts.dailyStake)
    const save = page.getByRole('button', { name: limitsTexts.save })
    await page.getByText(limitsTexts.rule).waitFor()
    await stake.fill('150')
    await page.getByText(limitsTexts.willLower).waitFor()
    await save.click()
    await page.getByText(limitsTexts.saved).waitFor()
    await page.getByText(limitsTexts.usedOf('0.00', '150.00')).waitFor()

    await page.goto('/investment/game')
    await roundWithLeft(server.url, player.token, '120s', 15_000, 118_000)
    await page.getByRole('radio', { name: /^120s/ }).check()
    await page.getByRole('radio', { name: '1,000', exact: true }).check()
    await page.getByRole('button', { name: /^Mua/ }).click()
    await page.getByText('Lệnh này vượt giới hạn đặt trong ngày của bạn').waitFor()
    expect((await call(server.url, endpoints.me, { token: player.token })).balanceMinor).toBe(1_000_00n)
    await page.getByRole('radio', { name: '100', exact: true }).check()
    await page.getByRole('button', { name: /^Mua/ }).click()
    await page.getByText('900.00', { exact: true }).waitFor()

    await page.goto('/account/limits')
    await page.getByText(limitsTexts.usedOf('100.00', '150.00')).waitFor()
    await stake.fill('5000')
    await page.getByText(limitsTexts.willRaise).waitFor()
    await save.click()
    await page.getByText(/^Từ \d\d:\d\d .* giới hạn đặt: 5,000 điểm$/).waitFor()
    expect(await limitsOf(player)).toMatchObject({ dailyStakeMinor: 150_00n, pending: { dailyStakeMinor: 5_000_00n } })

    await stake.fill('120')
    await page.getByText(limitsTexts.willCancelRaise).waitFor()
    await save.click()
    await expect.poll(async () => (await limitsOf(player)).pending).toBeNull()
    expect((await limitsOf(player)).dailyStakeMinor).toBe(120_00n)
  })

  test('a time-out begins after its meaning was shown, stops bets, and can only be extended', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/account/limits', { token: player.token })
    await page.getByLabel(limitsTexts.lengths.day).check()
    await page.getByRole('button', { name: limitsTexts.timeoutStart }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText(/rút ngắn được thời gian này/).waitFor()
    await question.getByRole('button', { name: limitsTexts.timeoutKeep }).click()
    expect((await limitsOf(player)).timeoutUntilMs).toBeNull()
    await page.getByRole('button', { name: limitsTexts.timeoutStart }).click()
    await question.getByRole('button', { name: limitsTexts.timeoutStart }).click()
    await page.getByText(limitsTexts.timeoutStarted, { exact: true }).waitFor()
    await page.getByText(/^Bạn đang tạm nghỉ đến/).waitFor()
    const left = ((await limitsOf(player)).timeoutUntilMs ?? 0) - (await limitsOf(player)).serverTimeMs
    expect(left).toBeGreaterThan(86_300_000)
    expect(await page.getByLabel(limitsTexts.lengths.hour).isDisabled()).toBe(true)
    expect(await page.getByLabel(limitsTexts.lengths.week).isDisabled()).toBe(false)

    await page.goto('/investment/game')
    await roundWithLeft(server.url, player.token, '120s', 10_000, 118_000)
    await page.getByRole('radio', { name: /^120s/ }).check()
    await page.getByRole('button', { name: /^Bán/ }).click()
    await page.getByText('Bạn đang trong thời gian tạm nghỉ').waitFor()
    expect((await call(server.url, endpoints.me, { token: player.token })).balanceMinor).toBe(1_000_00n)
  })

  test('the reminder comes after the chosen time, shows today’s figures, and closes with one press', async () => {
    const player = await aPlayer(server.url)
    await call(server.url, endpoints.setLimits, {
      token: player.token,
      body: { dailyStakeMinor: null, dailyLossMinor: null, reminderMinutes: 60, timeoutUntilMs: null },
    })
    const { page } = await visit('/account', { token: player.token })
    await page.evaluate(() => {
      const signedInAtMs = Number(localStorage.getItem('signed_in_at'))
      localStorage.setItem('play_time', JSON.stringify({ signedInAtMs, visibleMs: 3_598_500, remindedAtMs: 0 }))
    })
    await page.reload()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(reminderTexts.played(reminderTexts.hours(1, 0))).waitFor()
    await dialog.getByText(`${reminderTexts.today}: ${reminderTexts.staked}`).waitFor()
    await dialog.getByRole('button', { name: reminderTexts.resume }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.waitForTimeout(2_200)
    expect(await dialog.count()).toBe(0)
    await page.reload()
    await page.getByText('1.0.0').waitFor()
    await page.waitForTimeout(1_500)
    expect(await dialog.count()).toBe(0)
  })
})
