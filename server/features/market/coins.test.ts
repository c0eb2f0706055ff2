import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/process/log.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { type CoinMarket, createCoinMarket } from './coins.ts'

const coin = (id: string, rest: object) => ({
  id,
  symbol: id.slice(0, 3),
  name: id,
  current_price: 10,
  market_cap_rank: 1,
  price_change_percentage_24h: null,
  ...rest,
})

const db = useDatabase('embedded', { areReset: false })
let coins: CoinMarket
const asked: string[] = []
const upstream = createServer(({ url = '' }, answer) => {
  asked.push(url)
  answer.setHeader('content-type', 'application/json')
  answer.end(
    JSON.stringify([
      coin('bitcoin', { sparkline_in_7d: { price: Array.from({ length: 168 }, (_, hour) => hour) } }),
      coin('ethereum', { sparkline_in_7d: { price: [] } }),
      coin('solana', {}),
    ]),
  )
})

beforeAll(async () => {
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
  const { port } = upstream.address() as AddressInfo
  coins = createCoinMarket({ db, baseUrl: `http://127.0.0.1:${port}`, log: createLog('silent') })
})
afterAll(async () => {
  await coins.stop()
  upstream.close()
})

test('a start fetches the coins with their week, and a list of an earlier release has no week', async () => {
  coins.refresh()
  await expect.poll(async () => (await coins.read()).fetchedAtMs).not.toBeNull()
  const [first, second, third] = (await coins.read()).coins
  expect(first?.weekShape.length).toBe(28)
  expect([first?.weekShape.at(0), first?.weekShape.at(-1)]).toEqual([0, 100])
  expect([second?.weekShape, third?.weekShape]).toEqual([[], []])
  expect(asked).toEqual([expect.stringContaining('sparkline=true')])

  await db.query(
    `update coin_market set coins = (select jsonb_agg(c - 'weekShape') from jsonb_array_elements(coins) c)`,
  )
  expect((await coins.read()).coins.map(({ weekShape }) => weekShape)).toEqual([[], [], []])
  expect(asked).toHaveLength(1)
})
