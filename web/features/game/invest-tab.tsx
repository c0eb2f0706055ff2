import type { RoundType } from '#domain/game/calendar.ts'
import { Banner } from '#web/ui/banner.tsx'
import { gameTexts } from './game-texts.ts'
import { RecentRounds } from './recent-rounds.tsx'
import { RoundClock } from './round-clock.tsx'
import { StakePicker } from './stake-picker.tsx'
import { TypeSelector } from './type-selector.tsx'
import type { Betting } from './use-betting.ts'
import type { Game } from './use-game.ts'

export type InvestTabProps = {
  readonly type: RoundType
  readonly onType: (type: RoundType) => void
  readonly game: Game
  readonly betting: Betting
}

/** The type, the round's clock, the latest results and the stake; for staff, a note that they do not play. */
export function InvestTab({ type, onType, game, betting }: InvestTabProps) {
  return (
    <div className="flex flex-col gap-gap pt-3">
      <TypeSelector value={type} onChange={onType} />
      <div className="flex flex-col gap-1">
        <RoundClock view={game.view} type={type} />
        <RecentRounds type={type} />
      </div>
      {betting.isPlayer ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            betting.askForDirection()
          }}
        >
          <StakePicker value={betting.stake} onChange={betting.setStake} />
        </form>
      ) : (
        <Banner tone="info">{gameTexts.staffDoNotPlay}</Banner>
      )}
    </div>
  )
}
