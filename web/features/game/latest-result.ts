import type { RoundType } from '#domain/game/calendar.ts'
import type { GameBet } from './api.ts'

export type ShownResults = {
  /** The ids of bets whose popup has opened in this browser (spec §4.5). */
  readonly shownIds: readonly string[]
  /** When this browser signed in, in server time. Bets that were settled earlier count as shown (rules §2.10). */
  readonly signedInAtMs: number
}

/** Returns the latest bet if it is settled, of this type, and not shown yet (spec §4.5). @param bets newest first */
export function dueResult(bets: readonly GameBet[], type: RoundType, shown: ShownResults): GameBet | null {
  const latest = bets[0]
  if (latest === undefined || latest.status === 'open' || latest.round.type !== type) return null
  if (latest.settledAtMs === null || latest.settledAtMs <= shown.signedInAtMs) return null
  return shown.shownIds.includes(latest.id) ? null : latest
}
