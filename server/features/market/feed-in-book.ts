import type { FeedWhy } from '#domain/book/entry.ts'
import type { FeedClosedReason } from '#domain/market/feed-state.ts'
import { isLive, type PriceSource, SIMULATED } from '#domain/market/sources.ts'
import { listOpenFeeds, queueFeed } from '#server/features/book/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import { repeating, type Stop } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'

export interface FeedInBookDeps {
  readonly db: Database
  readonly log: Logger
  readonly live: PriceSource | null
  isClockSure(): boolean
  isGoldOpen(): boolean
  closedReason(source: PriceSource): FeedClosedReason | null
}

const LOOK_EVERY_MS = 250
const COMPARE_EVERY_MS = 10_000

/**
 * Records in the open book when this process stops or begins to take bets on a source, and why (docs/open-book.md §2,
 * feed). `MARKET`: gold does not trade, or the source is not configured any more. At intervals, this process compares
 * the book with its own state. If two comparisons in a row find a source closed in the book but open in this process,
 * the source is recorded as open, because the process that recorded it as closed may have ended since.
 * @param compareEveryMs ms between two comparisons
 */
export function keepFeedInBook(deps: FeedInBookDeps, compareEveryMs = COMPARE_EVERY_MS): Stop {
  const { db, log, live } = deps
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
  let comparedAtMs: number | null = null
  let differed: readonly PriceSource[] = []
  const compare = async (): Promise<void> => {
    const nowMs = monotonicMs()
    if (comparedAtMs !== null && nowMs - comparedAtMs < compareEveryMs) return
    const open = await listOpenFeeds(db)
    if (comparedAtMs === null) for (const source of open) if (!own.includes(source)) await tell(source, 'MARKET')
    comparedAtMs = nowMs
    const differs = own.filter((source) => told.get(source) === 'OK' && !open.includes(source))
    for (const source of differs) if (differed.includes(source)) told.delete(source)
    differed = differs.filter((source) => told.has(source))
  }
  const look = async (): Promise<void> => {
    await compare()
    for (const source of own) await tell(source, whyOf(source))
  }
  const failed = (error: unknown, isAgain: boolean): void => {
    if (!isAgain) log.warn({ err: error }, 'a change of the feed could not be entered yet')
  }
  return repeating(LOOK_EVERY_MS, look, failed, { isAtOnce: true })
}
