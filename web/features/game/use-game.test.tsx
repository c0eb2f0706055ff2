import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { gameEndpoints } from '#contract/game.ts'
import { identityEndpoints } from '#contract/identity.ts'
import type { ServerEvent } from '#contract/events.ts'
import { forgetPrices, usePriceTicks } from '#web/platform/live-prices.ts'
import { pause } from '#web/platform/pause.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { resetServerTime } from '#web/platform/server-time.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { aPlayer, aRound, opensAtMs } from '#web/testing/game.ts'
import { useGame } from './use-game.ts'

const socket = vi.hoisted(() => ({ hear: (_: ServerEvent<'price_tick'>) => {} }))
vi.mock(import('#web/platform/socket.ts'), () => ({
  connectionState: () => 'connected' as const,
  onConnectionChanged: () => () => {},
  stayJoined: () => () => {},
  reconnectNow: () => {},
  onServerEvent: ((name: string, listener: typeof socket.hear) => {
    if (name === 'price_tick') socket.hear = listener
    return () => {}
  }) as never,
}))

beforeEach(() => {
  vi.useFakeTimers({ now: opensAtMs + 5_000 })
  forgetPrices()
  resetServerTime()
  queryClient.clear()
  return () => void vi.useRealTimers()
})

test.each(['simulated', 'pyth'])('a dead socket that counts as connected closes no bets (%s)', async (source) => {
  const { goldReopensAtMs, ...round } = aRound({
    id: '00000000-0000-4000-8000-000000000001',
    priceSource: source,
    closesAtMs: opensAtMs + 120_000,
    locksAtMs: opensAtMs + 119_000,
  })
  const server = fakeServer()
  const reads = server.on(gameEndpoints.currentRound, async () => {
    await pause(600)
    const nowMs = Date.now()
    const feed = { source, label: '', lastPrice: 4_000_000, lastQuoteAtMs: nowMs, closedReason: null, goldReopensAtMs }
    return { ...round, feed, serverTimeMs: nowMs }
  })
  server.on(gameEndpoints.listOwnBets, () => onePage([]))
  server.on(identityEndpoints.config, () => ({ ...aPlayer(), serverTimeMs: Date.now() }))
  const states: string[] = []
  renderHook(
    () => {
      usePriceTicks()
      const { view } = useGame('120s')
      states.push(view.state)
    },
    { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> },
  )
  const pass = async (seconds: number, isHeard: boolean) => {
    for (let count = 0; count < seconds; count++) {
      await act(() => vi.advanceTimersByTimeAsync(1_000))
      if (isHeard)
        act(() =>
          socket.hear({
            source,
            sourceLabel: '',
            second: Math.floor(Date.now() / 1000),
            price: 4_000_000,
            quoteAtMs: Date.now(),
            serverTimeMs: Date.now(),
          }),
        )
    }
  }
  await pass(10, true)
  // The server sends no hint when a live feed falls silent.
  expect(reads().length).toBeLessThanOrEqual(source === 'pyth' ? 3 : 1)
  // The first silence is seen after 5 s, and ends with the first answer.
  await pass(11, false)
  states.length = 0
  await pass(30, false)
  expect(states).toEqual([])
  await pass(5, true)
  const before = reads().length
  await pass(4, true)
  expect(reads().length - before).toBeLessThanOrEqual(source === 'pyth' ? 1 : 0)
})
