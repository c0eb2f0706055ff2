import { act, renderHook } from '@testing-library/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { marketEndpoints } from '#contract/market.ts'
import { forgetPrices, recordTick } from '#web/platform/live-prices.ts'
import { pause } from '#web/platform/pause.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { resetServerTime } from '#web/platform/server-time.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { useMissedTicks } from './round-view.tsx'

const socket = vi.hoisted(() => ({ changed: () => {} }))
vi.mock(import('#web/platform/socket.ts'), async (original) => ({
  ...(await original()),
  onConnectionChanged: (listener) => {
    socket.changed = listener
    return () => {}
  },
}))

/** A round of 60 s that is opened after 10.3 s. */
const opening = 1_800_000_000
const round = {
  id: 'round',
  source: 'simulated',
  sourceLabel: '',
  opensAtMs: opening * 1000,
  closesAtMs: (opening + 60) * 1000,
  openPrice: null,
}
const nowSecond = () => Math.floor(Date.now() / 1000)

beforeEach(() => {
  vi.useFakeTimers({ now: (opening + 10) * 1000 + 300 })
  forgetPrices()
  resetServerTime()
  queryClient.clear()
  return () => void vi.useRealTimers()
})

/** Draws the round; the server knows every second but `lost`. Returns the age of the round, in s, at each request. */
function open({ lost = -1, laterAnswersMs = 50 } = {}) {
  const askedAt: number[] = []
  fakeServer().on(marketEndpoints.listTicks, async () => {
    // The page's clock ticks some ms before each second.
    askedAt.push(Math.round(Date.now() / 1000) - opening)
    const seconds = Array.from({ length: nowSecond() - opening + 1 }, (_, age) => age).filter((age) => age !== lost)
    const answersAfterMs = askedAt.length > 1 ? laterAnswersMs : 50
    await pause(answersAfterMs)
    return {
      source: 'simulated',
      label: '',
      ticks: seconds.map((age) => ({ second: opening + age, price: 4_000_000, quoteAtMs: (opening + age) * 1000 })),
      // The page takes half of the way for the way back.
      serverTimeMs: Date.now() - answersAfterMs / 2,
    }
  })
  renderHook(() => useMissedTicks(round), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  return askedAt
}

/** Lets seconds pass, each of which the socket brings or not. */
async function pass(seconds: number, isHeard = true): Promise<void> {
  for (let count = 0; count < seconds; count++) {
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    const second = nowSecond()
    if (isHeard)
      recordTick({
        source: 'simulated',
        sourceLabel: '',
        second,
        price: 4_000_000,
        quoteAtMs: second * 1000,
        serverTimeMs: Date.now(),
      })
  }
}

test('what came between the first request and the socket’s first tick is asked for as soon as it is missed', async () => {
  const askedAt = open()
  await pass(1, false)
  await pass(20)
  expect(askedAt).toEqual([10, 14])
})

test('so is what came before the connection was open again', async () => {
  const askedAt = open()
  await pass(20)
  await pass(4, false)
  expect(askedAt).toEqual([10, 34])
  socket.changed()
  await pass(1, false)
  await pass(10)
  expect(askedAt).toEqual([10, 34, 37])
})

test('a second that the server does not know is asked for every 5 s at most', async () => {
  const askedAt = open({ lost: 4 })
  await pass(20)
  expect(askedAt).toEqual([10, 13, 18, 23, 28])
})

test('a slow answer is waited for', async () => {
  const askedAt = open({ lost: 4, laterAnswersMs: 6_500 })
  await pass(20)
  expect(askedAt).toEqual([10, 13, 23])
})
