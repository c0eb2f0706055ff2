import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { accountTexts } from '#web/features/account/account-texts.ts'
import { bankTexts } from '#web/features/banks/bank-texts.ts'
import { betsTexts } from '#web/features/game/bets-texts.ts'
import { bookTexts } from '#web/features/book/book-texts.ts'
import { checkTexts } from '#web/features/book/check-texts.ts'
import { cashRequestTexts } from '#web/features/cashier/cashier-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { marketTexts } from '#web/features/market/market-texts.ts'
import { helpTexts } from '#web/features/help/help-texts.ts'
import { landingTexts } from '#web/features/landing/landing-texts.ts'
import { receiptTexts } from '#web/features/receipt/receipt-texts.ts'
import { limitsTexts } from '#web/features/limits/limits-texts.ts'
import { practiceTexts } from '#web/features/game/practice-texts.ts'
import { rulesTexts } from '#web/features/game/rules-texts.ts'
import { changePasswordTexts } from '#web/features/identity/change-password-texts.ts'
import { noticeTexts } from '#web/features/notices/notices-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { pausedAccountTexts } from '#web/layout/paused-account-texts.ts'
import { signInTexts } from '#web/features/identity/sign-in-texts.ts'
import { tradingViewTexts } from '#web/features/market/trading-view-texts.ts'
import { settingsTexts } from '#web/features/settings/settings-texts.ts'
import { statisticsTexts } from '#web/features/statistics/statistics-texts.ts'
import { ledgerTexts } from '#web/features/wallet/wallet-texts.ts'
import { type Account, anAdmin, aPlayer, call, roundWithLeft } from './support/api.ts'
import { chooseView, openTradingView, turnTable } from './support/chart.ts'
import { useProduct } from './support/use-product.ts'
import { failures, isEveryWidth } from './support/look.ts'
import { pictureTexts } from '#web/ui/picture-texts.ts'

const { server, visit } = useProduct()
let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})

const widths = [320, 390, 600]
/** So tall that nothing has to be scrolled from under a bar, and axe judges all of it. */
const height = 2_400

/** Checks a state of the open page in each width and theme. */
async function examine(page: Page, state: string): Promise<readonly string[]> {
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    for (const theme of width === 390 || isEveryWidth ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.locator(`html[data-theme=${theme}]`).waitFor()
      const seen = await failures(page, { isRecoloured: theme === 'dark', hasBestPractice: false })
      faults.push(...seen.map((failure) => `${state} · ${width} · ${theme} · ${failure}`))
    }
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    if (isTooWide) faults.push(`${state} · ${width}: wider than the screen`)
  }
  return faults
}

const linkBank = (player: Account, bankName: string) =>
  call(server.url, endpoints.addBank, {
    token: player.token,
    body: { bankName, accountNumber: '0123456789', accountHolder: 'TEN KHONG THAT' },
  })
const file = (player: Account, kind: 'deposit' | 'withdrawal', amountMinor: bigint) =>
  call(server.url, endpoints.fileRequest, { token: player.token, body: { kind, amountMinor } })

test('signed out', async () => {
  const faults: string[] = []
  const { page } = await visit('/login')
  await page.getByRole('button', { name: signInTexts.loginButton }).waitFor()
  faults.push(...(await examine(page, 'login')))
  await page.getByRole('button', { name: signInTexts.forgotPassword }).click()
  await page.getByRole('button', { name: signInTexts.loginButton }).click()
  await page.getByText(signInTexts.usernameRequired).waitFor()
  faults.push(...(await examine(page, 'login with mistakes')))
  await page.goto('/register')
  await page.getByLabel(signInTexts.referralCode).waitFor()
  faults.push(...(await examine(page, 'register')))
  await page.getByRole('button', { name: signInTexts.registerButton }).click()
  await page.getByText(signInTexts.referralRequired).waitFor()
  faults.push(...(await examine(page, 'register with mistakes')))
  await page.goto('/khong-co')
  await page.getByText(commonTexts.notFound).waitFor()
  faults.push(...(await examine(page, 'not found')))
  await page.goto('/tro-giup')
  await page.getByRole('searchbox', { name: helpTexts.search }).waitFor()
  faults.push(...(await examine(page, 'help')))
  await page.goto('/so-mo')
  await page.getByRole('heading', { name: bookTexts.claim }).waitFor()
  for (const summary of await page
    .locator('main details > summary')
    .filter({ has: page.locator('h2') })
    .all())
    await summary.click()
  await page.getByRole('heading', { name: bookTexts.rounds }).or(page.getByText(bookTexts.noRates)).first().waitFor()
  await page.getByText(new RegExp(`^${bookTexts.noteAge} \\d`)).waitFor()
  faults.push(...(await examine(page, 'open book')))
  await page.goto('/kiem-chung?vong=x')
  await page.getByLabel(checkTexts.round).waitFor()
  await page.getByRole('button', { name: checkTexts.start }).click()
  await page.getByText(checkTexts.roundWrong).waitFor()
  faults.push(...(await examine(page, 'checker, a wrong id')))
  await page.getByRole('radio', { name: checkTexts.kinds.proof }).click()
  await page.getByText(checkTexts.proofHint).waitFor()
  faults.push(...(await examine(page, 'checker, a proof')))
  expect(faults).toEqual([])
})

test('the receipt of a round, signed out', async () => {
  const faults: string[] = []
  const player = await aPlayer(server.url)
  const round = await roundWithLeft(server.url, player.token, '30s', 10_000, 28_000)
  const body = { roundId: round.id, stakeMinor: 1_000n, direction: 'up', seenBasis: 'PRICE' } as const
  await call(server.url, endpoints.placeBet, { token: player.token, body })
  const { page } = await visit(`/vong/${round.id}`)
  await page.getByText(receiptTexts.outcome.unwritten, { exact: true }).waitFor()
  faults.push(...(await examine(page, 'receipt of a running round')))
  await page.getByText(receiptTexts.totals).waitFor({ timeout: 90_000 })
  await page.getByText(pictureTexts.secondPrices).click()
  await page.getByText(receiptTexts.technical).click()
  faults.push(...(await examine(page, 'receipt')))
  await page.goto(`/vong/${player.id}`)
  await page.getByText(receiptTexts.notInBook).waitFor()
  faults.push(...(await examine(page, 'receipt of no round')))
  expect(faults).toEqual([])
})

test('landing, market and account', async () => {
  const faults: string[] = []
  const player = await aPlayer(server.url)
  const { page, context } = await visit('/', { token: player.token })
  await page.getByText(landingTexts.welcome).waitFor()
  faults.push(...(await examine(page, 'landing')))
  await page.goto('/investment')
  await page.getByText('Bitcoin', { exact: true }).waitFor()
  faults.push(...(await examine(page, 'market')))
  await page.goto('/account')
  await page.getByText(accountTexts.logout).waitFor()
  faults.push(...(await examine(page, 'account')))
  await page.goto('/account/settings')
  await page.getByRole('heading', { name: settingsTexts.look }).waitFor()
  faults.push(...(await examine(page, 'settings')))
  await page.goto('/change-password')
  await page.getByRole('button', { name: changePasswordTexts.submit }).click()
  await page.getByText(changePasswordTexts.currentRequired).waitFor()
  faults.push(...(await examine(page, 'change password with mistakes')))
  await page.goto('/account/bets')
  await page.getByText(betsTexts.empty).waitFor()
  faults.push(...(await examine(page, 'bets')))
  await page.goto('/games')
  await page.locator('figure canvas').first().waitFor()
  faults.push(...(await examine(page, 'game without the shell')))
  await page.goto('/account/statistics')
  await page.getByText(statisticsTexts.empty).waitFor()
  faults.push(...(await examine(page, 'statistics')))
  await page.goto('/account/limits')
  await page.getByText(limitsTexts.rule).waitFor()
  faults.push(...(await examine(page, 'limits')))
  await context.setOffline(true)
  await page.getByText(commonTexts.offline).waitFor()
  faults.push(...(await examine(page, 'offline')))
  expect(faults).toEqual([])
})

test('banks, requests and the ledger', async () => {
  const faults: string[] = []
  const player = await aPlayer(server.url)
  const { page } = await visit('/bank', { token: player.token })
  const submit = page.getByRole('button', { name: bankTexts.submit })
  await page.getByText(bankTexts.empty).waitFor()
  await submit.click()
  await page.getByText(bankTexts.bankNameRequired).waitFor()
  faults.push(...(await examine(page, 'no bank, with mistakes')))
  await page.goto('/transaction')
  await page.getByText(cashRequestTexts.linkFirst).waitFor()
  faults.push(...(await examine(page, 'requests without a bank')))

  await linkBank(player, 'ACB')
  await page.goto('/bank')
  await page.getByText(bankTexts.count(1, 3)).waitFor()
  await page.getByLabel(bankTexts.bankName, { exact: true }).fill('v')
  await page.getByRole('option').first().waitFor()
  faults.push(...(await examine(page, 'one bank, with suggestions')))
  await linkBank(player, 'BIDV')
  await linkBank(player, 'Vietcombank')
  await page.goto('/bank')
  await page.getByText(bankTexts.full).waitFor()
  faults.push(...(await examine(page, 'three banks')))

  await file(player, 'deposit', 50_000n)
  const { id } = await file(player, 'withdrawal', 20_000n)
  const body = { verdict: 'rejected', reason: 'Tên tài khoản không khớp', from: 'pending' } as const
  await call(server.url, endpoints.decideRequest, { token: admin, params: { id }, body })
  await file(player, 'withdrawal', 10_000n)
  await page.goto('/transaction')
  await page.getByText(cashRequestTexts.rejected).waitFor()
  faults.push(...(await examine(page, 'requests')))
  await page.getByRole('button', { name: cashRequestTexts.withdraw }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: cashRequestTexts.submitWithdraw }).click()
  await form.getByText(cashRequestTexts.amountRequired).waitFor()
  faults.push(...(await examine(page, 'a withdrawal with mistakes')))
  await page.goto('/account/ledger')
  await page.getByText(ledgerTexts.reasons.WELCOME).last().waitFor()
  faults.push(...(await examine(page, 'ledger')))
  await page.goto('/account/notifications')
  await page.getByText(noticeTexts.rejected).first().waitFor()
  faults.push(...(await examine(page, 'notices')))
  expect(faults).toEqual([])
})

test('the game, its rules, its result, history and audit', async () => {
  const faults: string[] = []
  const player = await aPlayer(server.url)
  const { page } = await visit('/investment/game', { token: player.token, isNewToRules: true })
  await page.locator('figure canvas').first().waitFor()
  faults.push(...(await examine(page, 'game')))
  await page.getByRole('button', { name: gameTexts.menu }).click()
  await page.getByRole('radio', { name: marketTexts.views['60m'] }).waitFor()
  faults.push(...(await examine(page, 'choices of the chart')))
  await page.keyboard.press('Escape')
  await openTradingView(page)
  await page.getByText(tradingViewTexts.about).waitFor()
  faults.push(...(await examine(page, 'TradingView')))
  await page.getByRole('button', { name: tradingViewTexts.back }).click()
  await chooseView(page, '60m')
  await turnTable(page)
  await page.getByRole('table').waitFor()
  faults.push(...(await examine(page, 'game with the table')))
  await chooseView(page, 'round')
  await page.getByRole('table').waitFor()
  faults.push(...(await examine(page, 'game with the round’s table')))
  await turnTable(page)
  await page.locator('figure canvas').first().waitFor()

  const buy = page.getByRole('button', { name: /^Mua/ }).and(page.locator('[aria-disabled="false"]'))
  // Not at a round's edge, where the button takes no press.
  await roundWithLeft(server.url, player.token, '30s', 8_000, 28_000)
  await buy.click()
  const practice = page.getByRole('dialog', { name: practiceTexts.title })
  await practice.getByText(practiceTexts.notSent).waitFor()
  faults.push(...(await examine(page, 'practice: the round')))
  await practice.getByRole('button', { name: practiceTexts.next }).click()
  faults.push(...(await examine(page, 'practice: the choice')))
  await practice.getByRole('button', { name: /^Bán/ }).click()
  faults.push(...(await examine(page, 'practice: the replay')))
  await practice.getByRole('button', { name: practiceTexts.toResult }).click()
  faults.push(...(await examine(page, 'practice: the result')))
  await practice.getByRole('button', { name: practiceTexts.toRules }).click()
  await page.getByText(rulesTexts.payoutTitle).waitFor()
  faults.push(...(await examine(page, 'rules')))
  await page.getByRole('button', { name: rulesTexts.understood }).click()
  await roundWithLeft(server.url, player.token, '30s', 8_000, 28_000)
  await buy.click()
  await page.getByText(gameTexts.betOpen).waitFor()
  // Decides later bets only; the existing one stays decided by price, and so has prices to show.
  const scripted = { params: { id: player.id }, body: { scriptedOutcome: 'win' } } as const
  await call(server.url, endpoints.updateUser, { token: admin, ...scripted })
  await page.getByText(gameTexts.scriptedWin).waitFor()
  faults.push(...(await examine(page, 'game with a bet')))
  await page.getByRole('dialog').waitFor({ timeout: 60_000 })
  faults.push(...(await examine(page, 'result')))
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: gameTexts.historyTab }).click()
  await page.getByRole('link', { name: gameTexts.allBets }).waitFor()
  faults.push(...(await examine(page, 'history')))
  await page.getByRole('link', { name: gameTexts.allBets }).click()
  await page.getByRole('link', { name: new RegExp(betsTexts.audit) }).click()
  const audit = page.getByRole('dialog')
  await audit.locator('summary').click()
  await audit.getByRole('table').waitFor()
  faults.push(...(await examine(page, 'audit of a bet')))
  await page.keyboard.press('Escape')
  await audit.waitFor({ state: 'hidden' })
  faults.push(...(await examine(page, 'own bets')))
  expect(faults).toEqual([])
})

test('customer care, and a frozen account', async () => {
  const faults: string[] = []
  const player = await aPlayer(server.url)
  const { page } = await visit('/support', { token: player.token })
  const start = page.getByRole('button', { name: chatTexts.chatWith('admin') })
  await page.getByText(chatTexts.chooseOther).click()
  await start.waitFor()
  faults.push(...(await examine(page, 'conversations')))
  await start.click()
  const field = page.getByLabel(chatTexts.messageLabel)
  await field.fill('Xin chào')
  await field.press('Enter')
  await page.getByText(chatTexts.sent).waitFor()
  faults.push(...(await examine(page, 'a conversation')))
  await call(server.url, endpoints.updateUser, { token: admin, params: { id: player.id }, body: { isFrozen: true } })
  // The page goes there by itself; one that is sent elsewhere meanwhile goes nowhere.
  await page.getByText(pausedAccountTexts.message).waitFor()
  await page.goto('/account')
  await page.getByText(pausedAccountTexts.message).waitFor()
  faults.push(...(await examine(page, 'frozen')))
  expect(faults).toEqual([])
})
