import { QueryClientProvider } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { toast } from 'sonner'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { gameEndpoints } from '#contract/game.ts'
import { identityEndpoints, type Me } from '#contract/identity.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'
import { recordTick } from '#web/platform/live-prices.ts'
import { pause } from '#web/platform/pause.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { currentRoundKey, type GameBet } from './api.ts'
import { BetButtons } from './bet-buttons.tsx'
import { gameTexts } from './game-texts.ts'
import { aBet, aPlayer, aRound, aWonBet } from '#web/testing/game.ts'
import { useBetting } from './use-betting.ts'
import { useGame } from './use-game.ts'

const socket = vi.hoisted(() => ({
  state: 'connected' as 'connected' | 'lost',
  listeners: new Map<string, () => void>(),
}))
vi.mock(import('#web/platform/socket.ts'), () => ({
  connectionState: () => socket.state,
  onConnectionChanged: () => () => {},
  stayJoined: () => () => {},
  reconnectNow: () => {},
  onServerEvent: (name, listener) => {
    socket.listeners.set(name, listener as () => void)
    return () => socket.listeners.delete(name)
  },
}))

const roundId = '00000000-0000-4000-8000-000000000001'
const nextRoundId = '00000000-0000-4000-8000-000000000002'
const me = { id: 'user-1', username: 'lan', role: 'player' } as Me

function Betting() {
  const betting = useBetting(useGame('30s'), me, () => {})
  return (
    <>
      <BetButtons type="30s" betting={betting} />
      {betting.rules.shown === 'practice' && <button onClick={betting.rules.leave}>leave the practice</button>}
      <button onClick={() => betting.setStake('20')}>20</button>
      <button onClick={betting.askForDirection}>enter</button>
    </>
  )
}

/** Draws the buttons on a round that opened 5 s ago, with these bets on the server. */
async function open(place: (bet: GameBet) => GameBet | Promise<GameBet>, bets: GameBet[] = [aWonBet({ id: 'bet-0' })]) {
  const nowMs = Date.now()
  const opensAtMs = nowMs - 5_000
  const { goldReopensAtMs, ...first } = aRound({
    id: roundId,
    opensAtMs,
    locksAtMs: nowMs + 24_000,
    closesAtMs: nowMs + 25_000,
  })
  let round = first
  const feed = { source: 'simulated', label: '', lastPrice: null, lastQuoteAtMs: null, closedReason: null }
  const server = fakeServer()
  const reads = server.on(gameEndpoints.listOwnBets, () =>
    onePage(bets.map((bet) => ({ ...bet, serverTimeMs: nowMs }))),
  )
  server.on(gameEndpoints.currentRound, () => ({
    ...round,
    countdown: { closesAtMs: round.closesAtMs },
    feed: { ...feed, goldReopensAtMs },
    serverTimeMs: nowMs,
  }))
  const configReads = server.on(identityEndpoints.config, () => ({ ...aPlayer(), serverTimeMs: nowMs }))
  const sent = server.on(gameEndpoints.placeBet, async () => {
    const bet = aBet({ createdAtMs: nowMs, entryFromMs: nowMs + 20_000, closesAtMs: round.closesAtMs })
    const answer = await place(bet)
    bets.unshift(answer)
    return { ...answer, serverTimeMs: nowMs }
  })
  const { user } = await draw(
    <QueryClientProvider client={queryClient}>
      <Betting />
    </QueryClientProvider>,
  )
  const buy = await screen.findByRole('button', { name: /^Mua/ })
  await waitFor(() => expect(buy.getAttribute('aria-disabled')).toBe('false'))
  /** The round after this one has begun. */
  const nextRound = async () => {
    round = { ...round, id: nextRoundId, roundNumber: round.roundNumber + 1 }
    await act(() => queryClient.invalidateQueries({ queryKey: currentRoundKey.all }))
  }
  const counts = { readsBefore: reads().length, configReadsBefore: configReads().length }
  return { user, buy, sent, reads, configReads, nextRound, ...counts }
}

const hint = () => act(() => socket.listeners.get('bet_changed')?.())

beforeEach(() => {
  queryClient.clear()
  socket.state = 'connected'
  // A connection that brings ticks.
  recordTick({ source: 'simulated', sourceLabel: '', second: 1, price: null, quoteAtMs: null, serverTimeMs: 1_000 })
  // The toasts of the test before.
  toast.dismiss()
})

describe('the own bets are read once for a bet', () => {
  test.each(['before', 'after'] as const)('when the socket’s hint comes %s the answer', async (when) => {
    const { user, buy, reads, readsBefore } = await open(async (bet) => {
      if (when === 'before') hint()
      return bet
    })
    await user.click(buy)
    await screen.findByText(gameTexts.betOpen)
    if (when === 'after') hint()
    await act(() => pause(300))
    expect(reads().length - readsBefore).toBe(1)
  })

  test('when there is no socket, and so is the balance', async () => {
    socket.state = 'lost'
    const { user, buy, reads, readsBefore, configReads, configReadsBefore } = await open((bet) => bet)
    await user.click(buy)
    await screen.findByText(gameTexts.betOpen)
    await act(() => pause(300))
    expect(reads().length - readsBefore).toBe(1)
    expect(configReads().length - configReadsBefore).toBe(1)
  })
})

test('the balance after a bet is the socket’s: it is not read', async () => {
  const { user, buy, configReads, configReadsBefore } = await open((bet) => bet)
  await user.click(buy)
  await screen.findByText(gameTexts.betOpen)
  await act(() => pause(300))
  expect(configReads()).toHaveLength(configReadsBefore)
})

test('another stake chosen while an order is on its way hides nothing of its failure', async () => {
  const answer = Promise.withResolvers<GameBet>()
  const { user, buy } = await open(() => answer.promise)
  await user.click(buy)
  await user.click(screen.getByRole('button', { name: '20' }))
  await act(async () => answer.reject(new Refused('ROUND_CLOSING')))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(refusals.ROUND_CLOSING.message))
  await user.click(screen.getByRole('button', { name: '20' }))
  expect(screen.getByRole('alert').textContent).toBe('')
})

test('the wish for a direction is about the round in which Enter was pressed', async () => {
  const { user, nextRound } = await open((bet) => bet)
  const said = () => screen.getByRole('alert').textContent
  await user.click(screen.getByRole('button', { name: 'enter' }))
  expect(said()).toBe(gameTexts.directionRequired)
  await nextRound()
  await waitFor(() => expect(said()).toBe(''))
})

test('an order whose bet stands although its answer was lost has no failure after the bet’s end', async () => {
  const answer = Promise.withResolvers<GameBet>()
  const bets = [aWonBet({ id: 'bet-0' })]
  const { user, buy } = await open((bet) => {
    bets.unshift(bet)
    return answer.promise
  }, bets)
  await user.click(buy)
  hint()
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Mua/ })).toBeNull())
  await act(async () => answer.reject(new Refused('INTERNAL')))
  await act(() => pause(100))
  bets.shift()
  hint()
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(''))
})

describe('what an order failed with', () => {
  const failedWith = async (code: RefusalCode) => {
    const opened = await open(() => {
      throw new Refused(code)
    })
    await opened.user.click(opened.buy)
    await waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''))
    await waitFor(() => expect(opened.buy.getAttribute('aria-disabled')).toBe('false'))
    return opened
  }
  const said = () => screen.getByRole('alert').textContent

  test.each(['ROUND_CLOSING', 'FEED_CLOSED', 'DISCLOSURE_CHANGED', 'LEDGER_CHECK_FAILED', 'CLOCK_UNSURE'] as const)(
    'as a refusal is forgotten once another round takes bets: %s',
    async (code) => {
      const { nextRound } = await failedWith(code)
      expect(said()).toBe(refusals[code].message)
      await nextRound()
      await waitFor(() => expect(said()).toBe(''))
    },
  )

  test('stays where the bet may stand all the same', async () => {
    const { nextRound } = await failedWith('DATABASE_AWAY')
    await nextRound()
    await act(() => pause(50))
    expect(said()).toBe(refusals.DATABASE_AWAY.message)
  })

  test('stays where it comes after the next round has begun', async () => {
    const answer = Promise.withResolvers<GameBet>()
    const { user, buy, nextRound, sent } = await open(() => answer.promise)
    await user.click(buy)
    await waitFor(() => expect(sent()).toHaveLength(1))
    await nextRound()
    await act(() => pause(50))
    await act(async () => answer.reject(new Refused('ROUND_CLOSING')))
    await waitFor(() => expect(buy.getAttribute('aria-disabled')).toBe('false'))
    await act(() => pause(50))
    expect(said()).toBe(refusals.ROUND_CLOSING.message)
  })

  test.each(['LEDGER_CHECK_FAILED', 'CLOCK_UNSURE', 'DATABASE_AWAY'] as const)(
    'is said in the server’s own words: %s',
    async (code) => {
      await failedWith(code)
      expect(said()).toBe(refusals[code].message)
    },
  )

  test('is the general sentence where the server has none that helps', async () => {
    await failedWith('INTERNAL')
    expect(said()).toBe(gameTexts.betFailed)
  })
})

test('a browser that believes there is no network closes nothing while the server answers', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  globalThis.dispatchEvent(new Event('offline'))
  const { user, buy, sent } = await open((bet) => bet)
  await user.click(buy)
  await screen.findByText(gameTexts.betOpen)
  expect(sent()).toHaveLength(1)
  vi.restoreAllMocks()
})

test('a bet closes the buttons before anything is read again', async () => {
  const { user, buy, sent, reads, readsBefore } = await open((bet) => bet)
  await user.click(buy)
  await screen.findByText(gameTexts.betOpen)
  expect(buy.getAttribute('aria-disabled')).toBe('true')
  await user.click(buy)
  expect(sent().map(({ body }) => body)).toMatchObject([
    { roundId, stakeMinor: 1_000n, direction: 'up', seenBasis: 'PRICE', userId: 'user-1' },
  ])
  expect(reads()).toHaveLength(readsBefore)
})

test('a retry of an order that may have been placed keeps its key; after a refusal it gets a new one', async () => {
  const failures = [new Refused('INTERNAL'), new Refused('ROUND_CLOSING')]
  const { user, buy, sent } = await open((bet) => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return bet
  })
  for (const count of [1, 2, 3]) {
    await waitFor(() => expect(buy.getAttribute('aria-disabled')).toBe('false'))
    await user.click(buy)
    await waitFor(() => expect(sent()).toHaveLength(count))
  }
  await screen.findByText(gameTexts.betOpen)
  const [lost, refused, placed] = sent().map(({ idempotencyKey }) => idempotencyKey)
  expect(refused).toBe(lost)
  expect(placed).not.toBe(lost)
})

test('before the first bet comes the practice: nothing is sent, and the order is offered again', async () => {
  const { user, buy, sent } = await open((bet) => bet, [])
  await user.click(buy)
  const leave = await screen.findByRole('button', { name: 'leave the practice' })
  expect(sent()).toEqual([])
  await user.click(leave)
  await screen.findByText(gameTexts.chosenOrder('Mua ▲', '10', '30s'))
  await pause(50)
  expect(sent()).toEqual([])
  await user.click(buy)
  await screen.findByText(gameTexts.betOpen)
  expect(sent()).toHaveLength(1)
  expect(screen.queryByText(gameTexts.chosenOrder('Mua ▲', '10', '30s'))).toBeNull()
})

test('the interrupted order is offered no more once another stake is chosen', async () => {
  const { user, buy, sent } = await open((bet) => bet, [])
  await user.click(buy)
  await user.click(await screen.findByRole('button', { name: 'leave the practice' }))
  await user.click(screen.getByRole('button', { name: '20' }))
  await screen.findByText(gameTexts.order('20', '30s'))
  expect(sent()).toEqual([])
})
