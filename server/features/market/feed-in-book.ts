import type { FeedWhy } from '#domain/book/entry.ts'
import type { FeedClosedReason } from '#domain/market/feed-state.ts'
import { isLive, type PriceSource, SIMULATED } from '#domain/market/sources.ts'
import { listOpenFeeds, queueFeed } from '#server/features/book/index.ts'
import type { Database } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
import { pause } from './feed-reader.ts'

export interface FeedInBookDeps {
  readonly db: Database
  readonly log: Logger
  readonly signal: AbortSignal
  /** The configured live source; null when the feed is simulated. */
  readonly live: PriceSource | null
  isClockSure(): boolean
  /** Whether gold trades now. */
  isGoldOpen(): boolean
  closedReason(source: PriceSource): FeedClosedReason | null
}

const LOOK_EVERY_MS = 250

/**
 * Tells the log when this process stops or begins to take bets on a source, and why (docs/open-book.md §2, feed).
 * `MARKET`: gold does not trade, or another source was configured, so that no round has this one.
 */
export async function keepFeedInBook(deps: FeedInBookDeps): Promise<void> {
  const { db, log, signal, live } = deps
  const own = live === null ? [SIMULATED] : [SIMULATED, live]
  const told = new Map<PriceSource, FeedWhy>()
  const whyOf = (source: PriceSource): FeedWhy => {
    if (!deps.isClockSure()) return 'CLOCK'
    if (isLive(source) && !deps.isGoldOpen()) return 'MARKET'
    return deps.closedReason(source) ?? 'OK'
  }
  const tell = async (source: PriceSource, why: FeedWhy): Promise<void> => {
    if (told.get(source) === why) return
    await queueFeed(db, { source, state: why === 'OK' ? 'open' : 'closed', why })
    told.set(source, why)
  }
  let isFirst = true
  let hasFailed = false
  while (!signal.aborted) {
    try {
      for (const source of isFirst ? await listOpenFeeds(db) : [])
        if (!own.includes(source)) await tell(source, 'MARKET')
      isFirst = false
      for (const source of own) await tell(source, whyOf(source))
      hasFailed = false
    } catch (error) {
      if (!hasFailed && !signal.aborted) log.warn({ err: error }, 'a change of the feed could not be entered yet')
      hasFailed = true
    }
    await pause(LOOK_EVERY_MS, signal)
  }
}
