import type { TickPrice } from '#domain/game/settle.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import type { Market } from '#server/features/market/index.ts'
import type { Queryable } from '#server/platform/database/db.ts'

export interface RoundPrices extends Pick<
  Market,
  'chooseSource' | 'closedReason' | 'feedStatus' | 'isLive' | 'keepEvidence' | 'labelOf' | 'liveSource'
> {
  /**
   * Returns the ticks of a range of seconds for settlement. First writes the missing rows of past seconds, unless the
   * clock is unsure. `isComplete` is false while a second has no row: then nothing may be decided (rules §2.4). The
   * ticks must not be shown: after the clock was set back, they may be of seconds that lie in the future.
   */
  ensureTicks(
    db: Queryable,
    source: string,
    fromSecond: number,
    toSecond: number,
  ): Promise<{ ticks: TickPrice[]; isComplete: boolean }>
}

/** Callbacks that emit socket events. Must not be called inside a transaction, which may be rolled back. */
export interface GameHints {
  roundOpened(type: RoundType): void
  roundChanged(type: RoundType): void
  betChanged(userId: string, betId: string, isSettled: boolean): void
  noticesChanged(userId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
}
