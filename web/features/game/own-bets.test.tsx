import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { gameEndpoints } from '#contract/game.ts'
import { startOfDayMs } from '#domain/day.ts'
import { keepLastKnown, restoreLastKnown } from '#web/platform/last-known.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { BetAudit } from './bet-audit.tsx'
import { betsTexts } from './bets-texts.ts'
import { OwnBets } from './own-bets.tsx'
import { betsQuery, configQuery } from './api.ts'
import { betsSummaryQuery, betTicksQuery, everyBet, filteredBetsQuery, oneBetQuery } from './own-bets-api.ts'
import { aBet, aPlayer, aWonBet } from '#web/testing/game.ts'

const summary = {
  open: 0,
  won: 30,
  lost: 22,
  voided: 1,
  stakedMinor: 520_00n,
  profitMinor: 8_50n,
  leftOut: 0,
  isCapped: false,
}

async function open(changes: Partial<typeof summary> = {}) {
  const server = fakeServer()
  const bets = [
    aBet({ status: 'lost', direction: 'down', profitMinor: -50n }),
    aBet({ id: 'b2', status: 'won', direction: 'up', profitMinor: 50n }),
  ]
  const asked = server.on(gameEndpoints.listOwnBets, () => onePage(bets))
  const summed = server.on(gameEndpoints.sumOwnBets, () => ({ ...summary, ...changes }))
  const drawn = await draw(<OwnBets firstDay="2026-11-01" />, '/account/bets')
  await screen.findAllByRole('listitem')
  return { ...drawn, asked, summed }
}

test('a bet is a line with its whole result, which alone is coloured', async () => {
  await open()
  const [lost, won] = screen.getAllByRole('listitem')
  if (lost === undefined || won === undefined) throw new Error('There are no bets.')
  expect(lost.textContent).toMatch(/^▼ Bán 30s · Thua−0\.50/)
  expect([...lost.querySelectorAll('.text-up')]).toEqual([])
  expect([...won.querySelectorAll('.text-down')]).toEqual([])
  expect(within(won).getByText('+0.50').className).toContain('text-up')
})

test('how a bet ended is chosen at hand, the rest in a sheet, whose button says how much of it is set', async () => {
  const { user, asked, summed } = await open()
  await user.click(screen.getByRole('radio', { name: betsTexts.chips.lost }))
  await waitFor(() => expect(asked().at(-1)?.query).toMatchObject({ status: 'lost', page: 1 }))
  await user.click(screen.getByRole('button', { name: betsTexts.filter }))
  await user.selectOptions(within(screen.getByRole('dialog')).getByLabelText(betsTexts.type), '60s')
  await waitFor(() => expect(asked().at(-1)?.query).toMatchObject({ status: 'lost', type: '60s' }))
  expect(summed().at(-1)?.query).toEqual({ type: '60s' })
  await user.click(screen.getByRole('button', { name: betsTexts.showBets }))
  await user.click(await screen.findByRole('button', { name: betsTexts.filtered(1) }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: betsTexts.clear }))
  await waitFor(() => expect(asked().at(-1)?.query).not.toHaveProperty('type'))
  expect(asked().at(-1)?.query).toMatchObject({ status: 'lost' })
})

test('a day that was chosen just before the sheet is closed counts', async () => {
  const { user, asked } = await open()
  await user.click(screen.getByRole('button', { name: betsTexts.filter }))
  const from = within(screen.getByRole('dialog')).getByLabelText(betsTexts.from)
  await user.click(from)
  fireEvent.change(from, { target: { value: '2026-11-02' } })
  await user.click(screen.getByRole('button', { name: betsTexts.showBets }))
  await screen.findByRole('button', { name: betsTexts.filtered(1) })
  expect(asked().at(-1)?.query).toMatchObject({ from: startOfDayMs('2026-11-02') })
})

test('the totals are one figure and one sentence; the rest is folded', async () => {
  await open()
  await screen.findByText('+8.50 điểm')
  const folded = screen.getByText(betsTexts.more).closest('details')
  expect(folded?.open).toBe(false)
  expect(folded?.contains(screen.getByText(betsTexts.ended('52', '30', '22')))).toBe(false)
  expect(folded?.contains(screen.getByText(betsTexts.voided('1')))).toBe(true)
})

test('totals of the newest bets alone say so where they stand', async () => {
  await open({ isCapped: true })
  const folded = (await screen.findByText(betsTexts.more)).closest('details')
  expect(folded?.contains(screen.getByText(betsTexts.capped))).toBe(false)
})

test.each([
  ['were used and are stored no more', aWonBet({ id: uuid(1) }), betsTexts.pricesGone],
  [
    'was ever used',
    aBet({ id: uuid(1), status: 'voided', voidReason: 'NO_TICK', profitMinor: 0n }),
    betsTexts.noPrices,
  ],
])('a bet without the prices of its seconds says whether one %s', async (_, bet, sentence) => {
  const server = fakeServer()
  server.on(gameEndpoints.listOwnBets, () => onePage([bet]))
  server.on(gameEndpoints.listBetTicks, () => ({ source: 'pyth', label: '', acceptedAtMs: bet.createdAtMs, ticks: [] }))
  await draw(<BetAudit betId={bet.id} seal={() => null} dispute={() => null} onClose={() => {}} />)
  await screen.findByText(sentence)
})

test('the review of a running bet tells its entry once it is known, and its result, without an event', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const nowMs = Date.now()
  let bet = aBet({ id: uuid(1), createdAtMs: nowMs - 900, entryFromMs: nowMs + 100, closesAtMs: nowMs + 4_000 })
  const server = fakeServer()
  const asked = server.on(gameEndpoints.listOwnBets, () => onePage([bet]))
  const ticks = server.on(gameEndpoints.listBetTicks, () => {
    const second = Math.floor(nowMs / 1_000)
    const tick = { second, price: 4_130_000, quoteAtMs: second * 1_000 }
    return { source: 'simulated', label: '', acceptedAtMs: bet.createdAtMs, ticks: [tick] }
  })
  await draw(<BetAudit betId={bet.id} seal={() => null} dispute={() => null} onClose={() => {}} />)
  await screen.findByText(betsTexts.story.running)
  bet = { ...bet, entryAtMs: nowMs, entryPrice: 4_130_902 }
  await act(() => vi.advanceTimersByTimeAsync(1_500))
  expect((await screen.findAllByText('$4,130.902')).length).toBeGreaterThan(0)
  bet = { ...bet, status: 'won', exitPrice: 4_131_000, profitMinor: 500n, settledAtMs: nowMs + 4_100 }
  await act(() => vi.advanceTimersByTimeAsync(4_500))
  await screen.findByText('+5.00')
  expect(screen.queryByText(betsTexts.story.running)).toBeNull()
  // The picture has the prices up to the entry, and then those up to the end.
  expect(ticks().length).toBe(3)
  const count = asked().length
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(asked().length).toBe(count)
  vi.useRealTimers()
})

test('what was asked of single bets and of filters takes no place among the last data that the device keeps', async () => {
  queryClient.clear()
  queryClient.setQueryData(configQuery.queryKey, aPlayer(), { updatedAt: 1 })
  const bet = aWonBet()
  const ticks = { source: 'pyth', label: '', acceptedAtMs: bet.createdAtMs, ticks: [] }
  const page = { bets: [bet], total: 1, hasMore: false }
  const ids = Array.from({ length: 30 }, (_, at) => uuid(at))
  for (const id of ids) {
    await queryClient.query({ ...betTicksQuery({ ...bet, id }), queryFn: () => ticks })
    await queryClient.query({ ...oneBetQuery(id), queryFn: () => bet })
  }
  const filters = [{ status: 'lost' }, { type: '60s' }, { fromDay: '2026-11-01' }, { toDay: '2026-11-02' }] as const
  for (const filter of filters)
    await queryClient.query({ ...filteredBetsQuery({ ...everyBet, ...filter }, 1), queryFn: () => page })
  await queryClient.query({ ...betsSummaryQuery({ ...everyBet, type: '60s' }), queryFn: () => summary })
  // These two are useful without a network: without a filter, and with one that the totals do not depend on.
  await queryClient.query({ ...filteredBetsQuery(everyBet, 1), queryFn: () => page })
  await queryClient.query({ ...betsSummaryQuery({ ...everyBet, status: 'won' }), queryFn: () => summary })
  keepLastKnown()()
  queryClient.clear()
  restoreLastKnown()
  const kept = queryClient.getQueryCache().getAll()
  expect(new Set(kept.map(({ queryKey }) => queryKey))).toEqual(
    new Set([configQuery.queryKey, betsQuery(1).queryKey, betsSummaryQuery(everyBet).queryKey]),
  )
  queryClient.clear()
})
