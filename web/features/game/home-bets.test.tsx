import { QueryClientProvider } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { gameEndpoints } from '#contract/game.ts'
import { formatTime } from '#web/platform/formats.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { betsKey } from './api.ts'
import { drawOwnBets } from './home-bets.tsx'
import { homeBetsTexts as texts } from './home-bets-texts.ts'
import { aBet, aWonBet } from '#web/testing/game.ts'

let tellBetChanged = () => {}
vi.mock('#web/platform/socket.ts', () => ({
  onServerEvent: (_name: string, listener: () => void) => {
    tellBetChanged = listener
    return () => {}
  },
}))

const summary = { won: 2, lost: 1, voided: 0, open: 0, leftOut: 0, stakedMinor: 0n, profitMinor: 0n, isCapped: false }
/** A server whose latest bet is the one that is given last. */
function withBets(first: readonly ReturnType<typeof aBet>[]) {
  let bets = first
  const server = fakeServer()
  server.on(gameEndpoints.listOwnBets, () => onePage(bets.map((bet) => ({ ...bet, serverTimeMs: 0 }))))
  const sums = server.on(gameEndpoints.sumOwnBets, () => summary)
  return {
    sums,
    become: (next: typeof first) => {
      bets = next
      tellBetChanged()
    },
  }
}

test('who has never bet keeps the lead, and nothing more is asked', async () => {
  const { sums } = withBets([])
  const { container } = await draw(drawOwnBets('Dự đoán giá vàng'))
  await waitFor(() => expect(container.textContent).toBe('Dự đoán giá vàng'))
  expect(screen.queryByRole('status')).toBeNull()
  expect(sums()).toHaveLength(0)
})

test('the running bet says when it ends, and its result when it has; all bets are one line, which leads to the statistics', async () => {
  const running = aBet()
  const { become } = withBets([running])
  const refetched = vi.spyOn(queryClient, 'invalidateQueries')
  const { askAgain } = await draw(drawOwnBets('Dự đoán giá vàng'))
  const news = await screen.findByRole('status')
  expect(news.textContent).toContain(texts.until(formatTime(running.closesAtMs)))
  expect(screen.getByRole('link', { name: new RegExp(texts.running) }).getAttribute('href')).toBe('/investment/game')
  const all = await screen.findByRole('link', { name: texts.ended('3', '2', '1') })
  expect(all.getAttribute('href')).toBe('/account/statistics')

  become([aWonBet({ id: running.id })])
  expect(refetched).toHaveBeenCalledWith({ queryKey: betsKey })
  await askAgain(betsKey)
  await waitFor(() => expect(news.textContent).toContain(texts.last))
  expect(news.textContent).toMatch(/Thắng \+/)
  expect(screen.getByRole('link', { name: new RegExp(texts.last) }).getAttribute('href')).toBe('/account/bets')
})

test('without the socket, the counts follow the result that the repeated question brings', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  queryClient.clear()
  const running = aBet({ closesAtMs: Date.now() })
  const { sums, become } = withBets([running])
  await draw(<QueryClientProvider client={queryClient}>{drawOwnBets('')}</QueryClientProvider>)
  const news = await screen.findByRole('status')
  await waitFor(() => expect(sums()).toHaveLength(1))
  tellBetChanged = () => {}
  become([aWonBet({ id: running.id })])
  await act(() => vi.advanceTimersByTimeAsync(1_500))
  await waitFor(() => expect(news.textContent).toContain(texts.last))
  await waitFor(() => expect(sums()).toHaveLength(2))
  vi.useRealTimers()
})
