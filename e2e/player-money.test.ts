import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { bankTexts } from '#web/features/banks/bank-texts.ts'
import { cashRequestTexts } from '#web/features/cashier/cashier-texts.ts'
import { moneyWarnings } from '#web/platform/money-warning-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ledgerTexts } from '#web/features/wallet/wallet-texts.ts'
import { type Account, anAdmin, aPlayer, call } from './support/api.ts'
import { useProduct } from './support/use-product.ts'
import { supportContact } from './support/server-env.ts'

const { server, visit } = useProduct()
let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})

const linkBank = (player: Account, bankName: string) =>
  call(server.url, endpoints.addBank, {
    token: player.token,
    body: { bankName, accountNumber: '0123456789', accountHolder: 'TEN KHONG THAT' },
  })
const requestsOf = (player: Account) =>
  call(server.url, endpoints.listRequests, { token: player.token, query: { userId: player.id } })
const decide = (id: string, body: { readonly verdict: 'approved' | 'rejected'; readonly reason?: string }) =>
  call(server.url, endpoints.decideRequest, { token: admin, params: { id }, body: { ...body, from: 'pending' } })
const isFocused = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).evaluate((field) => field === document.activeElement)

describe('money', () => {
  test('a bank is linked, a deposit filed and decided, and the balance follows by itself', async () => {
    const player = await aPlayer(server.url)
    const { page } = await visit('/transaction', { token: player.token })
    await page.getByText(cashRequestTexts.linkFirst).waitFor()
    expect(await page.getByRole('button', { name: cashRequestTexts.deposit }).count()).toBe(0)
    await page.getByRole('link', { name: cashRequestTexts.linkAction }).click()
    await page.waitForURL('/bank')
    await page.getByText(moneyWarnings.bankForm).waitFor()

    // Every field shows its error, and the first one has the focus.
    await page.getByRole('button', { name: bankTexts.submit }).click()
    for (const sentence of [
      bankTexts.bankNameRequired,
      bankTexts.accountNumberRequired,
      bankTexts.accountHolderRequired,
    ])
      await page.getByText(sentence).waitFor()
    expect(await isFocused(page, bankTexts.bankName)).toBe(true)

    await page.getByLabel(bankTexts.bankName, { exact: true }).pressSequentially('ngoai thuong')
    await page.getByRole('option', { name: /^Vietcombank/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await page.getByLabel(bankTexts.bankName, { exact: true }).inputValue()).toBe('Vietcombank')
    await page.getByLabel(bankTexts.accountNumber, { exact: true }).fill('0123 456 789 abc')
    expect(await page.getByLabel(bankTexts.accountNumber, { exact: true }).inputValue()).toBe('0123456789')
    await page.getByLabel(bankTexts.accountHolder, { exact: true }).fill('TEN KHONG THAT')
    await page.getByRole('button', { name: bankTexts.submit }).click()
    await page.getByText(bankTexts.added).waitFor()
    await page.getByText('•••• 6789').waitFor()
    expect(await page.getByText('0123456789').count()).toBe(0)

    // The page's back arrow and the device's back button do the same.
    await page.getByRole('link', { name: 'Quay lại' }).click()
    await page.waitForURL('/transaction')
    await page.getByRole('button', { name: cashRequestTexts.deposit, exact: true }).click()
    await page.getByRole('dialog').getByText(moneyWarnings.depositsAndChat).waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/transaction')

    await page.getByRole('button', { name: cashRequestTexts.deposit, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: cashRequestTexts.submitDeposit }).click()
    await dialog.getByText(cashRequestTexts.amountRequired).waitFor()
    expect(await isFocused(page, cashRequestTexts.amount)).toBe(true)
    await page.keyboard.type('12a500')
    expect(await dialog.getByLabel(cashRequestTexts.amount).inputValue()).toBe('12,500')
    await dialog.getByLabel(cashRequestTexts.memo).fill('nạp lần đầu')
    await page.keyboard.press('Enter')
    await page.getByText(cashRequestTexts.filed).waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(cashRequestTexts.pending).waitFor()

    const [request] = await requestsOf(player)
    expect(request).toMatchObject({ kind: 'deposit', amountMinor: 12_500_00n, depositMemo: 'nạp lần đầu' })
    await decide(request?.id ?? '', { verdict: 'approved' })
    await page.getByText(cashRequestTexts.approved).waitFor()
    await page.getByText('13,500.00 điểm').waitFor()

    await page.goto('/account/ledger')
    await page.getByText('13,500.00 điểm').waitFor()
    await page.getByText(ledgerTexts.reasons.DEPOSIT).nth(1).waitFor()
    const rows = page.getByRole('main').getByRole('listitem')
    expect(await rows.first().textContent()).toContain(`${ledgerTexts.reasons.DEPOSIT}+12,500.00`)
    expect(await rows.first().textContent()).toContain(`${ledgerTexts.balanceAfter} 13,500.00`)
    await rows.first().getByRole('link').click()
    await page.waitForURL(/\/transaction\?request=/)
    await page.getByText('nạp lần đầu').waitFor()
    await page.getByRole('link', { name: cashRequestTexts.showAll }).waitFor()
  })

  test('more than the balance is not withdrawn; what is held comes back when it is cancelled or rejected', async () => {
    const player = await aPlayer(server.url)
    await linkBank(player, 'ACB')
    const { page } = await visit('/transaction', { token: player.token })
    await page.getByRole('button', { name: cashRequestTexts.withdraw, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(cashRequestTexts.amount).fill('1001')
    await dialog.getByLabel(cashRequestTexts.withdrawalNote).fill('rút hết nhé')
    await dialog.getByRole('button', { name: cashRequestTexts.submitWithdraw }).click()
    await dialog.getByText(cashRequestTexts.balanceTooLow).waitFor()
    expect(await isFocused(page, cashRequestTexts.amount)).toBe(true)
    expect(await dialog.getByLabel(cashRequestTexts.withdrawalNote).inputValue()).toBe('rút hết nhé')
    expect(await requestsOf(player)).toEqual([])

    // The server checks as well, for a balance that shrank since the screen was loaded.
    await call(server.url, endpoints.fileRequest, {
      token: player.token,
      body: { kind: 'withdrawal', amountMinor: 400_00n },
    })
    await dialog.getByLabel(cashRequestTexts.amount).fill('700')
    await dialog.getByRole('button', { name: cashRequestTexts.submitWithdraw }).click()
    await dialog.getByText(cashRequestTexts.balanceTooLow).waitFor()
    expect(await dialog.getByLabel(cashRequestTexts.amount).inputValue()).toBe('700')
    await dialog.getByRole('button', { name: cashRequestTexts.withdrawAll }).click()
    expect(await dialog.getByLabel(cashRequestTexts.amount).inputValue()).toBe('600.00 điểm')
    await dialog.getByRole('button', { name: cashRequestTexts.submitWithdraw }).click()
    await page.getByText(cashRequestTexts.filed).waitFor()
    await page.getByText('0.00 điểm', { exact: true }).waitFor()

    await page.getByRole('button', { name: cashRequestTexts.cancelRequest }).first().click()
    const question = page.getByRole('alertdialog')
    await question.getByText(cashRequestTexts.cancelWithdrawal('600.00', 'ACB •••• 6789')).waitFor()
    await question.getByRole('button', { name: cashRequestTexts.cancelRequest }).click()
    await page.getByText(cashRequestTexts.cancelled, { exact: true }).waitFor()
    await page.getByText('600.00 điểm', { exact: true }).waitFor()
    await page.getByText(`${cashRequestTexts.reason}: Bạn đã huỷ yêu cầu`).waitFor()

    const [, held] = await requestsOf(player)
    await decide(held?.id ?? '', { verdict: 'rejected', reason: 'Sai tên chủ tài khoản' })
    await page.getByText(`${cashRequestTexts.reason}: Sai tên chủ tài khoản`).waitFor()
    await page.getByText('1,000.00 điểm', { exact: true }).waitFor()
    expect(await page.getByText(cashRequestTexts.rejected, { exact: true }).count()).toBe(2)
  })

  test('an answer that got lost files nothing twice', async () => {
    const player = await aPlayer(server.url)
    await linkBank(player, 'ACB')
    const { page } = await visit('/transaction?form=deposit', { token: player.token })
    let isLost = true
    const keys: Array<string | undefined> = []
    await page.route('**/api/v1/transaction', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      keys.push(route.request().headers()['idempotency-key'])
      if (!isLost) return route.fallback()
      isLost = false
      await route.fetch()
      await route.abort('connectionreset')
    })
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(cashRequestTexts.amount).fill('250')
    await dialog.getByRole('button', { name: cashRequestTexts.submitDeposit }).click()
    await dialog.getByRole('alert').getByText(commonTexts.unsure).waitFor()
    expect(await dialog.getByLabel(cashRequestTexts.amount).inputValue()).toBe('250')
    await dialog.getByRole('button', { name: cashRequestTexts.submitDeposit }).click()
    await page.getByText(cashRequestTexts.filed).waitFor()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    expect(await requestsOf(player)).toHaveLength(1)
  })

  test('with three banks there is no form, none can be edited, and the list says whom to ask', async () => {
    const player = await aPlayer(server.url)
    await linkBank(player, 'ACB')
    await linkBank(player, 'BIDV')
    const { page } = await visit('/bank', { token: player.token })
    await page.getByLabel(bankTexts.bankName, { exact: true }).fill('Quỹ tín dụng Tân Hiệp')
    await page.getByLabel(bankTexts.accountNumber, { exact: true }).fill('1234')
    await page.getByLabel(bankTexts.accountHolder, { exact: true }).fill('Nguyễn Văn A')
    await page.keyboard.press('Enter')
    await page.getByText(bankTexts.full).waitFor()
    expect(await page.getByRole('button', { name: bankTexts.submit }).count()).toBe(0)
    await expect(linkBank(player, 'VietinBank')).rejects.toThrow(/409.*BANK_LIMIT/)

    await page.getByRole('button', { name: bankTexts.edit('Quỹ tín dụng Tân Hiệp') }).click()
    const answer = page.getByRole('dialog')
    await answer.getByText(bankTexts.editRefused).waitFor()
    await answer.getByText(supportContact).waitFor()
  })
})

describe('the ledger', () => {
  test('more rows can be loaded while the ledger is being refreshed', async () => {
    const player = await aPlayer(server.url)
    await linkBank(player, 'ACB')
    const file = (amountMinor: bigint) =>
      call(server.url, endpoints.fileRequest, { token: player.token, body: { kind: 'withdrawal', amountMinor } })
    for (let round = 0; round < 12; round += 1) {
      const { id } = await file(100n)
      await decide(id, { verdict: 'rejected', reason: 'thử' })
    }
    const { page } = await visit('/account/ledger', { token: player.token })
    await page.getByText(ledgerTexts.count('25')).waitFor()
    let reads = 0
    await page.route(/\/ledger\?/, async (route) => {
      reads += 1
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await route.continue()
    })
    await file(200n)
    await expect.poll(() => reads).toBeGreaterThan(0)
    await page.getByRole('button', { name: ledgerTexts.more }).click()
    await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(26)
  })

  test('its newest balance is the one in the head, it is filtered, paged and saved as a file', async () => {
    const player = await aPlayer(server.url)
    await linkBank(player, 'ACB')
    for (let round = 0; round < 12; round += 1) {
      const { id } = await call(server.url, endpoints.fileRequest, {
        token: player.token,
        body: { kind: 'withdrawal', amountMinor: BigInt(round + 1) * 100n },
      })
      await decide(id, { verdict: 'rejected', reason: '=1+1' })
    }
    const { page } = await visit('/account/ledger', { token: player.token })
    await page.getByText(ledgerTexts.count('25')).waitFor()
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(20)
    await page.getByRole('button', { name: ledgerTexts.more }).click()
    await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(25)
    expect(await page.getByRole('main').getByRole('listitem').last().textContent()).toContain(
      ledgerTexts.reasons.WELCOME,
    )

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: ledgerTexts.csv }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^kim-phien-so-du-\d{4}-\d\d-\d\d\.csv$/)
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const lines = Buffer.concat(chunks).toString('utf8').split('\r\n')
    expect(lines[0]?.codePointAt(0)).toBe(0xfeff)
    expect(lines).toHaveLength(27)
    const balance = lines.slice(1, -1).reduce((sum, line) => sum + Number(line.split(',')[3]), 0)
    expect(balance).toBe(1000)

    await page.getByLabel(ledgerTexts.filter).selectOption({ label: ledgerTexts.reasons.WITHDRAWAL_HOLD })
    await page.getByText(ledgerTexts.count('12')).waitFor()
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(12)
    await page.getByLabel(ledgerTexts.filter).selectOption({ label: ledgerTexts.reasons.DEPOSIT })
    await page.getByText(ledgerTexts.emptyFiltered).waitFor()
  })
})
