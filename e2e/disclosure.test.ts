import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { heldBetTexts } from '#web/features/game/held-bet-texts.ts'
import { anAdmin, aPlayer, call, roundWithLeft } from './support/api.ts'
import { connected } from './support/browser.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct({ isOwn: true })
let admin: string
beforeAll(async () => {
  admin = await anAdmin(server.url)
})

const announce = (roundId: string) =>
  call(server.url, endpoints.setResult, { token: admin, params: { id: roundId }, body: { result: 'down' } })

describe('what decides a bet is said before and after (rules §1.2)', () => {
  test('a result that staff set: the banner at once, and the basis beside the buttons, in the popup and in History', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token })
    await connected(page)
    const round = await roundWithLeft(server.url, token, '30s', 16_000, 28_000)
    expect(await page.getByText(gameTexts.roundSetByStaff).count()).toBe(0)

    await announce(round.id)
    await page.getByText(gameTexts.roundSetByStaff).waitFor({ timeout: 2_000 })
    await page.getByText(`${gameTexts.decidedBy} ${gameTexts.basisAdmin}`).waitFor()
    await page.getByRole('button', { name: /^Bán/ }).click()
    await page.getByText(gameTexts.betOpen).waitFor()
    const card = page.getByRole('region', { name: heldBetTexts.card })
    await card.getByText(heldBetTexts.decidedByStaff).waitFor()
    expect(await card.textContent()).not.toMatch(/\$|nếu hết giờ/)
    expect(await page.getByText(gameTexts.yoursByPrice).count()).toBe(0)

    const popup = page.getByRole('dialog')
    await popup.waitFor({ timeout: 40_000 })
    const text = (await popup.textContent()) ?? ''
    expect(text).toContain('Thắng')
    expect(text).toContain('+0.50')
    expect(text).toContain(gameTexts.basisAdmin)
    expect(text).not.toContain(gameTexts.entryPrice)
    // The next round is decided by its price alone.
    await page.getByText(gameTexts.roundSetByStaff).waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'History' }).click()
    expect(await page.getByRole('listitem').filter({ hasText: 'Thắng' }).textContent()).toContain(gameTexts.basisAdmin)
  })

  test('a bet on what was not shown is refused, the banner comes, and only then can it be sent', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token })
    await page.getByRole('radio', { name: /^120s/ }).check()
    const round = await roundWithLeft(server.url, token, '120s', 25_000, 118_000)
    await page.getByRole('button', { name: /^Mua/ }).waitFor()

    // This page does not learn of the announcement until it bets.
    let isDeaf = true
    await page.route('**/api/v1/game/current*', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { resultSource?: string; announcement?: unknown } | null }
      if (isDeaf && body.data !== null) Object.assign(body.data, { resultSource: 'PRICE', announcement: null })
      await route.fulfill({ response: answer, json: body })
    })
    await announce(round.id)

    const sent: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/api/v1/history')) return
      sent.push(request.headers()['idempotency-key'])
      isDeaf = false
    })
    expect(await page.getByText(gameTexts.roundSetByStaff).count()).toBe(0)
    await page.getByRole('button', { name: /^Bán/ }).click()
    await page.getByText(/^Cách quyết định kết quả phiên này vừa thay đổi/).waitFor()
    await page.getByText(gameTexts.roundSetByStaff).waitFor()
    expect(await call(server.url, endpoints.listOwnBets, { token, query: {} })).toEqual([])

    await page.getByRole('button', { name: /^Bán/ }).click()
    await page.getByText(gameTexts.betPlaced).waitFor()
    const [bet] = await call(server.url, endpoints.listOwnBets, { token, query: {} })
    expect(bet).toMatchObject({ basis: 'ADMIN', direction: 'down' })
    // A new decision of the player gets a new key.
    expect(sent).toHaveLength(2)
    expect(new Set(sent).size).toBe(2)
    // A call that the page makes at its end has nobody left to answer it.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('a demonstration account reads so, and with a set result beside it both, the deciding one by the buttons', async () => {
    const { id, token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token })
    await page.getByRole('radio', { name: /^120s/ }).check()
    await connected(page)
    await call(server.url, endpoints.updateUser, { token: admin, params: { id }, body: { scriptedOutcome: 'lose' } })
    await page.getByText(gameTexts.scriptedLose).waitFor({ timeout: 3_000 })
    const round = await roundWithLeft(server.url, token, '120s', 14_000, 118_000)
    await announce(round.id).catch(() => {
      // The journey before this one may have set it already.
    })
    await page.getByText(gameTexts.roundSetByStaff).waitFor({ timeout: 6_000 })
    expect(await page.getByText(gameTexts.scriptedLose).count()).toBe(1)
    await page.getByText(`${gameTexts.decidedBy} ${gameTexts.basisScripted}`).waitFor()
    await page.getByRole('button', { name: /^Mua/ }).click()
    await page.getByText(gameTexts.betPlaced).waitFor()
    const [bet] = await call(server.url, endpoints.listOwnBets, { token, query: {} })
    expect(bet).toMatchObject({ basis: 'SCRIPTED' })
  })

  test('a round that staff delete says so, the stake is returned, and the popup shows why', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token })
    await page.getByRole('radio', { name: /^90s/ }).check()
    await connected(page)
    const round = await roundWithLeft(server.url, token, '90s', 20_000, 88_000)
    await page.getByRole('button', { name: /^Mua/ }).click()
    await page.getByText(gameTexts.betOpen).waitFor()
    await call(server.url, endpoints.deleteRound, { token: admin, params: { id: round.id } })

    const popup = page.getByRole('dialog')
    await popup.waitFor({ timeout: 5_000 })
    const text = (await popup.textContent()) ?? ''
    for (const part of [gameTexts.refunded, '10.00', gameTexts.voidRoundDeleted]) expect(text).toContain(part)
    await page.keyboard.press('Escape')
    await page.getByText(gameTexts.roundDeleted).first().waitFor()
    await page.getByText('1,000.00', { exact: true }).waitFor()

    await call(server.url, endpoints.forceCreateRound, { token: admin, params: { type: '90s' } })
    await page.getByText(gameTexts.roundDeleted).first().waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /^Mua/ }).and(page.locator('[aria-disabled="false"]')).waitFor()
  })
})
