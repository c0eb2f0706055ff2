// Alone: in a context of its own parts that are loaded later come outside of act.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { bookPageEndpoints } from '#contract/book-pages.ts'
import { gameEndpoints } from '#contract/game.ts'
import { identityEndpoints, type Me } from '#contract/identity.ts'
import { marketEndpoints } from '#contract/market.ts'
import { refusals } from '#contract/refusals.ts'
import { type CurrentAnswer, configQuery, betsQuery, currentRoundQuery, type GameBet } from '#web/features/game/api.ts'
import { betButtonId } from '#web/features/game/bet-form-id.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { unknownOutcome } from '#web/features/game/held-figures.ts'
import { heldBetTexts } from '#web/features/game/held-bet-texts.ts'
import { aBet, aPlayer, aRound, aWonBet } from '#web/testing/game.ts'
import { meQuery } from '#web/features/identity/api.ts'
import { candlesQuery } from '#web/features/market/api.ts'
import { marketTexts } from '#web/features/market/market-texts.ts'
import type { SealState } from '#web/features/seal/sealing.ts'
import { forgetPrices, recordTick } from '#web/platform/live-prices.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { writeChartViewPin } from '#web/platform/storage.ts'
import { commonTexts, screenTitles } from '#web/platform/texts.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { translatePage } from '#web/testing/translate-page.ts'
import { toast } from '#web/ui/toast.tsx'
import { GameScreen } from './game-screen.tsx'

/** The whole screen, drawn in every state of the round × the bet × the feed: no state may break it. */

vi.mock(import('#web/platform/socket.ts'), () => ({
  connectionState: () => 'connected' as const,
  onConnectionChanged: () => () => {},
  stayJoined: () => () => {},
  reconnectNow: () => {},
  holdConnection: () => () => {},
  onServerEvent: () => () => {},
}))
// Everything that is fetched later is there at once.
vi.mock(import('#web/platform/lazy-part.ts'), async (original) => ({
  ...(await original()),
  afterDrawing: (load) => load,
  afterPause: (_, load) => load,
}))
// The charts' library draws on a canvas, which this DOM has not.
vi.mock(import('#web/features/market/candle-chart.tsx'), () => ({
  CandleChart: ({ bet }) => <p>{bet === null ? 'candles alone' : 'candles with an entry'}</p>,
}))
vi.mock(import('#web/features/market/round-drawing.ts'), () => ({
  createRoundDrawing: () => ({ show: () => {}, remove: () => {}, points: () => [], xs: () => [], read: () => {} }),
}))
const seal = vi.hoisted(() => ({ state: undefined as SealState | undefined, listeners: new Set<() => void>() }))
vi.mock(import('#web/features/seal/sealing.ts'), () => ({
  sealing: {
    stateOf: () => seal.state,
    onChange: (listener: () => void) => {
      seal.listeners.add(listener)
      return () => seal.listeners.delete(listener)
    },
    follow: async () => {},
    resume: async () => {},
  },
}))
const seals: (SealState | undefined)[] = [
  undefined,
  { is: 'sealing' },
  { is: 'slow' },
  { is: 'sealed', index: 7, isLate: false },
  { is: 'sealed', index: 7, isLate: true },
]

const me: Me = { ...sampleUser(1), role: 'player', passwordResetAtMs: null }
const itsRound = { id: uuid(1), roundNumber: 927_418, type: '30s' } as const
const source = 'simulated'
const never = new Promise<never>(() => {})

/** How far the round has come, in ms; or what stands in its place. */
const rounds = {
  opening: 300,
  running: 10_000,
  shut: 11_000,
  announced: 12_000,
  closing: 29_300,
  settling: 30_400,
  next: 'next',
  none: 'none',
  deleted: 'deleted',
  unknown: 'unknown',
} as const
type RoundState = keyof typeof rounds

function answerOf(state: RoundState): CurrentAnswer | undefined {
  const nowMs = Date.now()
  const age = rounds[state]
  if (age === 'unknown') return undefined
  if (age === 'none' || age === 'deleted')
    return { kind: age, nextOpensAtMs: nowMs + 9_000, roundNumber: 927_419, priceSource: source }
  const opensAtMs = nowMs - (age === 'next' ? 3_000 : age)
  return {
    kind: 'round',
    round: aRound({
      ...(age === 'next' ? { id: uuid(2), roundNumber: 927_419 } : { id: itsRound.id }),
      opensAtMs,
      locksAtMs: opensAtMs + 29_000,
      closesAtMs: opensAtMs + 30_000,
      countdown: { closesAtMs: opensAtMs + 30_000 },
      isBettingOpen: state !== 'shut',
      feedReason: state === 'shut' ? 'Nguồn giá đang chậm' : null,
      resultSource: state === 'announced' ? 'ADMIN' : 'PRICE',
      announcement:
        state === 'announced' ? { commitment: 'a'.repeat(64), announcedAt: nowMs, direction: null, nonce: null } : null,
    }),
  }
}

const open = (changes: Partial<GameBet> = {}) =>
  aBet({ round: itsRound, salt: 'AAAA', closesAtMs: Date.now() + 15_000, entryFromMs: Date.now() - 1_000, ...changes })
const entered = { entryAtMs: 1_000, entryPrice: 4_131_902 }
/** The newest bet; undefined while the own bets are unknown. */
const bets: Readonly<Record<string, () => GameBet | null | undefined>> = {
  unknown: () => undefined,
  none: () => null,
  waiting: () => open(),
  entered: () => open(entered),
  overdue: () => open({ ...entered, closesAtMs: Date.now() - 1_000 }),
  ADMIN: () => open({ basis: 'ADMIN' }),
  SCRIPTED: () => open({ basis: 'SCRIPTED' }),
  elsewhere: () => open({ ...entered, round: { ...itsRound, id: uuid(3), type: '60s' } }),
  won: () => aWonBet({ round: itsRound, salt: 'AAAA' }),
  lost: () => aWonBet({ round: itsRound, status: 'lost', profitMinor: -500n }),
  voided: () => aBet({ round: itsRound, status: 'voided', profitMinor: 0n, voidReason: 'NO_TICK', settledAtMs: 1 }),
}
const isHeld = (bet: GameBet | null | undefined) => bet?.status === 'open'

/** How old the newest price is, in ms; or that the server says nothing: at first, or for longer than 5 s. */
const feeds = { fresh: 0, late: 3_000, silent: 8_000, asked: 'asked', server: 'server' } as const
type FeedState = keyof typeof feeds

const feedOf = (state: FeedState) => {
  const age = feeds[state]
  forgetPrices()
  // The screen has been open for longer than its first question may take.
  if (age === 'server') vi.setSystemTime(Date.now() + 6_000)
  if (typeof age !== 'number') return
  const atMs = Date.now() - age
  const second = Math.floor(atMs / 1_000)
  recordTick({ source, sourceLabel: '', second, price: 4_131_000, quoteAtMs: atMs, serverTimeMs: Date.now() })
}

function world() {
  const server = fakeServer()
  server.on(identityEndpoints.me, () => never)
  server.on(gameEndpoints.currentRound, () => never)
  server.on(gameEndpoints.listRoundsByType, () => onePage([]))
  server.on(gameEndpoints.listOwnBets, () => never)
  server.on(gameEndpoints.listBetTicks, () => never)
  server.on(identityEndpoints.config, () => never)
  server.on(marketEndpoints.listMarket, () => never)
  server.on(marketEndpoints.listCandles, () => never)
  server.on(marketEndpoints.listTicks, () => never)
  server.on(bookPageEndpoints.readRates, () => never)
  return server
}

type Cell = { readonly round: RoundState; readonly bet: GameBet | null | undefined; readonly feed: FeedState }

/** Brings the page to a state, as answers and ticks would. */
function become({ round, bet, feed }: Cell): void {
  feedOf(feed)
  const set = (key: readonly unknown[], value: unknown) => {
    if (value === undefined) queryClient.removeQueries({ queryKey: key, exact: true })
    else queryClient.setQueryData(key, value)
  }
  set(currentRoundQuery('30s').queryKey, answerOf(round))
  set(
    betsQuery(1).queryKey,
    bet === undefined ? undefined : { bets: bet === null ? [] : [bet], total: 1, hasMore: false },
  )
  set(configQuery.queryKey, aPlayer())
}

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 5)))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  world()
  queryClient.clear()
  queryClient.setQueryData(meQuery.queryKey, me)
  return () => {
    vi.useRealTimers()
    queryClient.clear()
  }
})

const takesBets = ({ round, bet, feed }: Cell) =>
  (round === 'running' || round === 'announced' || round === 'next') &&
  (feed === 'fresh' || feed === 'late') &&
  bet !== undefined &&
  !isHeld(bet)

describe.each(['as it is', 'under a translator'])('the game screen %s', (way) => {
  test.each(Object.keys(bets))('with the bet %s', async (name) => {
    const isTranslated = way !== 'as it is'
    const stop = isTranslated ? translatePage() : () => {}
    const roundStates = Object.keys(rounds) as RoundState[]
    const feedStates = Object.keys(feeds) as FeedState[]
    // Opened once in each state of the feed; from there the walks go through every state of the round with each of them.
    // In the short run a translated page is opened in two of them, which differ from bet to bet.
    const most = isTranslated && !inject('isFull') ? 2 : feedStates.length
    const nth = Object.keys(bets).indexOf(name)
    for (const [from, first] of feedStates.entries()) {
      if ((from + nth) % feedStates.length >= most) continue
      become({ round: 'running', bet: bets[name]?.(), feed: first })
      const { unmount } = await draw(
        <QueryClientProvider client={queryClient}>
          <GameScreen />
        </QueryClientProvider>,
        '/investment/game',
      )
      for (const [step, round] of roundStates.entries()) {
        const cell = { round, bet: bets[name]?.(), feed: feedStates[(from + step) % feedStates.length] ?? first }
        act(() => {
          become(cell)
          seal.state = seals[step % seals.length]
          for (const listener of seal.listeners) listener()
        })
        await settle()
        const at = `${name} × ${round} × ${cell.feed}`
        expect([at, document.querySelector('h1')?.textContent]).toEqual([at, screenTitles.game])
        const button = document.getElementById(betButtonId('up'))
        // While a bet is held its card has the buttons' room.
        expect([at, button?.getAttribute('aria-disabled')]).toEqual([
          at,
          isHeld(cell.bet) ? undefined : String(!takesBets(cell)),
        ])
      }
      unmount()
    }
    stop()
  })
})

describe('until a bet of a round that has ended is settled', () => {
  /** Brings a round with prices of this source, and candles. */
  const bring = async (state: RoundState, priceSource = source) => {
    const answer = answerOf(state)
    if (answer?.kind !== 'round') throw new Error('A round is missing')
    const changed: CurrentAnswer = { ...answer, round: { ...answer.round, priceSource } }
    queryClient.setQueryData(currentRoundQuery('30s').queryKey, changed)
    const nowMs = Date.now()
    const tick = { second: Math.floor(nowMs / 1_000), price: 4_131_000, quoteAtMs: nowMs, serverTimeMs: nowMs }
    recordTick({ ...tick, source: priceSource, sourceLabel: '' })
    const candles = [{ openedAtMs: 0, open: 1, high: 1, low: 1, close: 1 }]
    for (const minutes of [1, 60] as const)
      queryClient.setQueryData(candlesQuery(priceSource, minutes).queryKey, {
        source: priceSource,
        label: '',
        minutes,
        candles,
      })
    await settle()
  }
  const drawScreen = (view: '1m' | null) => {
    writeChartViewPin(view)
    return draw(
      <QueryClientProvider client={queryClient}>
        <GameScreen />
      </QueryClientProvider>,
      '/investment/game',
    )
  }
  const headline = () => screen.getByRole('region', { name: marketTexts.price }).textContent

  test.each([
    ['the same source', source, 'candles with an entry', true],
    ['another source', 'pyth', 'candles alone', false],
  ])('its entry is compared with prices of %s: %s', async (_, next, candles, isCompared) => {
    become({ round: 'running', bet: open(entered), feed: 'fresh' })
    await drawScreen('1m')
    await act(() => bring('running'))
    await screen.findByText('candles with an entry')
    expect(headline()).toContain(marketTexts.sinceEntry)
    await act(() => bring('next', next))
    expect(await screen.findByText(candles)).toBeTruthy()
    expect(headline()?.includes(marketTexts.sinceEntry)).toBe(isCompared)
  })

  test('nothing is compared with its entry if its round is unknown', async () => {
    become({ round: 'next', bet: open(entered), feed: 'fresh' })
    await bring('next')
    await drawScreen(null)
    const card = await screen.findByRole('region', { name: heldBetTexts.card })
    expect(card.querySelector('[data-way]')?.textContent).toBe(unknownOutcome.text)
    await waitFor(() => expect(document.querySelector('figure [data-way]')?.textContent).toBe(''))
    expect(headline()).toContain(marketTexts.sinceOpening)
  })
})

test('a held bet whose round has ended is not said to be settled while the server tells nothing', async () => {
  become({ round: 'running', bet: open(entered), feed: 'fresh' })
  await draw(
    <QueryClientProvider client={queryClient}>
      <GameScreen />
    </QueryClientProvider>,
    '/investment/game',
  )
  const card = await screen.findByRole('region', { name: heldBetTexts.card })
  const overdue = open({ ...entered, closesAtMs: Date.now() - 1_000 })
  act(() => become({ round: 'settling', bet: overdue, feed: 'fresh' }))
  await waitFor(() => expect(card.textContent).toContain(heldBetTexts.settling))
  act(() => become({ round: 'settling', bet: overdue, feed: 'server' }))
  await waitFor(() => expect(card.textContent).toContain(gameTexts.serverAway))
  expect(card.textContent).not.toContain(heldBetTexts.settling)
})

test('the chart says neither that no round runs nor that it loads if the round could not be loaded', async () => {
  world().on(gameEndpoints.currentRound, () => {
    throw new Refused('BAD_REQUEST')
  })
  await draw(
    <QueryClientProvider client={queryClient}>
      <GameScreen />
    </QueryClientProvider>,
  )
  expect(await screen.findByText(refusals.BAD_REQUEST.message)).toBeTruthy()
  expect(screen.queryByText(marketTexts.noRound)).toBeNull()
  expect(within(screen.getByRole('figure')).queryByText(commonTexts.loading)).toBeNull()
})

test.each([true, false])('after “refresh” it says that what is shown is new, if it is (%s)', async (isNew) => {
  const info = vi.spyOn(toast, 'info').mockReturnValue()
  const server = world()
  server.on(gameEndpoints.currentRound, () => {
    if (isNew) return null
    throw new Refused('BAD_REQUEST')
  })
  server.on(gameEndpoints.listOwnBets, () => onePage([]))
  server.on(identityEndpoints.config, () => ({ ...aPlayer(), serverTimeMs: Date.now() }))
  server.on(marketEndpoints.listCandles, () => ({
    source,
    label: '',
    minutes: 60 as const,
    candles: [],
    serverTimeMs: Date.now(),
  }))
  const { user } = await draw(
    <QueryClientProvider client={queryClient}>
      <GameScreen />
    </QueryClientProvider>,
  )
  const button = await screen.findByRole('button', { name: gameTexts.refresh })
  await user.click(button)
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'))
  expect(info.mock.calls).toEqual(isNew ? [[gameTexts.refreshed]] : [])
  info.mockRestore()
})
