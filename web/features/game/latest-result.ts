import type { RoundType } from '#domain/game/calendar.ts'
import type { GameBet } from './api.ts'

export type ShownResults = {
  /** Ids of the bets whose popup has opened in this browser (spec §4). */
  readonly shownIds: readonly string[]
  /** The server's time when this browser signed in; a bet that was settled earlier counts as shown (rules §2). */
  readonly signedInAtMs: number
}

/** The latest bet, if it is settled, of the selected type, and not yet shown (spec §4). @param bets newest first */
export function dueResult(bets: readonly GameBet[], type: RoundType, shown: ShownResults): GameBet | null {
  const latest = bets[0]
  if (latest === undefined || latest.status === 'open' || latest.round.type !== type) return null
  if (latest.settledAtMs === null || latest.settledAtMs <= shown.signedInAtMs) return null
  return shown.shownIds.includes(latest.id) ? null : latest
}
