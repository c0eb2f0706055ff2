import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type MarketListView, marketEndpoints } from '#contract/market.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { MarketList } from './market-list.tsx'

const coin = (id: string, rank: number, shape: number[]): MarketListView['coins'][number] => ({
  id,
  symbol: id.slice(0, 3),
  name: `Coin ${id}`,
  rank,
  priceUsd: 100,
  change24hPercent: 1,
  weekShape: shape,
})

const market: MarketListView = {
  gold: {
    source: 'simulated',
    label: 'Giá mô phỏng',
    price: 4_132_114,
    change24hPercent: 0.1,
    weekShape: [0, 50, 100],
    quoteAtMs: Date.now(),
  },
  coins: [coin('bitcoin', 1, [100, 0]), coin('ethereum', 2, []), coin('solana', 3, [0, 100])],
  coinsFetchedAtMs: Date.now(),
  isSample: false,
  serverTimeMs: Date.now(),
}

async function open() {
  fakeServer().on(marketEndpoints.listMarket, () => market)
  const drawn = await draw(<MarketList />, '/investment')
  await screen.findByText('Coin bitcoin')
  return drawn
}

const order = () => screen.getAllByText(/^Coin /).map(({ textContent }) => textContent)

test('a star keeps a coin on top, also after a reload, until the star is taken off', async () => {
  const first = await open()
  expect(order()).toEqual(['Coin bitcoin', 'Coin ethereum', 'Coin solana'])
  await first.user.click(screen.getByRole('button', { name: 'Giữ Coin solana ở đầu danh sách', pressed: false }))
  expect(order()).toEqual(['Coin solana', 'Coin bitcoin', 'Coin ethereum'])
  first.unmount()

  const { user } = await open()
  expect(order()).toEqual(['Coin solana', 'Coin bitcoin', 'Coin ethereum'])
  await user.click(screen.getByRole('button', { name: 'Giữ Coin solana ở đầu danh sách', pressed: true }))
  expect(order()).toEqual(['Coin bitcoin', 'Coin ethereum', 'Coin solana'])
})

test('gold and each coin with a known week has its line, the others none', async () => {
  await open()
  const lines = (name: string) => screen.getByText(name).closest('a')?.querySelectorAll('polyline').length
  expect([lines('Vàng'), lines('Coin bitcoin'), lines('Coin ethereum')]).toEqual([1, 1, 0])
  const row = screen.getByRole('link', { name: /Coin bitcoin/ })
  expect(within(row).queryByRole('button')).toBeNull()
})
