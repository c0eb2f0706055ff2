import type { ReactNode } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import type { GameBet } from './api.ts'
import { HeldBetCard, HeldElsewhere } from './held-bet.tsx'
import { RecentRounds } from './recent-rounds.tsx'
import { RepeatBet } from './repeat-bet.tsx'
import type { Betting } from './use-betting.ts'
import type { Game } from './use-game.ts'

/** The parts of the stakes that are fetched after the screen is drawn. */

export type ZoneProps = {
  readonly type: RoundType
  readonly onType: (type: RoundType) => void
  readonly game: Game
  readonly betting: Betting
  /** The line of a bet that says whether it is sealed. */
  readonly seal: (bet: GameBet) => ReactNode
}

export function HeldBetInZone({ type, onType, game, seal }: ZoneProps) {
  const { bet, round } = game.held
  if (bet === null) return null
  return bet.round.type === type ? (
    <HeldBetCard bet={bet} source={round?.priceSource ?? game.priceSource} seal={seal(bet)} />
  ) : (
    <HeldElsewhere bet={bet} onType={onType} />
  )
}

/** How the latest rounds ended, and a button that repeats the last bet. */
export function ZoneFoot({ type, onType, game, betting }: ZoneProps) {
  return (
    <div className="mt-auto flex min-h-7 items-center justify-between gap-3 lowest:hidden">
      <RecentRounds type={type} />
      {betting.isPlayer && !betting.holdsBet && (
        <RepeatBet last={game.latestBets?.bets[0]} betting={betting} onType={onType} />
      )}
    </div>
  )
}
