import type { TickPrice } from '#domain/game/settle.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import type { Market } from '#server/features/market/index.ts'
import type { Queryable } from '#server/platform/database/db.ts'

export interface RoundPrices extends Pick<
  Market,
  'chooseSource' | 'closedReason' | 'feedStatus' | 'isLive' | 'keepEvidence' | 'labelOf' | 'liveSource'
> {
  /**
   * Writes missing simulated ticks up to now, unless the clock is unsure. `isComplete` says whether every second has
   * its row; without that nothing is decided (rules §2). For settlement only: after the clock was set back, these ticks
   * may include seconds that have not come again yet.
   */
  ensureTicks(
    db: Queryable,
    source: string,
    fromSecond: number,
    toSecond: number,
  ): Promise<{ ticks: TickPrice[]; isComplete: boolean }>
}

/** Callbacks that emit socket events; they are never called inside a transaction. */
export interface GameHints {
  roundOpened(type: RoundType): void
  roundChanged(type: RoundType): void
  betChanged(userId: string, betId: string, isSettled: boolean): void
  noticesChanged(userId: string): void
  balanceChanged(userId: string, balanceMinor: bigint): void
}
