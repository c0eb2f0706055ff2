import { newlyReached } from '#domain/game/limits.ts'
import type { Minor } from '#domain/money.ts'
import { bettingLimitsAt, type readBettingLimits } from '#server/features/limits/index.ts'
import { recordLimitsReached } from '#server/features/notices/index.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { GameHints } from './ports.ts'

export interface LimitUse {
  readonly userId: string
  readonly stakeMinor: Minor
  readonly lossMinor: Minor
}

/** Notifies the players who reach one of their own daily limits through the bets of this transaction (rules §6.6). */
export async function notifyLimits(
  hints: GameHints,
  tx: Tx,
  limits: Awaited<ReturnType<typeof readBettingLimits>>,
  uses: readonly LimitUse[],
  nowMs: number,
): Promise<void> {
  const reached = uses.flatMap(({ userId, stakeMinor, lossMinor }) => {
    const before = bettingLimitsAt(limits.get(userId), nowMs)
    if (before === null) return []
    const after = {
      ...before,
      stakedTodayMinor: before.stakedTodayMinor + stakeMinor,
      netLossTodayMinor: before.netLossTodayMinor + lossMinor,
    }
    return newlyReached(before, after).map((limit) => ({ userId, limit }))
  })
  const told = await recordLimitsReached(tx, reached, nowMs)
  tx.afterCommit(() => {
    for (const userId of told) hints.noticesChanged(userId)
  })
}
