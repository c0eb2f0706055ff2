import { bookEndpoints } from '#contract/book.ts'
import { marketEndpoints } from '#contract/market.ts'
import type { Clock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse } from '#server/platform/http/errors.ts'
import { type Api, PublicAnswer, RawAnswer } from '#server/platform/http/http.ts'
import { listAnswer, pageOf } from '#server/platform/http/lists.ts'
import type { CoinMarket } from './coins.ts'
import type { Market } from './feed.ts'
import { listCandles, listSeeds, listTicks, readGold } from './queries.ts'
import { readEvidence } from './ticks.ts'

export interface MarketRoutesDeps {
  readonly db: Database
  readonly publicReads: Database
  readonly clock: Clock
  readonly market: Market
  readonly coins: CoinMarket
}

export function registerMarket(api: Api, { db, publicReads, clock, market, coins }: MarketRoutesDeps): void {
  api.handle(marketEndpoints.listMarket, async () => {
    const nowMs = Math.floor(clock.now())
    const [gold, list] = await Promise.all([readGold(db, market, nowMs), coins.read()])
    return {
      gold,
      coins: list.coins,
      coinsFetchedAtMs: list.fetchedAtMs,
      isSample: list.fetchedAtMs === null,
      serverTimeMs: nowMs,
    }
  })

  api.handle(marketEndpoints.listCandles, ({ query: { interval = 60, source, from, to, limit } }) =>
    listCandles(market, { minutes: interval, source, fromMs: from, toMs: to, limit }, Math.floor(clock.now())),
  )

  api.handle(marketEndpoints.listTicks, ({ query: { source, from, to } }) =>
    listTicks(db, market, { source, fromMs: from, toMs: to }, Math.floor(clock.now())),
  )

  api.handle(bookEndpoints.readEvidence, async ({ params: { source, second } }) => {
    const evidence = await readEvidence(publicReads, source, second)
    return evidence === null ? refuse('NOT_FOUND') : new RawAnswer(evidence, 'public, max-age=31536000, immutable')
  })

  api.handle(marketEndpoints.listSeeds, async ({ query }) => {
    const page = pageOf(query)
    const { rows, total } = await listSeeds(publicReads, { limit: page.limit + 1, offset: page.offset })
    return new PublicAnswer(listAnswer(rows, total, page), 'public, max-age=5')
  })
}
