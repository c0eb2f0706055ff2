import * as z from 'zod/mini'
import { text } from '#contract/codecs.ts'
import type { Coin } from '#contract/market.ts'
import { parseJson } from '#domain/json.ts'
import { weekShape } from '#domain/market/week-shape.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import { logging, onDemand } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { reasonOf } from '#server/platform/process/reason-of.ts'
import { SAMPLE_COINS } from './coin-sample.ts'

const COINS = 20
const TIMEOUT_MS = 5_000
const ANSWER_MAX_CHARS = 1_000_000

const upstreamCoin = z.object({
  id: text.check(z.minLength(1), z.maxLength(100)),
  symbol: text.check(z.minLength(1), z.maxLength(30)),
  name: text.check(z.minLength(1), z.maxLength(100)),
  current_price: z.number().check(z.positive()),
  market_cap_rank: z.nullable(z.int()),
  price_change_percentage_24h: z.nullable(z.number()),
  sparkline_in_7d: z.nullish(z.object({ price: z.array(z.number()) })),
})
const upstreamList = z.array(upstreamCoin).check(z.minLength(1))

export function coinsFromAnswer(text: string): Coin[] | null {
  if (text.length > ANSWER_MAX_CHARS) return null
  const parsed = upstreamList.safeParse(parseJson(text))
  if (!parsed.success) return null
  return parsed.data.slice(0, COINS).map((coin, index) => ({
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    rank: coin.market_cap_rank ?? index + 1,
    priceUsd: coin.current_price,
    change24hPercent: coin.price_change_percentage_24h,
    weekShape: weekShape(coin.sparkline_in_7d?.price ?? []),
  }))
}

export interface CoinList {
  readonly coins: Coin[]
  /** Null for the bundled sample. */
  readonly fetchedAtMs: number | null
}

export interface CoinMarket {
  read(): Promise<CoinList>
  /** Fetches the list in the background, unless a process has requested it within the last 60 s. */
  refresh(): void
  stop(): Promise<void>
}

/** Lists that an earlier release stored have no `weekShape`. */
type StoredCoin = Omit<Coin, 'weekShape'> & Partial<Pick<Coin, 'weekShape'>>

interface CoinRow extends Row {
  fetched_at: Date | null
  coins: StoredCoin[] | null
  is_due: boolean
}

/**
 * Provides the list of coins. At most once per 60 s, the process that is first to set `asked_at` fetches and stores the
 * list, which all processes read. After a failure the last list stays (rules §5.7).
 */
export function createCoinMarket({ db, baseUrl, log }: { db: Database; baseUrl: string; log: Logger }): CoinMarket {
  const fetchOnce = async (signal: AbortSignal): Promise<void> => {
    const claimed = await db.query(
      `update coin_market set asked_at = clock_timestamp() where asked_at <= clock_timestamp() - interval '60 s'`,
    )
    if (claimed.rowCount === 0) return
    const coins = await ask(baseUrl, signal).catch((error: unknown) => {
      if (!signal.aborted)
        log.info(
          `the prices of coins could not be fetched (${reasonOf((error as Error).cause ?? error)}): the last ones stay`,
        )
      return null
    })
    if (coins === null) return
    await db.query(`update coin_market set fetched_at = clock_timestamp(), coins = $1::jsonb`, [JSON.stringify(coins)])
  }

  const { begin, stop } = onDemand(fetchOnce, logging(log, 'the list of coins could not be kept', 'error'))

  return {
    refresh: () => void begin(),
    async read() {
      const { rows } = await db.query<CoinRow>(
        `select fetched_at, coins, asked_at <= clock_timestamp() - interval '60 s' as is_due from coin_market`,
        [],
        { name: 'coin-market' },
      )
      const row = rows[0]
      if (row?.is_due === true) begin()
      return row?.coins == null || row.fetched_at === null
        ? { coins: SAMPLE_COINS, fetchedAtMs: null }
        : {
            coins: row.coins.map((coin) => ({ ...coin, weekShape: coin.weekShape ?? [] })),
            fetchedAtMs: row.fetched_at.getTime(),
          }
    },
    stop,
  }
}

async function ask(baseUrl: string, signal: AbortSignal): Promise<Coin[]> {
  const query = `vs_currency=usd&order=market_cap_desc&per_page=${COINS}&page=1&sparkline=true`
  const response = await fetch(`${baseUrl}/api/v3/coins/markets?${query}`, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  if (!response.ok) throw new Error(`The list of coins was answered with ${response.status}.`)
  const coins = coinsFromAnswer(await response.text())
  if (coins === null) throw new Error('The answer was no list of coins.')
  return coins
}
