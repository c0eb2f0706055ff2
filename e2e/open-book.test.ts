import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { betsTexts } from '#web/features/game/bets-texts.ts'
import { heldBetTexts } from '#web/features/game/held-bet-texts.ts'
import { receiptTexts } from '#web/features/receipt/receipt-texts.ts'
import { faultSentence, sealTexts } from '#web/features/seal/seal-texts.ts'
import { commonTexts, playMoneyTexts } from '#web/platform/texts.ts'
import { aPlayer, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
const buy = (page: Page) => page.getByRole('button', { name: /^Mua/ }).and(page.locator('[aria-disabled="false"]'))
const card = (page: Page) => page.getByRole('region', { name: heldBetTexts.card })
const sealedAt = /Đã khoá #[\d,]+/

test('a player sees the bet sealed while the round runs, and anybody reads its receipt afterwards', async () => {
  const { token } = await aPlayer(server.url)
  const { page } = await visit('/investment/game', { token })
  const round = await roundWithLeft(server.url, token, '30s', 16_000, 27_000)
  await buy(page).click()
  // The number stands behind a tap, and in the link's name.
  const sealed = card(page).getByRole('link', { name: sealedAt })
  await sealed.waitFor({ timeout: 5_000 })
  expect(await sealed.textContent()).toBe(sealTexts.locked)
  const seal = sealedAt.exec((await sealed.getAttribute('aria-label')) ?? '')?.[0] ?? ''
  // A reload does not say that it is being sealed again.
  await page.reload()
  await sealed.waitFor()
  expect(await page.getByText(sealTexts.sealing).count()).toBe(0)

  const popup = page.getByRole('dialog')
  await popup.waitFor({ timeout: 60_000 })
  await popup.getByRole('link', { name: seal }).waitFor()
  expect(await popup.getByRole('link', { name: /^Biên nhận phiên/ }).getAttribute('href')).toBe(`/vong/${round.id}`)
  await popup.getByRole('button', { name: commonTexts.close }).last().click()
  await popup.waitFor({ state: 'detached' })

  await page.goto('/account/bets')
  await page.getByRole('link', { name: new RegExp(betsTexts.audit) }).click()
  await page.getByRole('dialog').getByText(seal).waitFor()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Biên nhận phiên/ })
    .click()
  // Its owner reads first how it ended, and why.
  await page.getByRole('heading', { name: new RegExp(`^${betsTexts.yours}: (Thắng|Thua|Hoàn điểm)`) }).waitFor()
  await page.getByText(/bạn chọn Mua [\d,]+ điểm\.$/).waitFor()
  await page.getByText(receiptTexts.mine, { exact: true }).waitFor()

  // Another device, without an account.
  const { page: visitor } = await visit(`/vong/${round.id}`)
  await visitor.getByRole('heading', { name: receiptTexts.why }).waitFor()
  const line = visitor.getByRole('listitem').filter({ hasText: seal.replace(/^.*#/, '#') })
  await line.waitFor()
  expect(await visitor.getByText(receiptTexts.mine).count()).toBe(0)
  await visitor.getByText(playMoneyTexts.everywhere).waitFor()
  await visitor.getByRole('link', { name: receiptTexts.check }).click()
  await visitor.waitForURL(`**/kiem-chung?vong=${round.id}`)
})

test('a proof that does not lead to what the log signed is red, also after a reload', async () => {
  const { token } = await aPlayer(server.url)
  const { page } = await visit('/investment/game', { token })
  await roundWithLeft(server.url, token, '30s', 16_000, 27_000)
  // A proof whose place is another than its path leads to.
  await page.route('**/api/v1/history/*/proof', async (route) => {
    const answer = await route.fetch()
    const text = await answer.text()
    await route.fulfill({
      response: answer,
      body: text.replace(/^index (\d+)$/m, (_, at) => `index ${Number(at) - 1}`),
    })
  })
  await buy(page).click()
  await card(page).getByText(sealTexts.failed).click({ timeout: 8_000 })
  const sheet = page.getByRole('dialog', { name: sealTexts.failedTitle })
  await sheet.getByText(faultSentence('proof-path')).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('button', { name: sealTexts.download }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^kim-phien-niem-phong-.*\.json$/)

  // It stays red after a reload.
  await page.reload()
  await card(page).getByText(sealTexts.failed).waitFor()
  await card(page).getByText(sealTexts.failed).click()
  await sheet.getByRole('link', { name: sealTexts.sendToCare }).click()
  await page.waitForURL('**/support?case=*')
  expect(decodeURIComponent(page.url())).toContain('proof-path')
})
