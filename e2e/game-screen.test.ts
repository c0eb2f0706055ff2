import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Bet, bet as wireBet } from '#contract/game.ts'
import { adminRoundTexts } from '#web/features/admin-rounds/admin-round-texts.ts'
import { chatTexts } from '#web/features/chat/chat-texts.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { marketTexts } from '#web/features/market/market-texts.ts'
import { playMoneyTexts } from '#web/platform/texts.ts'
import { controlTexts } from '#web/ui/control-texts.ts'
import { anAdmin, aPlayer, roundWithLeft } from './support/api.ts'
import { useProduct } from './support/use-product.ts'

const { server, visit } = useProduct()
const aVoidBet: Bet = {
  id: 'bet',
  owner: { id: 'user', username: 'lan' },
  round: { id: 'round', roundNumber: 8_000, type: '30s' },
  direction: 'up',
  stakeMinor: 10_000n,
  status: 'voided',
  basis: 'PRICE',
  entryFromMs: Date.UTC(2026, 0, 5),
  entryAtMs: Date.UTC(2026, 0, 5),
  entryPrice: 4_130_902,
  exitPrice: 4_130_902,
  profitMinor: 0n,
  voidReason: 'TIE',
  closesAtMs: Date.UTC(2026, 0, 5),
  settledAtMs: Date.UTC(2026, 0, 5),
  createdAtMs: Date.UTC(2026, 0, 5),
}

const buy = (page: Page) => page.getByRole('button', { name: /^Mua/ })
const openButton = (page: Page) => buy(page).and(page.locator('[aria-disabled="false"]'))
const hasSidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

describe('for everybody', () => {
  test('a bet needs the keyboard alone, its result takes the focus and gives it to the bet form', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/account', { token })
    // The field of an own amount comes after the first picture, here while somebody is on the way to it.
    const isUnderWay = Promise.withResolvers<void>()
    await page.route('**/assets/number-input-*', (route) => isUnderWay.promise.then(() => route.continue()))
    await page.goto('/investment/game')
    await openButton(page).waitFor()
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement
        const label = element?.closest('label')?.textContent ?? element?.textContent ?? ''
        return element?.getAttribute('aria-label') ?? (label === '' ? (element?.tagName ?? '') : label)
      })
    const tabUntil = async (wanted: RegExp) => {
      const seen: string[] = []
      for (let press = 0; press < 40; press++) {
        await page.keyboard.press('Tab')
        seen.push(await focused())
        if (wanted.test(seen.at(-1) ?? '')) return
      }
      throw new Error(`Tab never came to ${String(wanted)}: ${seen.join(' | ')}`)
    }
    await page.locator('h1').focus()
    await tabUntil(/^30s/)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await tabUntil(/^10$/)
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('radio', { name: '20', exact: true }).isChecked()).toBe(true)
    isUnderWay.resolve()
    await page.getByLabel(gameTexts.ownStake).waitFor()
    expect(await focused()).toBe('20')
    await tabUntil(/^INPUT$/)
    await page.keyboard.press('Control+A')
    await page.keyboard.type('3a7')
    expect(await page.getByLabel(gameTexts.ownStake).inputValue()).toBe('37')
    await roundWithLeft(server.url, token, '30s', 8_000, 28_000)
    await page.keyboard.press('Enter')
    await page.getByText(gameTexts.directionRequired).waitFor()
    await tabUntil(/^Mua/)
    // The focused element is not covered by a bar.
    expect(
      await page.evaluate(() => {
        const box = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        return document.activeElement?.contains(top)
      }),
    ).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByText(gameTexts.betOpen).waitFor()
    const popup = page.getByRole('dialog')
    await popup.waitFor({ timeout: 40_000 })
    expect(await popup.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await popup.waitFor({ state: 'hidden' })
    // Not the button: another press on Enter would place another bet.
    await expect.poll(focused).toBe(gameTexts.betForm)
  })
})

/** The stake field's visible text, with its caret as `|`. */
const seenStake = (page: Page) =>
  page.getByLabel(gameTexts.ownStake).evaluate((input: HTMLInputElement) => {
    const at = input.selectionStart ?? -1
    return `${input.value.slice(0, at)}|${input.value.slice(at)}`
  })

test('an amount is grouped while it is written, and the caret stays between the digits it stood between', async () => {
  const { token } = await aPlayer(server.url)
  const { page } = await visit('/investment/game', { token, width: 320, height: 568 })
  await openButton(page).waitFor()
  const input = page.getByLabel(gameTexts.ownStake)
  const paste = (text: string) => page.keyboard.insertText(text)
  const press = (key: string) => page.keyboard.press(key)
  const cases: readonly [string, string, () => Promise<void>, string][] = [
    ['a digit at the end', '123|', () => press('4'), '1,234|'],
    ['a digit in the middle', '1,2|34', () => press('9'), '12,9|34'],
    ['a letter', '12|3', () => press('a'), '12|3'],
    ['a minus, which the field refuses in words', '|123', () => press('-'), '-|123'],
    ['a comma, after which decimals could come', '12|', () => press(','), '12,|'],
    ['an amount as Vietnamese write it', '|', () => paste('1.000.000'), '1,000,000|'],
    ['an amount with decimals, which the field refuses in words', '|', () => paste('1.234,5'), '1.234,5|'],
    ['an amount with decimals that are zero', '|', () => paste('1.234,00'), '1,234|'],
    ['an amount with its unit', '|', () => paste('2.500 điểm'), '2,500|'],
    ['zeros in front', '|7', () => paste('00'), '|7'],
    ['a lone zero', '|', () => press('0'), '0|'],
    ['a number beyond all numbers', '|', () => paste('9'.repeat(24)), `${'999,'.repeat(7)}999|`],
    ['Backspace on a digit', '1,234|', () => press('Backspace'), '123|'],
    ['Backspace on a separator', '12,|345', () => press('Backspace'), '1|,345'],
    ['Delete on a separator', '12|,345', () => press('Delete'), '1,2|45'],
    ['all of it gone', '1,234|', () => press('Control+A').then(() => press('Backspace')), '|'],
  ]
  for (const [what, before, act, after] of cases) {
    await input.fill(before.replace('|', ''))
    await input.evaluate((box: HTMLInputElement, at) => box.setSelectionRange(at, at), before.indexOf('|'))
    expect([what, await seenStake(page)]).toEqual([what, before])
    await act()
    expect([what, await seenStake(page)]).toEqual([what, after])
  }
  expect(await hasSidewaysScroll(page)).toBe(false)
})

describe('the layout', () => {
  test('nothing scrolls and nothing is covered from 320 × 568 up: the chart is as high as the rest leaves room', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token, width: 390, height: 844 })
    await openButton(page).waitFor()
    await page.getByText(gameTexts.recentRounds).waitFor()
    for (const [width, height, least] of [
      [320, 568, 72],
      [360, 640, 140],
      [360, 740, 200],
      [390, 844, 230],
      [600, 960, 300],
      [1280, 800, 200],
      [1920, 1080, 420],
    ] as const) {
      await page.setViewportSize({ width, height })
      const at = [width, height]
      expect([at, await hasSidewaysScroll(page)]).toEqual([at, false])
      const over = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
      expect([at, Math.max(0, over)]).toEqual([at, 0])
      const chart = (await page.locator('figure').boundingBox())?.height ?? 0
      expect([at, chart >= least, chart]).toEqual([at, true, chart])
      const end = (await page.getByRole('navigation').boundingBox())?.y ?? 0
      const last = await page.getByText(playMoneyTexts.everywhere).boundingBox()
      const left = end - (last?.y ?? 0) - (last?.height ?? 0)
      // Neither covered nor with a hole beneath.
      expect([at, left > -1 && left < 24, left]).toEqual([at, true, left])
    }
  })

  test('the chart fills its room with the newest candles, however slow the phone', async () => {
    const { token } = await aPlayer(server.url)
    for (const slower of [1, 6]) {
      const { page } = await visit('/login', { token, width: 360, height: 740 })
      await page.evaluate(() => localStorage.setItem('chart_view', '60m'))
      const devTools = await page.context().newCDPSession(page)
      await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower })
      await page.goto('/investment/game')
      // How many of twelve equal vertical strips of the candles' canvas contain green or red, which neither grid nor
      // price line has.
      const colouredStrips = () =>
        page.evaluate(() => {
          const canvas = document.querySelector<HTMLCanvasElement>('figure canvas')
          const context = canvas?.getContext('2d')
          if (canvas == null || context == null || canvas.width < 100) return 0
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
          const strips = new Set<number>()
          for (let at = 0; at < data.length; at += 4) {
            const greener = (data[at + 1] ?? 0) - (data[at] ?? 0)
            if (greener > 40 || greener < -90) strips.add(Math.floor((((at / 4) % canvas.width) / canvas.width) * 12))
          }
          return strips.size
        })
      await expect.poll(async () => [slower, await colouredStrips()] as const).toEqual([slower, 12])
    }
  })

  test('nothing is wider than the screen at 200 % zoom, signed in or not', async () => {
    const { token } = await aPlayer(server.url)
    const { page: signIn } = await visit('/register', { width: 195, height: 422 })
    await signIn.getByLabel('Mã giới thiệu').waitFor()
    expect(await hasSidewaysScroll(signIn)).toBe(false)
    const { page } = await visit('/games', { token, width: 195, height: 422 })
    await buy(page).waitFor()
    expect(await hasSidewaysScroll(page)).toBe(false)
  })

  test('nothing jumps while it loads, and from one round to the next', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/login')
    await page.evaluate((value) => localStorage.setItem('access_token', value), token)
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(globalThis, { layoutShifts: shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await roundWithLeft(server.url, token, '30s', 4_000, 8_000)
    await page.goto('/investment/game')
    await page.locator('figure canvas').first().waitFor()
    await page.waitForTimeout(9_000)
    const shifts = await page.evaluate(() => (globalThis as unknown as { layoutShifts: number[] }).layoutShifts)
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02)
  })

  test.each([
    { reducedMotion: true, longestMs: 10 },
    // What goes on and on keeps a phone drawing 60 times a second.
    { reducedMotion: false, longestMs: 1_000 },
  ])('nothing is animated for long, with reduced motion ($reducedMotion) nothing at all', async (options) => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/investment/game', { token, ...options })
    await openButton(page).waitFor()
    await page.waitForTimeout(2_000)
    const running = await page.evaluate(
      (longestMs) =>
        document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().duration) > longestMs).length,
      options.longestMs,
    )
    expect(running).toBe(0)
  })
})

describe('History', () => {
  const pageOfBets = (page: number) => {
    const start = 8_000 + (page - 1) * 10
    const rows = Array.from({ length: page === 1 ? 10 : 2 }, (_, row) => ({ ...aVoidBet, id: `bet-${start + row}` }))
    const round = (row: number) => ({ ...aVoidBet.round, roundNumber: start + row })
    const data = rows.map((bet, row) => z.encode(wireBet, { ...bet, round: round(row) }))
    const meta = { total: 12, page, limit: 10, hasMore: page === 1 }
    return { statusCode: 200, message: 'OK', data, meta }
  }

  test('goes on page by page, newest first, and shows why a stake was returned', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/login', { token })
    await page.route('**/api/v1/history/user*', (route) =>
      route.fulfill({ json: pageOfBets(Number(new URL(route.request().url()).searchParams.get('page'))) }),
    )
    await page.goto('/investment/game')
    await page.getByRole('tab', { name: 'History' }).click()
    const rows = page.getByRole('tabpanel').getByRole('listitem')
    await page.getByText(controlTexts.page('1', '2')).waitFor()
    expect(await rows.count()).toBe(10)
    expect(await rows.first().textContent()).toContain('8,000')
    const previous = page.getByRole('button', { name: controlTexts.previousPage })
    const next = page.getByRole('button', { name: controlTexts.nextPage })
    expect(await previous.isDisabled()).toBe(true)
    await next.click()
    await page.getByText(controlTexts.page('2', '2')).waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    expect(await next.isDisabled()).toBe(true)
    const text = (await rows.first().textContent()) ?? ''
    for (const part of ['8,010', gameTexts.refunded, gameTexts.voidTie, '4,130.902', '100 điểm'])
      expect(text).toContain(part)
    await previous.click()
    await page.getByText(controlTexts.page('1', '2')).waitFor()
  })
})

describe('stillness', () => {
  test('between the edges of a round React renders nothing, and only price, age, countdown and its bar change', async () => {
    const { token } = await aPlayer(server.url)
    const { page } = await visit('/login', { token })
    await page.addInitScript(() => {
      const commits: number[] = []
      Object.assign(globalThis, {
        commits,
        __REACT_DEVTOOLS_GLOBAL_HOOK__: {
          supportsFiber: true,
          inject: () => 1,
          onCommitFiberRoot: () => void commits.push(performance.now()),
          onCommitFiberUnmount: () => {},
          onPostCommitFiberRoot: () => {},
          checkDCE: () => {},
        },
      })
    })
    // Between two edges of rounds, and before the coins are fetched again, a minute after the page loaded.
    await page.evaluate((type) => localStorage.setItem('selected_game_type', type), '60s')
    await roundWithLeft(server.url, token, '60s', 27_000, 58_000)
    await page.goto('/investment/game')
    await openButton(page).waitFor()
    // What is fetched late has arrived, on a busy machine too: the fonts, and nothing was drawn for some seconds.
    await page.waitForFunction(() => document.documentElement.dataset['font'] === 'own')
    await page.waitForFunction(() => {
      const last = (globalThis as unknown as { commits: number[] }).commits.at(-1)
      return last !== undefined && performance.now() - last > 4_000
    })

    const seen = await page.evaluate(async () => {
      const { commits } = globalThis as unknown as { commits: number[] }
      const before = commits.length
      const changed = new Map<string, number>()
      const observer = new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement
          const owner = element?.closest('[role=timer], section, figure, [data-sonner-toaster]')
          const isBar = element?.matches('[aria-hidden] > [style^="transform: scaleX("]') === true
          const name = owner?.getAttribute('aria-label') ?? owner?.tagName ?? (isBar ? 'bar' : 'elsewhere')
          changed.set(name, (changed.get(name) ?? 0) + 1)
        }
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      observer.disconnect()
      return { commitsBefore: before, commits: commits.length - before, changed: Object.fromEntries(changed) }
    })
    // React rendered the screen through the hook, so the hook was in place.
    expect(seen.commitsBefore).toBeGreaterThan(3)
    expect(seen.commits).toBe(0)
    expect(seen.changed[gameTexts.countdown]).toBeGreaterThanOrEqual(9)
    expect(seen.changed[marketTexts.price]).toBeGreaterThanOrEqual(9)
    // Four steps a second.
    expect(seen.changed['bar']).toBeLessThanOrEqual(42)
    const known = new Set<string>([gameTexts.countdown, marketTexts.price, 'FIGURE', 'bar'])
    const others = Object.keys(seen.changed).filter((name) => !known.has(name))
    expect(others).toEqual([])
  })
})

describe('the first load', () => {
  test.each([
    {
      address: '/investment/game',
      early: ['user/me', 'game/current', 'user/config', 'market', 'history/user', 'game/by-type/60s'],
      drawn: openButton,
    },
    { address: '/investment', early: ['user/me', 'market'], drawn: (page: Page) => page.getByText('Bitcoin') },
    {
      address: '/support',
      early: ['user/me', 'chat/users', 'chat/conversations'],
      drawn: (page: Page) => page.getByText(chatTexts.noConversations),
    },
    {
      address: '/admin/game',
      early: ['user/me', 'overview', 'game/by-type/30s', 'game/by-type/30s'],
      drawn: (page: Page) => page.getByRole('button', { name: adminRoundTexts.remove }),
      type: '30s' as const,
    },
  ])(
    'of $address asks for its data beside its code, each once',
    async ({ address, early, drawn, type = '60s' as const }) => {
      const { token } = await aPlayer(server.url)
      const { page } = await visit('/login', {
        token: address.startsWith('/admin') ? await anAdmin(server.url) : token,
      })
      await page.evaluate((type) => localStorage.setItem('selected_game_type', type), '60s')
      const asked: string[] = []
      const answeredCode: string[] = []
      // The first page is left, so that its later calls do not count.
      await page.goto('about:blank')
      // No round of the type on screen ends, or has just begun: its edge asks for the round anew.
      await roundWithLeft(server.url, token, type, 15_000, type === '60s' ? 58_000 : 28_000)
      let isLoaded = false
      // From then on events decide what is fetched.
      page.on('websocket', () => {
        isLoaded = true
      })
      let firstAtMs = Infinity
      page.on('request', (request) => {
        const path = /\/api\/v1\/([^?]+)/.exec(request.url())?.[1]
        firstAtMs = Math.min(firstAtMs, performance.now())
        // A page that is not connected after 3 s, as on a slow machine, asks again by itself.
        if (performance.now() > firstAtMs + 2_500) isLoaded = true
        if (isLoaded || path === undefined || !early.includes(path)) return
        // The head's own calls leave before the code that would otherwise make them can have run.
        asked.push(answeredCode.length === 0 ? path : `${path}, late`)
      })
      await page.route(/\/assets\/core-/, async (route) => {
        // Simulates a slow line: the code takes a second.
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        answeredCode.push('core')
        await route.continue()
      })
      await page.goto(address)
      await drawn(page).first().waitFor()
      await page.waitForTimeout(2_000)
      expect(asked.toSorted()).toEqual(early.toSorted())
    },
  )
})
