import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { marketTexts } from '#web/features/market/market-texts.ts'
import { commonTexts, playMoneyTexts } from '#web/platform/texts.ts'
import { translatePage } from '#web/testing/translate-page.ts'
import { aPlayer, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
/** Whether a figure stands as the page wrote it, without anything of a translator in it. */
const isKept = (figure: Locator) =>
  figure.evaluate((element) => element.closest('[translate=no]') !== null && !element.innerHTML.includes('<font'))

test('a page that is being translated lives through a whole bet, and so does every screen of a player', async () => {
  const player = await aPlayer(server.url)
  const { page, context } = await visit('/account', { token: player.token })
  await context.addInitScript(`addEventListener('DOMContentLoaded', ${translatePage.toString()})`)

  await page.goto('/investment/game')
  await page.getByText(playMoneyTexts.everywhere).waitFor()
  const price = page.getByRole('region', { name: marketTexts.price }).getByText(/^\$\d,\d{3}\.\d{3}$/)
  await price.waitFor()
  expect(await page.locator('font').count()).toBeGreaterThan(10)
  for (const figure of [page.getByRole('timer').first(), price]) expect(await isKept(figure)).toBe(true)

  const round = await roundWithLeft(server.url, player.token, '30s', 12_000, 28_000)
  await page.getByRole('button', { name: /^Mua/ }).click()
  await page.getByText(gameTexts.betOpen).waitFor()
  // Sealing, then sealed at its place, in the bet's card.
  await page.getByRole('link', { name: /Đã khoá #/ }).waitFor()
  const popup = page.getByRole('dialog')
  await popup.waitFor({ timeout: 60_000 })
  await popup.getByRole('button', { name: commonTexts.close }).last().click()
  await popup.waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: gameTexts.historyTab }).click()
  await page.getByRole('listitem').first().waitFor()
  // The next round begins and ends on the same page.
  await page.getByRole('tab', { name: gameTexts.investTab }).click()
  await roundWithLeft(server.url, player.token, '30s', 25_000, 30_000, ({ id }) => id !== round.id)
  await page.getByRole('button', { name: /^Bán/, disabled: false }).waitFor()

  for (const path of [
    ...['/', '/transaction', '/investment', '/bank', '/account', '/account/ledger', '/account/bets', '/support'],
    ...['/account/statistics', '/account/limits', '/account/settings', '/account/notifications', '/change-password'],
    ...['/tro-giup', '/so-mo', '/kiem-chung', `/vong/${round.id}`, '/games'],
  ]) {
    await page.goto(path)
    await page.locator('main h1').waitFor({ state: 'attached' })
    // What is fetched later has come, and been translated.
    await page.waitForTimeout(1_000)
    expect([path, await page.getByText(commonTexts.screenFailed).count()]).toEqual([path, 0])
    expect([path, (await page.locator('font').count()) > 0]).toEqual([path, true])
  }
}, 180_000)
