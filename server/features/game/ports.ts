import type { FeedStatus } from '#contract/market.ts'
import type { TickPrice } from '#domain/game/settle.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import type { FeedClosedReason } from '#domain/market/feed-state.ts'
import type { Queryable, Tx } from '#server/platform/db.ts'

/** What rounds need of the market: which source prices them, whether it may be trusted now, and its ticks. */
export interface RoundPrices {
  /** The source of a round that opens now (rules §5). */
  chooseSource(opensAtMs: number, closesAtMs: number): string
  isLive(source: string): boolean
  /** The configured live source, or null with a simulated feed only. */
  readonly liveSource: string | null
  readonly labelOf: (source: string) => string
  /**
   * The newest price of a source and its age, and when gold trades again, for the game screen, as of an instant of
   * database time: no price of a later second is in it.
   */
  feedStatus(source: string, nowMs: number): FeedStatus
  /** Why a round of this source takes no bets now; null when it does. */
  closedReason(source: string): FeedClosedReason | null
  /**
   * Every tick from one second through another. Missing simulated ticks up to now are written, unless the clock is
   * unsure; `isComplete` tells whether every second has its row, without which nothing is decided (rules §2). Only for
   * deciding: a second among them may not have come again after the clock was set back.
   */
  ensureTicks(
    db: Queryable,
    source: string,
    fromSecond: number,
    toSecond: number,
  ): Promise<{ ticks: TickPrice[]; isComplete: boolean }>
  /** Keeps the signed quotes behind ticks that decided something (rules §5). */
  keepEvidence(tx: Tx, source: string, seconds: readonly number[]): Promise<void>
}

/** Hints to whoever watches; never called inside a transaction. */
export interface GameHints {
  /** Every process knows the calendar and tells its own sockets. */
  roundOpened(type: RoundType): void
  /** Something one process did: the sockets of all are told. */
  roundChanged(type: RoundType): void
  betChanged(userId: string, betId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
}
