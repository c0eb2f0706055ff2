import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { backOfficeEndpoints } from '#contract/back-office.ts'
import { gameEndpoints, type Round } from '#contract/game.ts'
import { marketEndpoints } from '#contract/market.ts'
import { staffGameEndpoints } from '#contract/staff-game.ts'
import { startOfDayMs } from '#domain/day.ts'
import { DURATION_S, type RoundType, windowOf } from '#domain/game/calendar.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { adminRoundTexts } from './admin-round-texts.ts'
import { RoundPage } from './round-page.tsx'
import { RoundsTable } from './rounds-table.tsx'

vi.mock('#web/platform/socket.ts', () => ({ onServerEvent: () => () => undefined, stayJoined: () => () => undefined }))

/** The running round of a type; its number and times come from the calendar. */
const running = (type: RoundType): Round => {
  const { roundNumber, opensAtMs, closesAtMs } = windowOf(type, Date.now())
  return {
    id: uuid(1),
    gameId: uuid(2),
    type,
    roundNumber,
    attempt: 0,
    status: 'running',
    openPrice: 4_000_000,
    closePrice: null,
    result: null,
    resultSource: 'PRICE',
    announcement: null,
    priceSource: 'sim',
    priceSourceLabel: 'Giá mô phỏng',
    opensAtMs,
    locksAtMs: closesAtMs,
    closesAtMs,
    durationS: DURATION_S[type],
    isDeleted: false,
    figures: { bets: 7, stakedMinor: 123_400n, voided: 1, netMinor: -5_000n, leftOut: 2 },
  }
}

const ended = (): Round => {
  const round = running('60s')
  return { ...round, id: uuid(10), roundNumber: round.roundNumber - 1, status: 'ended', result: 'up' }
}

async function open(rounds: Round[], search = '') {
  const server = fakeServer()
  const asked = server.on(gameEndpoints.listRoundsByType, () => onePage(rounds))
  server.on(backOfficeEndpoints.overview, () => ({
    pendingRequests: 0,
    oldestPendingAtMs: null,
    rounds: [],
    netTodayMinor: 0n,
    betsToday: 0,
    feed: {
      source: 'sim',
      label: 'Giá mô phỏng',
      closedReason: null,
      goldReopensAtMs: null,
      lastPrice: 4_000_000,
      lastQuoteAtMs: null,
    },
    ledger: { isOpen: true, checkedAtMs: null },
    serverTimeMs: Date.now(),
  }))
  const summed = server.on(staffGameEndpoints.sumRounds, () => ({
    rounds: 3,
    bets: 21,
    stakedMinor: 370_200n,
    voided: 3,
    netMinor: -15_000n,
    leftOut: 6,
    isCapped: false,
  }))
  const drawn = await draw(<RoundsTable />, `/admin/game?type=60s${search}`)
  await screen.findAllByRole('row', { name: /Giá vàng/ })
  return { ...drawn, server, asked, summed }
}

test('a tab shows the rounds of its type, and the address keeps the type', async () => {
  const { user, asked, address } = await open([ended()])
  expect(asked().at(-1)?.params.type).toBe('60s')
  await user.click(screen.getByRole('tab', { name: '30s' }))
  await waitFor(() => expect(asked().at(-1)?.params.type).toBe('30s'))
  // The plain address shows the first type.
  expect(address()).toBe('/admin/game')
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('30s')
})

test('a link sets days, admin and voids for the list and its totals, and another type keeps them', async () => {
  const { user, asked, summed, address } = await open([ended()], '&from=2026-11-01&to=2026-11-01&by=quantri&voids=yes')
  const wire = { from: startOfDayMs('2026-11-01'), to: startOfDayMs('2026-11-02'), by: 'quantri', voids: 'yes' }
  expect(asked().find(({ query }) => query.limit === 10)?.query).toEqual({
    page: 1,
    limit: 10,
    sort: '-startTime',
    ...wire,
  })
  expect(summed()[0]?.query).toEqual({ type: '60s', ...wire })
  expect((await screen.findByRole('group', { name: 'Tổng của bộ lọc' })).textContent).toBe(
    'Phiên3Lệnh21Đã đặt3,702Chênh lệch−150.00Hoàn điểm3',
  )
  await user.click(screen.getByRole('tab', { name: '30s' }))
  await waitFor(() => expect(address()).toBe('/admin/game?from=2026-11-01&to=2026-11-01&by=quantri&voids=yes'))
})

test('a row tells bets, stakes, net and voids, and its number leads to the round', async () => {
  const round = ended()
  const { user, address } = await open([round])
  const row = screen.getByRole('row', { name: /Giá vàng/ })
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(expect.arrayContaining(['7', '1,234', '−50.00', '1']))
  expect(within(row).getByTitle(/^Không tính 2 lệnh/)).toBeTruthy()
  await user.click(within(row).getByRole('link'))
  await waitFor(() => expect(address()).toBe(`/admin/round/${round.id}`))
})

test('a round that has ended can be hidden after a confirmation; a deleted one has no menu', async () => {
  const round = ended()
  const { user, server } = await open([round, { ...round, id: uuid(11), isDeleted: true }])
  const menus = screen.getAllByRole('button', { name: /^Thao tác khác với Phiên/ })
  expect(menus).toHaveLength(1)
  await user.click(menus[0]!)
  await user.click(await screen.findByRole('menuitem', { name: 'Xoá khỏi danh sách' }))
  const dialog = await screen.findByRole('alertdialog', { name: /khỏi danh sách\?$/ })
  const removed = server.on(staffGameEndpoints.deleteRound, () => {
    throw new Refused('ROUND_ENDED')
  })
  await user.click(within(dialog).getByRole('button', { name: 'Xoá khỏi danh sách' }))
  expect(await within(dialog).findByText('Phiên đã kết thúc')).toBeTruthy()
  expect(removed().map(({ params }) => params.id)).toEqual([round.id])
})

test('a round that was hidden leaves the list at once', async () => {
  const round = ended()
  const { user, server } = await open([round, { ...round, id: uuid(11), roundNumber: round.roundNumber - 1 }])
  await user.click(screen.getAllByRole('button', { name: /^Thao tác khác với Phiên/ })[0]!)
  await user.click(await screen.findByRole('menuitem', { name: 'Xoá khỏi danh sách' }))
  server.on(staffGameEndpoints.deleteRound, () => null)
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Xoá khỏi danh sách' }))
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Thao tác khác với Phiên/ })).toHaveLength(1))
})

test('the result of a running round is set once: the menu item of an announced one is disabled with a reason', async () => {
  // Far enough before its end for staff to act (rules §2).
  vi.useFakeTimers({ toFake: ['Date'], now: windowOf('60s', Date.now()).opensAtMs + 1_000 })
  const round = running('60s')
  const { user } = await open([
    { ...round, announcement: { commitment: 'c', announcedAt: round.opensAtMs, direction: 'up', nonce: null } },
  ])
  await user.click(screen.getByRole('button', { name: /^Thao tác khác với Phiên/ }))
  const set = await screen.findByRole('menuitem', { name: /^Đặt Mua/ })
  expect(set.getAttribute('aria-disabled')).toBe('true')
  expect(set.textContent).toContain('Kết quả chỉ đặt được một lần.')
  expect(screen.getByRole('menuitem', { name: 'Xoá phiên' }).getAttribute('aria-disabled')).toBeNull()
  vi.useRealTimers()
})

test('setting a result does not say that nobody has bet before the bets of the round are known', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: windowOf('60s', Date.now()).opensAtMs + 1_000 })
  const round = running('60s')
  const { user } = await open([round])
  await user.click(screen.getByRole('button', { name: /^Thao tác khác với Phiên/ }))
  await user.click(await screen.findByRole('menuitem', { name: /^Đặt Mua/ }))
  const dialog = await screen.findByRole('alertdialog')
  expect(within(dialog).getByText(adminRoundTexts.setUnknown)).toBeTruthy()
  expect(within(dialog).queryByText(adminRoundTexts.setNobody)).toBeNull()
  vi.useRealTimers()
})

describe('the page of a round', () => {
  const openPage = async (rounds: Round[]) => {
    const server = fakeServer()
    server.on(gameEndpoints.listRounds, () => onePage(rounds))
    const tick = { second: 1, price: 4_000_000, quoteAtMs: 1_000 }
    server.on(marketEndpoints.listTicks, () => ({ source: 'sim', label: '', ticks: [tick], serverTimeMs: 2_000 }))
    await draw(
      <RoundPage roundId={uuid(10)} picture={(_, isOver) => <p>{isOver ? 'with an end' : 'without an end'}</p>}>
        {null}
      </RoundPage>,
    )
  }
  const undecided = () => ({ ...ended(), result: null })

  test('says of a round without a result that it was a tie or lacked a price, and marks its end', async () => {
    await openPage([undecided()])
    expect(await screen.findByText(adminRoundTexts.noResult)).toBeTruthy()
    expect(await screen.findByText('with an end')).toBeTruthy()
  })

  test('says neither of a deleted round', async () => {
    await openPage([{ ...undecided(), isDeleted: true }])
    expect(await screen.findByText('without an end')).toBeTruthy()
    expect(screen.queryByText(adminRoundTexts.noResult)).toBeNull()
  })

  test('does not say of an unknown round that no round runs', async () => {
    await openPage([])
    expect(await screen.findByText(adminRoundTexts.roundNotFound)).toBeTruthy()
  })
})
