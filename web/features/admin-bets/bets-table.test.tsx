import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Bet } from '#contract/game.ts'
import { staffGameEndpoints } from '#contract/staff-game.ts'
import { startOfDayMs } from '#domain/day.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { sampleUser, uuid } from '#web/testing/samples.ts'
import { entrySecondsQuery } from './api.ts'
import { BetsTable } from './bets-table.tsx'

const bet = (number: number, status: Bet['status']): Bet => {
  const { id, username } = sampleUser(number)
  return {
    id: uuid(2000 + number),
    owner: { id, username },
    round: { id: uuid(3000), roundNumber: 12, type: '60s' },
    direction: 'up',
    stakeMinor: 10_000n,
    status,
    basis: 'PRICE',
    entryFromMs: 1,
    entryAtMs: 1,
    entryPrice: 4_000_000,
    exitPrice: null,
    profitMinor: status === 'open' ? null : 500n,
    voidReason: null,
    closesAtMs: 2,
    settledAtMs: null,
    createdAtMs: number,
  }
}

async function open(bets: Bet[], at = '/admin/history') {
  const server = fakeServer()
  const asked = server.on(staffGameEndpoints.listBets, () => onePage(bets))
  const counted = server.on(staffGameEndpoints.countBets, () => ({
    open: 1,
    won: 2,
    lost: 3,
    voided: 0,
    leftOut: 4,
    stakedMinor: 100_000n,
    returnedMinor: 10_000n,
    netMinor: -1_500n,
    isCapped: false,
  }))
  const drawn = await draw(<BetsTable />, at)
  await screen.findByRole('row', { name: /khach01/ })
  return { ...drawn, server, asked, counted }
}

test('the counters follow the search and the type, and ignore the status filter', async () => {
  const { user, asked, counted } = await open([bet(1, 'won')])
  await user.selectOptions(screen.getByRole('combobox', { name: 'Loại phiên' }), '60s')
  await user.click(screen.getByRole('radio', { name: 'Thua' }))
  await waitFor(() => expect(asked().at(-1)?.query).toMatchObject({ type: '60s', status: 'lost' }))
  expect(counted().map(({ query }) => query)).toContainEqual({ type: '60s' })
  // The totals beneath the list follow it too.
  expect(counted().at(-1)?.query).toEqual({ type: '60s', status: 'lost' })
})

test('a link sets the folded filters for the list, the counters and the totals', async () => {
  const link =
    '/admin/history?status=voided&from=2026-11-01&to=2026-11-02&min=10&max=500&basis=ADMIN&voidReason=ROUND_DELETED&by=quantri'
  const { asked, counted, address } = await open([bet(1, 'voided')], link)
  const wire = {
    from: startOfDayMs('2026-11-01'),
    to: startOfDayMs('2026-11-03'),
    min: 10,
    max: 500,
    basis: 'ADMIN',
    voidReason: 'ROUND_DELETED',
    by: 'quantri',
  }
  expect(asked()[0]?.query).toEqual({ page: 1, limit: 10, sort: '-createdAt', status: 'voided', ...wire })
  expect(counted().map(({ query }) => query)).toEqual(expect.arrayContaining([wire, { status: 'voided', ...wire }]))
  expect(address()).toBe(link)
  expect((await screen.findByRole('group', { name: 'Tổng của bộ lọc' })).textContent).toBe(
    'Lệnh10Đã đặt1,000Hoàn điểm100Chênh lệch−15.00',
  )
})

test('the counters leave out bets that staff or a script decided, and say how many', async () => {
  await open([bet(1, 'won')])
  const counters = screen.getByRole('group', { name: 'Số lệnh theo kết quả' })
  expect(
    await within(counters).findByText('Không tính 4 lệnh do quản trị viên hoặc kết quả đặt sẵn quyết định'),
  ).toBeTruthy()
  expect(counters.textContent).toContain('Thắng2Thua3Đang chạy1Hoàn điểm0')
})

test('an open bet cannot be removed; a settled one leaves the list once the server has hidden it', async () => {
  const { user, server } = await open([bet(1, 'open'), bet(2, 'won')])
  await user.click(screen.getByRole('button', { name: 'Thao tác khác với khach01' }))
  const off = await screen.findByRole('menuitem', { name: /Xoá khỏi danh sách/ })
  expect(off.getAttribute('aria-disabled')).toBe('true')
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Thao tác khác với khach02' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Xoá khỏi danh sách' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Xoá lệnh khỏi danh sách?' })
  server.on(staffGameEndpoints.deleteBet, () => {
    throw new Refused('BET_STILL_OPEN')
  })
  await user.click(within(dialog).getByRole('button', { name: 'Xoá khỏi danh sách' }))
  expect(await within(dialog).findByText('Lệnh đang chạy, chỉ xoá được sau khi phiên kết thúc')).toBeTruthy()
  expect(screen.getByText('khach02')).toBeTruthy()
  server.on(staffGameEndpoints.deleteBet, () => null)
  await user.click(within(dialog).getByRole('button', { name: 'Xoá khỏi danh sách' }))
  await waitFor(() => expect(screen.queryByText('khach02')).toBeNull())
  expect(screen.getByText('khach01')).toBeTruthy()
})

test('a row links to its user', async () => {
  const { user, address } = await open([bet(1, 'won')])
  await user.click(screen.getByRole('button', { name: 'Thao tác khác với khach01' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Mở tài khoản này' }))
  await waitFor(() => expect(address()).toBe(`/admin/user/${sampleUser(1).id}`))
})

test('the seconds in which the bets of a round entered, each once and none of a bet that never did', async () => {
  const Seconds = () => <p>{useQuery(entrySecondsQuery(uuid(3000))).data?.join(', ')}</p>
  const asked = fakeServer().on(staffGameEndpoints.listBets, () =>
    onePage([
      { ...bet(1, 'open'), entryAtMs: 101_000 },
      { ...bet(2, 'open'), entryAtMs: null },
      { ...bet(3, 'open'), entryAtMs: 104_000 },
      { ...bet(4, 'open'), entryAtMs: 101_000 },
    ]),
  )
  await draw(<Seconds />)
  expect(await screen.findByText('101, 104')).toBeTruthy()
  expect(asked()[0]?.query).toMatchObject({ roundId: uuid(3000), limit: 100 })
})
