// Alone: in a context of its own parts that are loaded later come outside of act.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { gameEndpoints } from '#contract/game.ts'
import { identityEndpoints, type Me } from '#contract/identity.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { areShortcutsOn, readShownBetIds, writeRulesRead } from '#web/platform/storage.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { type GameBet, recentRoundsQuery } from './api.ts'
import { GameDialogs } from './game-dialogs.tsx'
import { gameTexts } from './game-texts.ts'
import { heldBetTexts } from './held-bet-texts.ts'
import { InvestTab } from './invest-tab.tsx'
import { shortcutTexts } from './shortcut-texts.ts'
import { aBet, aPlayer, aRound, aWonBet } from '#web/testing/game.ts'
import { useBetting } from './use-betting.ts'
import { useGame } from './use-game.ts'
import { useResultPopup } from './use-result-popup.ts'

vi.mock(import('#web/platform/socket.ts'), () => ({
  connectionState: () => 'connected',
  onConnectionChanged: () => () => {},
  stayJoined: () => () => {},
  reconnectNow: () => {},
  onServerEvent: () => () => {},
}))

const me = { id: 'user-1', username: 'lan', role: 'player' } as Me
const roundId = uuid(1)

function Bar() {
  const [type, setType] = useState<RoundType>('30s')
  const game = useGame(type)
  const betting = useBetting(game, me, () => {})
  const popup = useResultPopup(game.latestBets?.bets, type, game.held.isStanding)
  return (
    <main>
      <h1 tabIndex={-1}>game</h1>
      <InvestTab type={type} onType={setType} game={game} betting={betting} seal={() => null} />
      <GameDialogs game={game} betting={betting} popup={popup} seal={() => null} />
    </main>
  )
}

/** Draws the bet bar on a round that opened 5 s ago, with these own bets on the server. */
async function open(bets: GameBet[]) {
  const nowMs = Date.now()
  const times = { opensAtMs: nowMs - 5_000, locksAtMs: nowMs + 24_000, closesAtMs: nowMs + 25_000 }
  const { goldReopensAtMs, ...round } = aRound({ id: roundId, ...times })
  const feed = { source: 'simulated', label: '', lastPrice: null, lastQuoteAtMs: null, closedReason: null }
  const server = fakeServer()
  server.on(gameEndpoints.listOwnBets, () => onePage(bets.map((bet) => ({ ...bet, serverTimeMs: nowMs }))))
  server.on(gameEndpoints.listRoundsByType, () => onePage([]))
  server.on(gameEndpoints.currentRound, ({ query }) => ({
    ...round,
    type: query.type,
    id: query.type === '30s' ? roundId : uuid(2),
    countdown: { closesAtMs: round.closesAtMs },
    feed: { ...feed, goldReopensAtMs },
    serverTimeMs: nowMs,
  }))
  server.on(identityEndpoints.config, () => ({ ...aPlayer({ balanceMinor: 10_000_000n }), serverTimeMs: nowMs }))
  const ticks = server.on(gameEndpoints.listBetTicks, () => {
    const first = Math.floor(times.opensAtMs / 1000)
    const prices = [4_130_902, 4_130_950, 4_131_000]
    return {
      source: 'simulated',
      label: 'Giá mô phỏng',
      acceptedAtMs: times.opensAtMs,
      ticks: prices.map((price, at) => ({ second: first + at, price, quoteAtMs: (first + at) * 1000 })),
    }
  })
  const sent = server.on(gameEndpoints.placeBet, ({ body }) => {
    const bet = aBet({
      id: uuid(9),
      round: { id: roundId, roundNumber: 1, type: '30s' },
      stakeMinor: body.stakeMinor,
      direction: body.direction,
      createdAtMs: nowMs,
      entryFromMs: nowMs + 1_000,
      closesAtMs: round.closesAtMs,
    })
    bets.unshift(bet)
    return { ...bet, serverTimeMs: nowMs }
  })
  const drawn = await draw(
    <QueryClientProvider client={queryClient}>
      <Bar />
    </QueryClientProvider>,
  )
  const buy = await screen.findByRole('button', { name: /^Mua/ })
  const settled = () => queryClient.invalidateQueries({ queryKey: ['own-bets'] })
  return { ...drawn, server, buy, bets, sent, ticks, settled, closesAtMs: round.closesAtMs }
}

const isOpen = (button: HTMLElement) => waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'))
const before = () => aWonBet({ id: 'bet-0', settledAtMs: 0 })

beforeEach(() => {
  // This DOM has the property without the locks.
  const locks = { request: (_: string, __: object, callback: (lock: object) => unknown) => callback({}) }
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  queryClient.clear()
  writeRulesRead()
})

describe('the bet bar', () => {
  test('says the stake and the type that a press would send', async () => {
    const { user, buy, sent } = await open([before()])
    await isOpen(buy)
    const line = document.getElementById(buy.getAttribute('aria-describedby') ?? '')
    expect(line?.textContent).toBe(gameTexts.order('10', '30s'))
    await user.click(screen.getByRole('radio', { name: '1,000' }))
    expect(line?.textContent).toBe(gameTexts.order('1,000', '30s'))
    await user.clear(await screen.findByLabelText(gameTexts.ownStake))
    expect(line?.textContent).toBe(gameTexts.stakeInvalid)
    await user.type(screen.getByLabelText(gameTexts.ownStake), '25')
    await user.click(buy)
    await screen.findByText(gameTexts.betOpen)
    expect(sent()[0]?.body.stakeMinor).toBe(2_500n)
  })

  test('“Đặt lại” fills in the last bet’s type, stake and side, and sends and focuses nothing', async () => {
    const last = { ...before(), round: { id: uuid(3), roundNumber: 5, type: '60s' as const }, stakeMinor: 5_000n }
    const { user, buy, sent } = await open([last])
    await isOpen(buy)
    const repeat = await screen.findByRole('button', { name: gameTexts.repeatWhat('Mua', '50', '60s') })
    expect(document.activeElement).toBe(document.body)
    await user.click(repeat)
    await isOpen(buy)
    expect(screen.getByRole('radio', { name: /^60s/ })).toHaveProperty('checked', true)
    expect(screen.getByRole('radio', { name: '50' })).toHaveProperty('checked', true)
    await screen.findByText(`${gameTexts.order('50', '60s')} · ${gameTexts.lastSide('Mua ▲')}`)
    expect(document.activeElement).toBe(repeat)
    expect(sent()).toEqual([])
  })
})

test('“Phiên trước” shows no round of another type while those of the chosen one are asked for', async () => {
  const { user, server } = await open([before()])
  const answer = Promise.withResolvers<void>()
  server.on(gameEndpoints.listRoundsByType, async ({ params }) => {
    if (params.type !== '30s') await answer.promise
    return onePage([aRound({ id: uuid(4), status: 'ended' })])
  })
  const marks = () => screen.queryAllByTitle(/^Phiên/)
  await act(() => queryClient.invalidateQueries({ queryKey: recentRoundsQuery('30s').queryKey }))
  await waitFor(() => expect(marks()).toHaveLength(1))
  await user.click(screen.getByRole('radio', { name: /^60s/ }))
  expect(marks()).toEqual([])
  await act(async () => answer.resolve())
  await waitFor(() => expect(marks()).toHaveLength(1))
})

test('“Phiên trước” tells a tie from a round that lacked a price at one of its ends', async () => {
  const { server } = await open([before()])
  const ended = { ...aRound({ status: 'ended' }), openPrice: 4_132_114 }
  server.on(gameEndpoints.listRoundsByType, () =>
    onePage([
      { ...ended, id: uuid(4), closePrice: 4_132_114 },
      { ...ended, id: uuid(5), closePrice: null },
      { ...ended, id: uuid(6), openPrice: null, closePrice: 4_132_114 },
    ]),
  )
  await act(() => queryClient.invalidateQueries({ queryKey: recentRoundsQuery('30s').queryKey }))
  await waitFor(() => expect(screen.queryAllByTitle(/^Phiên/)).toHaveLength(3))
  expect(screen.getAllByTitle(/^Phiên/).map(({ title }) => title.split(' · ')[1])).toEqual([
    gameTexts.recentTie,
    gameTexts.recentUnpriced,
    gameTexts.recentUnpriced,
  ])
})

describe('on a keyboard', () => {
  test('a bet takes three keys: a stake, a side, Enter', async () => {
    const { user, buy, sent } = await open([before()])
    await isOpen(buy)
    await screen.findByRole('button', { name: gameTexts.repeatWhat('Mua', '100', '30s') })
    await waitFor(async () => {
      await user.keyboard('3')
      expect(screen.getByRole('radio', { name: '50' })).toHaveProperty('checked', true)
    })
    await user.keyboard('b')
    expect(sent()).toEqual([])
    await user.keyboard('{Enter}')
    await screen.findByText(gameTexts.betOpen)
    expect(sent().map(({ body }) => body)).toMatchObject([{ stakeMinor: 5_000n, direction: 'down' }])
  })

  test('in a field, with a modifier and in a dialog the keys do nothing; switched off they stay so', async () => {
    const { user, buy } = await open([before()])
    await isOpen(buy)
    await waitFor(async () => {
      await user.keyboard('2')
      expect(screen.getByRole('radio', { name: '20' })).toHaveProperty('checked', true)
    })
    const own = await screen.findByLabelText(gameTexts.ownStake)
    await user.click(own)
    await user.keyboard('m')
    expect(document.activeElement).toBe(own)
    act(() => own.blur())
    await user.keyboard('{Control>}m{/Control}')
    expect(document.activeElement).toBe(document.body)

    await user.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: shortcutTexts.title })
    await user.keyboard('4')
    expect(dialog.textContent).toContain(shortcutTexts.stake('10,000'))
    await user.click(screen.getByRole('switch', { name: shortcutTexts.areOn }))
    expect(areShortcutsOn()).toBe(false)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('4')
    expect(screen.getByRole('radio', { name: '20' })).toHaveProperty('checked', true)
  })
})

describe('after the end', () => {
  /** Places a bet and settles it on the server with these fields. */
  async function settle(fields: Partial<GameBet>) {
    const opened = await open([before()])
    const { user, buy, bets, settled } = opened
    await isOpen(buy)
    await user.click(buy)
    const card = await screen.findByRole('region', { name: heldBetTexts.card })
    await screen.findByText(gameTexts.betPlaced)
    // The buttons make room for it, and the focus has somewhere to be.
    expect(screen.queryByRole('button', { name: /^(Mua|Bán)/ })).toBeNull()
    expect(document.activeElement?.getAttribute('aria-label')).toBe(gameTexts.betForm)
    const [placed] = bets
    bets[0] = { ...aWonBet(), ...placed, status: 'won', profitMinor: 50n, settledAtMs: Date.now() + 60_000, ...fields }
    await act(() => settled())
    return { ...opened, card }
  }

  test('the card stands still, then the popup opens with the picture, and gives the focus to the bet form', async () => {
    const prices = { entryAtMs: Date.now(), entryPrice: 4_130_902, exitPrice: 4_131_000 }
    const { user, card, ticks } = await settle(prices)
    await waitFor(() => expect(card.textContent).toContain(gameTexts.statusWon))
    expect(card.textContent).toContain('+0.50')
    expect(screen.queryByRole('dialog')).toBeNull()
    // The stakes can't be seen yet, so nothing can be sent.
    await screen.findByText(gameTexts.resultStanding)
    // Whoever leaves the page now is shown the result when they come back.
    expect(readShownBetIds()).toEqual([])
    const settledAtMs = Date.now()
    const popup = await screen.findByRole('dialog')
    expect(readShownBetIds()).toEqual([uuid(9)])
    expect(Date.now() - settledAtMs).toBeGreaterThan(900)
    await waitFor(() => expect(popup.querySelector('polyline')).not.toBeNull())
    for (const part of [
      gameTexts.statusWon,
      '+0.50',
      '$4,130.902',
      '$4,131.000',
      'Giá vàng lên $0.098, bạn chọn Mua 10',
    ])
      expect(popup.textContent).toContain(part)
    expect(ticks()).toHaveLength(1)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(gameTexts.betForm))
    expect(screen.queryByRole('region', { name: heldBetTexts.card })).toBeNull()
    expect(screen.queryByText(gameTexts.betPlaced)).toBeNull()
  })

  test('a bet of another device is not said to have been sent from here', async () => {
    const { user, bets, settled, closesAtMs } = await settle({ basis: 'ADMIN', entryPrice: null, exitPrice: null })
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('region', { name: heldBetTexts.card })).toBeNull())
    bets.unshift(aBet({ id: uuid(10), closesAtMs, entryFromMs: closesAtMs }))
    await act(() => settled())
    await screen.findByRole('region', { name: heldBetTexts.card })
    expect(screen.queryByText(gameTexts.betPlaced)).toBeNull()
  })

  test('a bet that staff decided has no picture, and its popup opens at once', async () => {
    const { ticks } = await settle({ basis: 'ADMIN', entryPrice: null, exitPrice: null, entryAtMs: null })
    const popup = await screen.findByRole('dialog')
    expect(popup.textContent).toContain(gameTexts.basisAdmin)
    expect(popup.querySelector('svg polyline, figure')).toBeNull()
    expect(ticks()).toEqual([])
    // The last part that is fetched later.
    await screen.findByLabelText(gameTexts.ownStake)
  })
})
