import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { heldBetTexts } from '#web/features/game/held-bet-texts.ts'
import { homeBetsTexts } from '#web/features/game/home-bets-texts.ts'
import { landingTexts } from '#web/features/landing/landing-texts.ts'
import { playMoneyTexts } from '#web/platform/texts.ts'
import { anAdmin, anotherAdmin, aPlayer, call, roundWithLeft } from './support/api.ts'
import { connected } from './support/browser.ts'
import { useProduct } from './support/use-product.ts'
import { failures, look } from './support/look.ts'

const { server, visit } = useProduct({ isOwn: true })
const buy = (page: Page) => page.getByRole('button', { name: /^Mua/ })
const openButton = (page: Page) => buy(page).and(page.locator('[aria-disabled="false"]'))
const card = (page: Page) => page.getByRole('region', { name: heldBetTexts.card })
const choose = (page: Page, type: RoundType) => page.getByRole('radio', { name: new RegExp(`^${type}`) }).check()
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')

const placed = (token: string, type: RoundType, roundId: string) =>
  call(server.url, endpoints.placeBet, {
    token,
    body: { roundId, stakeMinor: 1_000n, direction: 'up', seenBasis: 'PRICE' },
  }).then((bet) => expect(bet.round.type).toBe(type))

/** What of these is not wholly between the top of the page and the tab bar, without any scrolling, or is covered. */
const hiddenOf = async (page: Page, wanted: Readonly<Record<string, ReturnType<Page['locator']>>>) => {
  expect(await page.evaluate(() => scrollY)).toBe(0)
  const endsAt = (await page.getByRole('navigation').boundingBox())?.y ?? 0
  const hidden: string[] = []
  for (const [name, part] of Object.entries(wanted)) {
    const box = await part.boundingBox()
    const isSeen = await part.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      return top !== null && (element.contains(top) || top.contains(element))
    })
    if (box === null || box.y < 0 || box.y + box.height > endsAt + 1 || !isSeen) hidden.push(name)
  }
  return hidden
}

describe('the bet that is held', () => {
  test('is on the first screen beneath the balance, where its result follows and nothing moves', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/', { token })
    const toGame = page.getByRole('link', { name: landingTexts.toGame })
    await page.getByText(landingTexts.lead).waitFor()
    const { y } = (await toGame.boundingBox()) ?? {}
    const { id } = await roundWithLeft(server.url, token, '30s', 8_000, 24_000)
    await placed(token, '30s', id)
    await page.getByText(homeBetsTexts.running).waitFor()
    await page.getByText(homeBetsTexts.last).waitFor()
    await page
      .getByRole('link', { name: /^1 lệnh/ })
      .or(page.getByText(gameTexts.refunded))
      .first()
      .waitFor()
    expect((await toGame.boundingBox())?.y).toBe(y)
    expect(await failures(page)).toEqual([])
    await look(page, 'home-bets', [320, 360, 390, 600, 1280])
  })

  test('has its card where the stakes were, follows the price, stands still with its result, and then the popup opens', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token })
    await roundWithLeft(server.url, token, '30s', 14_000, 27_000)
    await page.getByText(gameTexts.order('10', '30s')).waitFor()
    await openButton(page).click()
    await card(page).getByText('10 điểm · 30s').waitFor()
    expect(await page.getByLabel(gameTexts.ownStake).count()).toBe(0)
    await card(page)
      .getByText(/^Cần trên \$\d,\d{3}\.\d{3}/)
      .waitFor()
    // The card has the buttons' room, the focus is at the form, and nothing lies over the price.
    expect(await page.getByRole('button', { name: /^(Mua|Bán)/ }).count()).toBe(0)
    expect(await focused(page)).toBe(gameTexts.betForm)
    expect(await page.getByText(gameTexts.betPlaced).evaluate((note) => note.clientWidth)).toBeLessThanOrEqual(1)

    // Each second the card compares the present price with the entry, by the settlement's rule.
    const asNumber = (text: string) => Number(text.replaceAll(/\D/g, ''))
    for (let second = 0; second < 3; second++) {
      await page.waitForTimeout(1_000)
      // Read at once: the next tick changes all of it.
      const [headline, text] = await page.evaluate(
        (name) => [
          document.querySelector('section p')?.textContent ?? '',
          document.querySelector(`[aria-label="${name}"]`)?.textContent ?? '',
        ],
        heldBetTexts.card,
      )
      const entry = asNumber(/Cần trên (\$[\d,.]+\d)/.exec(text ?? '')?.[1] ?? '')
      const now = asNumber(headline ?? '')
      expect(entry).toBeGreaterThan(1_000_000)
      const outcome = now > entry ? '+0.50 điểm' : now < entry ? '−0.50 điểm' : gameTexts.refunded
      expect(text).toContain(outcome + heldBetTexts.ifEndedNow)
    }
    await page.getByText(gameTexts.betOpen).waitFor()

    // Noted in the page: on a busy machine the popup may be there before this process has seen the result.
    const standing = await card(page).evaluateHandle((held, ifEndedNow) => {
      const seenAt: { result?: number; popup?: number } = {}
      new MutationObserver((_, observer) => {
        if (!held.textContent.includes(ifEndedNow)) seenAt.result ??= performance.now()
        if (document.querySelector('[role=dialog]') === null) return
        seenAt.popup = performance.now()
        observer.disconnect()
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
      return seenAt
    }, heldBetTexts.ifEndedNow)
    const popup = page.getByRole('dialog')
    await popup.waitFor({ timeout: 45_000 })
    const { result = Number.NaN, popup: opened = Number.NaN } = await standing.jsonValue()
    expect(opened - result).toBeGreaterThan(1_300)
    expect(opened - result).toBeLessThan(5_000)
    // Not the box on screen: the popup is still rising.
    const height = () => popup.evaluate((dialog: HTMLElement) => dialog.offsetHeight)
    const atFirst = await height()
    await popup.locator('polyline').first().waitFor()
    expect(await height()).toBe(atFirst)
    const text = (await popup.textContent()) ?? ''
    expect(text).toMatch(/Giá vàng (lên|xuống) \$\d\.\d{3}, bạn chọn Mua 10 điểm\.|Giá vào bằng giá ra/)
    expect(text).toMatch(/từ \d\d:\d\d:\d\d đến \d\d:\d\d:(00|30)/)
    for (const part of [gameTexts.entryPrice, gameTexts.exitPrice]) expect(text).toContain(part)
    expect(await failures(page, { part: '[role=dialog]' })).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe(gameTexts.betForm)
    await page.getByLabel(gameTexts.ownStake).waitFor()
  })

  test('after a reload the popup has no opener, and the focus goes to the bet form all the same', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token })
    const round = await roundWithLeft(server.url, token, '30s', 4_000, 27_000)
    await placed(token, '30s', round.id)
    await page.goto('/account')
    await expect
      .poll(async () => (await call(server.url, endpoints.listOwnBets, { token, query: {} }))[0]?.status, {
        timeout: 40_000,
      })
      .not.toBe('open')
    await page.goto('/investment/game')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe(gameTexts.betForm)
  })

  test('in another type it is one line with its time left, and one tap leads to it', async () => {
    const { token } = await aPlayer(server.url)
    const round = await roundWithLeft(server.url, token, '60s', 15_000, 58_000)
    await placed(token, '60s', round.id)
    const { page } = await visit('/investment/game', { token })
    const line = page.getByRole('button', { name: heldBetTexts.runningElsewhere('60s') })
    await line.waitFor()
    expect(await line.textContent()).toMatch(/^Lệnh 60s đang chạy·còn 00:\d\d/)
    await line.click()
    await card(page).waitFor()
    expect(await page.getByRole('radio', { name: /^60s/ }).isChecked()).toBe(true)
    await card(page).getByRole('link', { name: heldBetTexts.reviewThis }).click()
    await page.waitForURL(/\/account\/bets\?bet=/)
  })

  test('a result that staff set after the bet does not decide it, and the screen says so', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token })
    await choose(page, '90s')
    await connected(page)
    const round = await roundWithLeft(server.url, token, '90s', 20_000, 88_000)
    await openButton(page).click()
    await card(page).waitFor()
    const admin = await anAdmin(server.url)
    await call(server.url, endpoints.setResult, { token: admin, params: { id: round.id }, body: { result: 'down' } })
    await page.getByText(gameTexts.roundSetByStaff).waitFor({ timeout: 5_000 })
    await page.getByText(gameTexts.yoursByPrice).waitFor()
    expect(await page.getByText(gameTexts.decidedBy).count()).toBe(0)
    expect(await card(page).textContent()).toContain(heldBetTexts.decidedByPrice)
  })
})

/** The names of everything in the first view that takes a press or a key. */
const controlsOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
      .filter((control) => {
        const { top, bottom, left, width } = (control.closest('label') ?? control).getBoundingClientRect()
        return width > 1 && bottom > 0 && top < innerHeight && left < innerWidth && control.checkVisibility()
      })
      .map((control) => {
        const [label] = (control instanceof HTMLInputElement && control.labels) || []
        return control.getAttribute('aria-label') ?? (label ?? control).textContent.trim()
      }),
  )

describe('what a press would send is in the first view', () => {
  test.each([
    [360, 640],
    [390, 664],
    [390, 844],
  ] as const)('at %i × %i, free and while a bet is held', async (width, height) => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game?from=Bitcoin', { token, width, height })
    const round = await roundWithLeft(server.url, token, '30s', 14_000, 27_000)
    await openButton(page).waitFor()
    const always = {
      clock: page.getByRole('timer'),
      playMoney: page.getByText(playMoneyTexts.everywhere),
      goldOnly: page.getByText(gameTexts.goldOnly, { exact: true }),
    }
    const free = {
      ...always,
      buy: buy(page),
      sell: page.getByRole('button', { name: /^Bán/ }),
      stake: page.getByLabel(gameTexts.ownStake),
      preset: page.getByRole('radio', { name: '10,000' }).locator('..'),
      order: page.getByText(gameTexts.order('10', '30s')),
      balance: page.getByText('1,000.00', { exact: true }),
    }
    expect(await hiddenOf(page, free)).toEqual([])
    await page.locator('figure canvas').first().waitFor()
    const whileFree = await controlsOf(page)
    // 4 types, 8 stakes and an own one, 2 sides, 2 tabs, 4 of the tab bar, and of the screen 5: all that rules and
    // spec name. Whatever joins them goes behind "⋯".
    expect([whileFree.length, whileFree]).toEqual([26, whileFree])
    const before = await page.locator('figure').boundingBox()
    // High enough to be read, and nothing is scrolled for it.
    expect(before?.height).toBeGreaterThanOrEqual(150)
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0)
    await placed(token, '30s', round.id)
    await card(page)
      .getByText(/^Cần trên/)
      .waitFor()
    expect(await hiddenOf(page, { ...always, card: card(page), reason: page.getByText(gameTexts.betOpen) })).toEqual([])
    await card(page)
      .getByRole('link', { name: / trong sổ mở/ })
      .waitFor()
    const whileHeld = await controlsOf(page)
    expect([whileHeld.length, whileHeld]).toEqual([17, whileHeld])
    // Placing a bet moves nothing above the chart, which gains what the buttons leave.
    const after = await page.locator('figure').boundingBox()
    expect(after?.y).toBe(before?.y)
    expect(after?.height).toBeGreaterThan((before?.height ?? 0) + 40)
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0)
  })

  test('at 320 px and with text at 200 % nothing overflows and no bar covers the rest', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token, width: 320, height: 640 })
    await openButton(page).waitFor()
    for (const size of ['100%', '200%']) {
      await page.evaluate((fontSize) => document.documentElement.style.setProperty('font-size', fontSize), size)
      await page.waitForTimeout(300)
      // Of every element without others in it: what leaves the screen, or is wider than its box.
      const wider = await page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter((element) => element.childElementCount === 0 && element.closest('[role=region], figure') === null)
          .filter((element) => {
            const { left, right, width } = element.getBoundingClientRect()
            if (width <= 1) return false
            return (
              left < 0 || right > innerWidth + 0.5 || element.scrollWidth > Math.max(element.clientWidth, width) + 1
            )
          })
          .map((element) => `${element.tagName} ${element.textContent ?? ''}`.slice(0, 60)),
      )
      expect([size, wider]).toEqual([size, []])
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      expect([size, sideways]).toEqual([size, false])
    }
    // Twice as large the bar would cover the screen, so it does not stick.
    const heading = page.getByRole('heading', { level: 1 })
    expect(await hiddenOf(page, { heading, price: page.getByText(/^\$\d,\d{3}\.\d{3}$/).first() })).toEqual([])
  })

  test('a balance of millions keeps the tabs on one line at 320 px', async () => {
    const { id, token } = await aPlayer(server.url)
    const admin = await anAdmin(server.url)
    const { token: second } = await anotherAdmin(server.url, admin)
    await server.ageAdmins()
    const { page } = await visit('/investment/game', { token, width: 320, height: 640 })
    const top = async () => (await page.getByRole('tablist').boundingBox())?.y
    await page.getByText('1,000.00', { exact: true }).waitFor()
    const before = await top()
    for (const [balanceMinor, text] of [
      [1_234_567_89n, '1,234,567.89'],
      [999_999_999_999_99n, '999,999,999,999.99'],
    ] as const) {
      const changed = await call(server.url, endpoints.updateUser, {
        token: admin,
        params: { id },
        body: { balanceMinor },
      })
      // So much needs a second person.
      if (changed.proposalId !== undefined)
        await call(server.url, endpoints.confirmProposal, { token: second, params: { id: changed.proposalId } })
      await page.reload()
      const amount = page.getByText(text, { exact: true })
      await amount.waitFor()
      expect(await top()).toBeCloseTo(before ?? 0, 0)
      const box = await amount.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320 - 16)
    }
  })
})

describe('on a keyboard', () => {
  test('a bet takes four keys from the top by the skip link, and three by the shortcuts', async () => {
    const byLink = await aPlayer(server.url)
    const byKeys = await aPlayer(server.url)
    for (const [{ token }, keys] of [
      [byLink, ['Tab', 'Tab', 'Enter', 'Enter']],
      [byKeys, ['3', 'b', 'Enter']],
    ] as const) {
      const { page } = await visit('/investment/game', { token })
      await openButton(page).waitFor()
      // The shortcuts are fetched after the screen is drawn; a key that was pressed before does nothing.
      const focusedByKey = async () => {
        await page.keyboard.press('m')
        return focused(page)
      }
      await expect.poll(focusedByKey).toMatch(/^Mua/)
      await roundWithLeft(server.url, token, '30s', 6_000, 27_000)
      await page.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        document.body.tabIndex = -1
        document.body.focus()
        document.body.removeAttribute('tabindex')
      })
      for (const key of keys) await page.keyboard.press(key)
      await page.getByText(gameTexts.betPlaced).waitFor()
      const [bet] = await call(server.url, endpoints.listOwnBets, { token, query: {} })
      const expected =
        keys.length === 3 ? { stakeMinor: 5_000n, direction: 'down' } : { stakeMinor: 1_000n, direction: 'up' }
      expect(bet).toMatchObject(expected)
    }
  })
})
