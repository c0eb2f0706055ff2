import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import type { Bet } from '#contract/game.ts'
import { sourceLabel } from '#domain/market/source-label.ts'
import { SIMULATED } from '#domain/market/sources.ts'
import { formatAmount, formatGoldPrice } from '#web/platform/formats.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { practiceTexts } from '#web/features/game/practice-texts.ts'
import { rulesTexts } from '#web/features/game/rules-texts.ts'
import { ledgerTexts } from '#web/features/wallet/wallet-texts.ts'
import { playMoneyTexts } from '#web/platform/texts.ts'
import { anAdmin, aPlayer, call, referralCode, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { type RunningServer, startServer, whileGoldIsShut, whileGoldTrades } from './support/server.ts'

const clockShiftMs = whileGoldTrades()
const { server, visit } = useProduct({ feed: 'pyth', clockShiftMs })

const tokenOf = async (page: Page) => (await page.evaluate(() => localStorage.getItem('access_token'))) ?? ''
/** Records, by the machine's clock, when the first result opens in a tab. */
const watchForResult = (page: Page) =>
  page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('[role=dialog]') === null) return
      observer.disconnect()
      Object.assign(globalThis, { resultShownAtMs: Date.now() })
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
const resultShownAt = (page: Page) =>
  page.evaluate(() => (globalThis as { resultShownAtMs?: number }).resultShownAtMs ?? Number.POSITIVE_INFINITY)
const latestBet = async (token: string): Promise<Bet> => {
  const [bet] = await call(server.url, endpoints.listOwnBets, { token, query: {} })
  if (bet === undefined) throw new Error('There is no bet.')
  return bet
}
const secondsLeft = async (page: Page) => {
  const text = (await page.getByRole('timer').textContent()) ?? ''
  expect(text).toMatch(/^\d\d:\d\d$/)
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
}

/** Records the page's calls, and counts how often the own bets were read for the bet that was placed. */
const watchBetReads = (page: Page): (() => number) => {
  const calls: { readonly request: Request; readonly atMs: number }[] = []
  page.on('request', (request) => calls.push({ request, atMs: Date.now() }))
  const callsOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
    calls.filter(({ request }) => request.method() === method && new URL(request.url()).pathname === path)
  return () => {
    const placing = callsOf(endpoints.placeBet)[0]?.request.timing()
    if (placing === undefined) throw new Error('No bet was placed.')
    // A second or more after the answer the screen asks for the bet's entry.
    const untilMs = placing.startTime + placing.responseEnd + 700
    return callsOf(endpoints.listOwnBets).filter(({ atMs }) => atMs >= placing.startTime && atMs < untilMs).length
  }
}

let newcomers = 0

describe('a newcomer', () => {
  test('registers, bets, watches the countdown, sees the result, and the books add up', async () => {
    const { page, context } = await visit('/')
    await page.waitForURL('/login')

    await page.getByRole('link', { name: /Đăng ký/ }).click()
    await page.getByLabel('Mã giới thiệu').fill(referralCode)
    await page.getByLabel('Tài khoản').fill(`NguoiMoi${(newcomers += 1)}`)
    await page.getByLabel('Mật khẩu', { exact: true }).fill('bi-mat-123')
    await page.getByLabel('Nhập lại mật khẩu').fill('bi-mat-123')
    await page.getByRole('button', { name: 'Đăng ký' }).click()
    await page.getByText('Đăng ký thành công!').waitFor()
    await page.waitForURL('/')
    const token = await tokenOf(page)
    // A server's first round may have begun before the first quote.
    await roundWithLeft(server.url, token, '30s', 0, 30_000, (r) => r.priceSource !== 'simulated')

    await page.goto('/investment/game')
    await page
      .getByText(/^Nguồn thử nghiệm: 127\.0\.0\.1:\d+$/)
      .first()
      .waitFor()
    await page.getByText(playMoneyTexts.everywhere).waitFor()
    await page.getByText(/giây trước$/).waitFor()
    await page.locator('figure canvas').first().waitFor()

    const round = await roundWithLeft(server.url, token, '30s', 18_000, 28_000)
    await page.getByText(gameTexts.round(round.roundNumber.toLocaleString('en-US'))).waitFor()
    expect(Math.abs((await secondsLeft(page)) - (round.closesAtMs - round.serverTimeMs) / 1000)).toBeLessThanOrEqual(2)
    await page.getByRole('radio', { name: '100', exact: true }).check()
    const buy = page.getByRole('button', { name: /^Mua/ })
    expect(await buy.textContent()).toContain(gameTexts.canWinOrLose('5.00'))
    // Before the first bet comes a practice, from which the rules can be read; nothing is sent.
    await buy.click()
    const practice = page.getByRole('dialog', { name: practiceTexts.title })
    await practice.getByText(practiceTexts.notSent).waitFor()
    await practice.getByRole('button', { name: practiceTexts.next }).click()
    await practice.getByRole('button', { name: /^Bán/ }).click()
    await practice.getByRole('button', { name: practiceTexts.toResult }).click()
    await practice.getByText(practiceTexts.result.nothingMoved).waitFor()
    await practice.getByRole('button', { name: practiceTexts.toRules }).click()
    const rules = page.getByRole('dialog', { name: rulesTexts.title })
    for (const sentence of [...rulesTexts.round, ...rulesTexts.payout, ...rulesTexts.basis])
      await rules.getByText(sentence).waitFor()
    await rules.getByRole('button', { name: rulesTexts.understood }).click()
    await rules.waitFor({ state: 'hidden' })
    expect(await call(server.url, endpoints.listOwnBets, { token, query: {} })).toEqual([])
    await page.getByText(/^Lệnh bạn vừa chọn: Mua ▲ 100 · 30s$/).waitFor()
    const countReads = watchBetReads(page)
    await buy.click()
    await page.getByText(gameTexts.betPlaced).waitFor()

    await page.getByText(gameTexts.betOpen).waitFor()
    expect(await buy.count()).toBe(0)
    await page.getByText('900.00', { exact: true }).waitFor()
    const before = await secondsLeft(page)
    await page.waitForTimeout(2_100)
    expect(countReads()).toBe(1)
    expect(before - (await secondsLeft(page))).toBeGreaterThanOrEqual(2)

    // The same account in another browser is notified too; of this browser's two tabs, one is.
    const elsewhere = await visit('/investment/game', { token })
    const secondTab = await context.newPage()
    await secondTab.goto('/games')
    expect(await secondTab.getByRole('navigation').count()).toBe(0)

    const tabs = [page, secondTab]
    await Promise.all(tabs.map(watchForResult))
    const popup = await Promise.any(
      tabs.map(async (tab) => {
        await tab.getByRole('dialog').waitFor({ timeout: 40_000 })
        return tab.getByRole('dialog')
      }),
    )
    const shownAtMs = Math.min(...(await Promise.all(tabs.map(resultShownAt)))) + clockShiftMs
    const bet = await latestBet(token)
    expect(bet).toMatchObject({ basis: 'PRICE', round: { id: round.id }, direction: 'up', stakeMinor: 10_000n })
    // Usually a second after the countdown; a busy machine takes longer.
    expect(shownAtMs - round.closesAtMs).toBeGreaterThan(0)
    expect(shownAtMs - round.closesAtMs).toBeLessThan(5_000)

    const words = { won: 'Thắng', lost: 'Thua', voided: 'Hoàn điểm', open: '' }[bet.status]
    const profit = { won: '+5.00', lost: '−5.00', voided: '100.00', open: '' }[bet.status]
    const text = (await popup.textContent()) ?? ''
    for (const part of [words, profit, gameTexts.basisPrice]) expect(text).toContain(part)
    if (bet.entryPrice !== null) expect(text).toContain(formatGoldPrice(bet.entryPrice))
    if (bet.exitPrice !== null) expect(text).toContain(formatGoldPrice(bet.exitPrice))
    if (bet.status === 'won' || bet.status === 'lost')
      expect(bet.status === 'won').toBe((bet.exitPrice ?? 0) > (bet.entryPrice ?? 0))
    await elsewhere.page.getByRole('dialog').waitFor()
    const opened = await Promise.all(tabs.map((tab) => tab.getByRole('dialog').count()))
    expect(opened.toSorted((a, b) => a - b)).toEqual([0, 1])

    await popup.getByRole('button', { name: 'Đóng' }).last().click()
    await popup.waitFor({ state: 'hidden' })
    // A closed popup takes back its entry of the history; a reload at that very moment would be broken off.
    const entries = () => popup.page().evaluate(() => (history.state as { overlays?: number } | null)?.overlays ?? 0)
    await expect.poll(entries).toBe(0)
    const balanceMinor = 100_000n + (bet.profitMinor ?? 0n)
    await page.getByText(formatAmount(balanceMinor), { exact: true }).waitFor()

    for (const tab of tabs) await tab.reload()
    await page.getByText(formatAmount(balanceMinor), { exact: true }).waitFor()
    await page.waitForTimeout(1_000)
    for (const tab of tabs) expect(await tab.getByRole('dialog').count()).toBe(0)

    await page.getByRole('tab', { name: 'History' }).click()
    const row = page.getByRole('listitem').filter({ hasText: words })
    expect(await row.textContent()).toContain(bet.round.roundNumber.toLocaleString('en-US'))

    // In the ledger the bet is one line with its whole result; folded away stand the changes that it made.
    await page.goto('/account/ledger')
    const line = page
      .getByRole('main')
      .locator('details')
      .filter({ hasText: `Mua 30s · ${words}` })
    await line
      .getByText(bet.status === 'voided' ? '0.00' : profit, { exact: true })
      .first()
      .waitFor()
    expect(await line.getByText(ledgerTexts.reasons.BET_STAKE).isVisible()).toBe(false)
    await line.locator('summary').click()
    await line.getByText(ledgerTexts.reasons.BET_STAKE).waitFor()
    await line.getByText(ledgerTexts.reasons.BET_RETURN).waitFor()

    const ledger = await call(server.url, endpoints.ledger, { token, query: {} })
    expect(ledger.reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n)).toBe(balanceMinor)
    const audit = await server.auditLedger()
    expect(audit).toEqual({ isClean: true, output: expect.stringContaining('The books add up') as string })
  })

  test('finds the type chosen last, and a result from before this sign-in is not shown again', async () => {
    const player = await aPlayer(server.url)
    const first = await visit('/investment/game', { token: player.token })
    await first.page.getByRole('radio', { name: /^120s/ }).check()
    await first.page.reload()
    expect(await first.page.getByRole('radio', { name: /^120s/ }).isChecked()).toBe(true)
    await first.page.getByRole('radio', { name: /^30s/ }).check()

    await roundWithLeft(server.url, player.token, '30s', 10_000, 28_000)
    await first.page.getByRole('button', { name: /^Bán/ }).click()
    await first.page.getByText(gameTexts.betOpen).waitFor()
    await first.context.close()
    await expect.poll(async () => (await latestBet(player.token)).status, { timeout: 40_000 }).not.toBe('open')

    const later = await visit('/login')
    await later.page.getByLabel('Tài khoản').fill(player.username)
    await later.page.getByLabel('Mật khẩu', { exact: true }).fill(player.password)
    await later.page.getByRole('button', { name: 'Đăng nhập' }).click()
    await later.page.getByText('Đăng nhập thành công!').waitFor()
    await later.page.goto('/investment/game')
    await later.page.getByRole('button', { name: /^Mua/ }).waitFor()
    await later.page.waitForTimeout(1_500)
    expect(await later.page.getByRole('dialog').count()).toBe(0)
  })

  test('who is staff sees the round, and that staff do not play', async () => {
    const { page } = await visit('/investment/game', { token: await anAdmin(server.url) })
    await page.getByText(gameTexts.staffDoNotPlay).waitFor()
    await page.getByRole('timer').waitFor()
    expect(await page.getByRole('button', { name: /^(Mua|Bán)/ }).count()).toBe(0)
  })
})

describe('while gold is shut', () => {
  let closed: RunningServer
  beforeAll(async () => {
    closed = await startServer({ feed: 'pyth', clockShiftMs: whileGoldIsShut() })
  })
  afterAll(() => closed.stop())

  test('rounds go on at simulated prices, and the screen says so', async () => {
    const { token } = await aPlayer(closed.url)
    const { page } = await visit(`${closed.url}/games`)
    await page.evaluate((value) => {
      localStorage.setItem('access_token', value)
      localStorage.setItem('rules_read', 'yes')
    }, token)
    await page.goto(`${closed.url}/games`)
    await page.getByText(sourceLabel(SIMULATED), { exact: true }).waitFor()
    const banner = page.getByText(new RegExp(`^${gameTexts.goldClosed}`))
    await banner.waitFor()
    // Sunday 18:00 in New York.
    expect(await banner.textContent()).toMatch(
      /Mở lại lúc \d\d\/\d\d\/\d{4} 0[56]:00 \(giờ Việt Nam\)\. Còn \d+ giờ \d+ phút\.$/,
    )
    await roundWithLeft(closed.url, token, '120s', 10_000, 118_000)
    await page.getByRole('radio', { name: /^120s/ }).check()
    await page.getByRole('button', { name: /^Mua/ }).click()
    await page.getByText(gameTexts.betPlaced).waitFor()
  })
})
