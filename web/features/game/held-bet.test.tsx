import { act, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetPrices, recordTick } from '#web/platform/live-prices.ts'
import { draw } from '#web/testing/render.tsx'
import type { GameBet } from './api.ts'
import { betFormId } from './bet-form-id.ts'
import { gameTexts } from './game-texts.ts'
import { HeldBetCard, HeldElsewhere } from './stake-zone.tsx'
import { heldBetTexts } from './held-bet-texts.ts'
import { aBet, aWonBet } from '#web/testing/game.ts'

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
  /** Its first marked figure; the other one is its label. */
  const outcome = () => card().querySelector('[data-way]')?.textContent

  test('says side and stake, what it would bring now, and what must happen: no price of now, no clock', async () => {
    tick(entryPrice + 212)
    await draw(<HeldBetCard bet={running()} source={source} />)
    expect(outcome()).toBe('+5.00 điểm')
    for (const part of [
      'Mua',
      '100 điểm · 30s',
      heldBetTexts.ifEndedNow,
      'Cần trên $4,131.902',
      heldBetTexts.decidedByPrice,
    ])
      expect(text()).toContain(part)
    expect(text()?.match(/\$/g)).toHaveLength(1)
    expect(text()).not.toMatch(/\d\d:\d\d/)
    const link = within(card()).getByRole('link', { name: heldBetTexts.reviewThis })
    expect(link.getAttribute('href')).toBe('/account/bets?bet=bet-1')
  })

  test('on a fall the price must come to be lower', async () => {
    tick(entryPrice + 212)
    await draw(<HeldBetCard bet={running({ direction: 'down' })} source={source} />)
    expect(text()).toContain('Cần dưới $4,131.902')
    expect(outcome()).toBe('−5.00 điểm')
  })

  test('follows each tick without a render, to a loss and to a tie', async () => {
    tick(entryPrice + 212)
    await draw(<HeldBetCard bet={running()} source={source} />)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    tick(entryPrice - 50)
    expect(outcome()).toBe('−5.00 điểm')
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    tick(entryPrice)
    expect(outcome()).toBe(gameTexts.refunded)
  })

  test('before the entry it waits for the next price and computes nothing', async () => {
    tick(entryPrice)
    await draw(<HeldBetCard bet={running({ entryAtMs: null, entryPrice: null })} source={source} />)
    expect(text()).toContain(heldBetTexts.entryIsNext)
    expect(outcome()).toBe('–')
  })

  test('with a price older than 5 s it computes nothing', async () => {
    tick(entryPrice + 212)
    await draw(<HeldBetCard bet={running()} source={source} />)
    expect(outcome()).toBe('+5.00 điểm')
    await act(() => vi.advanceTimersByTimeAsync(7_000))
    expect(outcome()).toBe('–')
  })

  test('no price after the round’s end counts', async () => {
    const bet = running()
    tick(entryPrice + 212, bet.closesAtMs)
    await draw(<HeldBetCard bet={bet} source={source} />)
    await act(() => vi.advanceTimersByTimeAsync(21_500))
    tick(entryPrice - 900, bet.closesAtMs + 1_000)
    expect(outcome()).toBe('+5.00 điểm')
    expect(text()).toContain(heldBetTexts.settling)
  })

  test('settled it stands still with the result', async () => {
    await draw(<HeldBetCard bet={aWonBet()} source={source} />)
    expect(text()).toContain(gameTexts.statusWon)
    expect(outcome()).toBe('+5.00 điểm')
    tick(4_000_000)
    expect(outcome()).toBe('+5.00 điểm')
  })

  test('voided it says why', async () => {
    const bet = running({ status: 'voided', voidReason: 'ROUND_DELETED', profitMinor: 0n })
    await draw(<HeldBetCard bet={bet} source={source} />)
    for (const part of [gameTexts.refunded, gameTexts.voidRoundDeleted]) expect(text()).toContain(part)
    expect(outcome()).toBe('–')
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
    for (const part of ['$', heldBetTexts.ifEndedNow, heldBetTexts.entryIsNext]) expect(text()).not.toContain(part)
  })
})

function InForm({ bet }: { readonly bet: GameBet }) {
  const [type, setType] = useState('30s')
  return (
    <div id={betFormId} tabIndex={-1}>
      {bet.round.type === type ? (
        <HeldBetCard bet={bet} source={source} />
      ) : (
        <HeldElsewhere bet={bet} onType={setType} />
      )}
    </div>
  )
}

test('in another type it is one line that leads to its own type, and to the form that has the card', async () => {
  const bet = running({ round: { id: 'round-1', roundNumber: 1, type: '60s' } })
  const { user } = await draw(<InForm bet={bet} />)
  const line = screen.getByRole('button')
  expect(line.textContent).toMatch(/^Lệnh 60s đang chạy·còn 00:(19|20)/)
  await user.click(line)
  screen.getByRole('region', { name: heldBetTexts.card })
  expect(document.activeElement?.id).toBe(betFormId)
})
