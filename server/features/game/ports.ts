import type { FeedStatus } from '#contract/market.ts'
import type { TickPrice } from '#domain/game/settle.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import type { FeedClosedReason } from '#domain/market/feed-state.ts'
import type { Queryable, Tx } from '#server/platform/database/db.ts'

export interface RoundPrices {
  chooseSource(opensAtMs: number, closesAtMs: number): string
  isLive(source: string): boolean
  /** The configured live source; null when the feed is simulated. */
  readonly liveSource: string | null
  readonly labelOf: (source: string) => string
  /** For the game screen, as of an instant of database time: no price of a later second is included. */
  feedStatus(source: string, nowMs: number): FeedStatus
  /** Null while bets are taken. */
  closedReason(source: string): FeedClosedReason | null
  /**
   * Writes missing simulated ticks up to now, unless the clock is unsure. `isComplete` says whether every second has
   * its row; without that nothing is decided (rules §2). For settlement only: after the clock was set back, a second
   * among these ticks may not have come again.
   */
  ensureTicks(
    db: Queryable,
    source: string,
    fromSecond: number,
    toSecond: number,
  ): Promise<{ ticks: TickPrice[]; isComplete: boolean }>
  /** Stores the signed quotes behind ticks that decided a bet or a round (rules §5). */
  keepEvidence(tx: Tx, source: string, seconds: readonly number[]): Promise<void>
}

/** Notifications to connected clients; never called inside a transaction. */
export interface GameHints {
  roundOpened(type: RoundType): void
  roundChanged(type: RoundType): void
  betChanged(userId: string, betId: string, isSettled: boolean): void
  noticesChanged(userId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
}
