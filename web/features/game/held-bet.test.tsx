import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetPrices, recordTick } from '#web/platform/live-prices.ts'
import { draw } from '#web/testing/render.tsx'
import type { GameBet } from './api.ts'
import { gameTexts } from './game-texts.ts'
import { HeldBetCard, HeldElsewhere } from './held-bet.tsx'
import { heldBetTexts } from './held-bet-texts.ts'
import { aBet, aWonBet } from './testing.ts'

const source = 'simulated'
const entryPrice = 4_131_902

/** A bet of a 30 s round that has been running for ten seconds by this machine's clock. */
function running(changes: Partial<GameBet> = {}): GameBet {
  const opensAtMs = Math.floor(Date.now() / 1000) * 1000 - 10_000
  const entryAtMs = opensAtMs + 6_000
  const times = { entryFromMs: entryAtMs, closesAtMs: opensAtMs + 30_000, createdAtMs: opensAtMs + 5_200 }
  return aBet({ ...times, entryAtMs, entryPrice, ...changes })
}

const tick = (price: number, atMs = Date.now()) =>
  act(() =>
    recordTick({
      source,
      sourceLabel: '',
      second: Math.floor(atMs / 1000),
      price,
      quoteAtMs: atMs,
      serverTimeMs: Date.now(),
    }),
  )

const card = () => screen.getByRole('region', { name: heldBetTexts.card })
const text = () => card().textContent

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  forgetPrices()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a bet that the price decides', () => {
  test('shows side, stake, entry, present price, difference and what the round would bring now', async () => {
    tick(entryPrice + 212)
    await draw(<HeldBetCard bet={running()} source={source} />)
    for (const part of ['Mua', '100 điểm · 30s', '$4,131.902', '$4,132.114', '▲ $0.212', '+5.00'])
      expect(text()).toContain(part)
    expect(text()).toContain(heldBetTexts.decidedByPrice)
    expect(text()).toMatch(/Còn 00:(19|20)/)
    const link = within(card()).getByRole('link', { name: heldBetTexts.reviewThis })
    expect(link.getAttribute('href')).toBe('/account/bets?bet=bet-1')
  })

  test('follows each tick without a render, to a loss and to a tie', async () => {
    tick(entryPrice + 212)
    await draw(<HeldBetCard bet={running()} source={source} />)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    tick(entryPrice - 50)
    for (const part of ['▼ $0.050', '−5.00']) expect(text()).toContain(part)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    tick(entryPrice)
    expect(text()).toContain(`${heldBetTexts.ifEndedNow}${gameTexts.refunded}`)
  })

  test('before the entry it waits for the next price and computes nothing', async () => {
    tick(entryPrice)
    await draw(<HeldBetCard bet={running({ entryAtMs: null, entryPrice: null })} source={source} />)
    expect(text()).toContain(`${gameTexts.entryPrice}${heldBetTexts.nextPrice}`)
    expect(text()).toContain(`${heldBetTexts.ifEndedNow}–`)
    expect(text()).not.toMatch(/[+−]5\.00/)
  })

  test('with a price older than 5 s it computes nothing', async () => {
    tick(entryPrice + 212)
    await draw(<HeldBetCard bet={running()} source={source} />)
    expect(text()).toContain('+5.00')
    await act(() => vi.advanceTimersByTimeAsync(7_000))
    expect(text()).toContain(`${heldBetTexts.ifEndedNow}–`)
  })

  test('no price after the round’s end counts', async () => {
    const bet = running()
    tick(entryPrice + 212, bet.closesAtMs)
    await draw(<HeldBetCard bet={bet} source={source} />)
    await act(() => vi.advanceTimersByTimeAsync(21_500))
    tick(entryPrice - 900, bet.closesAtMs + 1_000)
    expect(text()).toContain('▲ $0.212')
    expect(text()).toContain(heldBetTexts.settling)
  })

  test('settled it stands still with exit, difference and result', async () => {
    await draw(<HeldBetCard bet={aWonBet()} source={source} />)
    for (const part of [
      gameTexts.exitPrice,
      '$4,131.000',
      '▲ $0.098',
      gameTexts.statusWon,
      '+5.00',
      heldBetTexts.ended,
    ])
      expect(text()).toContain(part)
    tick(4_999_000)
    expect(text()).not.toContain('$4,999.000')
  })

  test('voided it says why', async () => {
    const bet = running({ status: 'voided', voidReason: 'ROUND_DELETED', profitMinor: 0n })
    await draw(<HeldBetCard bet={bet} source={source} />)
    for (const part of [gameTexts.refunded, gameTexts.voidRoundDeleted]) expect(text()).toContain(part)
  })
})

describe.each([
  ['ADMIN', heldBetTexts.decidedByStaff],
  ['SCRIPTED', heldBetTexts.decidedByScript],
] as const)('a bet whose basis is %s', (basis, sentence) => {
  test('says who decides, and nothing of prices or of an ending now', async () => {
    tick(entryPrice + 212)
    await draw(<HeldBetCard bet={running({ basis })} source={source} />)
    expect(text()).toContain(sentence)
    for (const part of ['$', '▲ $', heldBetTexts.ifEndedNow, gameTexts.entryPrice, gameTexts.difference])
      expect(text()).not.toContain(part)
  })
})

test('in another type it is one line that leads to its own type', async () => {
  const chosen: string[] = []
  const bet = running({ round: { id: 'round-1', roundNumber: 1, type: '60s' } })
  const { user } = await draw(<HeldElsewhere bet={bet} onType={(type) => chosen.push(type)} />)
  const line = screen.getByRole('button')
  expect(line.textContent).toMatch(/^Lệnh 60s đang chạy·còn 00:(19|20)/)
  await user.click(line)
  expect(chosen).toEqual(['60s'])
})
