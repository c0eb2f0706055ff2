import type { RoundType } from '#domain/game/calendar.ts'
import { formatWholeAmount } from '#web/platform/formats.ts'
import { RotateCcw } from '#web/ui/icons/rotate-ccw.tsx'
import type { GameBet } from './api.ts'
import { directionWords } from './bet-words.ts'
import { gameTexts } from './game-texts.ts'
import type { Betting } from './use-betting.ts'

export type RepeatBetProps = {
  readonly last: GameBet | undefined
  readonly betting: Betting
  readonly onType: (type: RoundType) => void
}

/** "Đặt lại": fills in the type, stake and side of the last bet. It places nothing and takes no focus (rules §8). */
export function RepeatBet({ last, betting, onType }: RepeatBetProps) {
  if (last === undefined) return null
  const stake = formatWholeAmount(last.stakeMinor)
  const what = gameTexts.repeatWhat(directionWords[last.direction].label, stake, last.round.type)
  return (
    <button
      type="button"
      aria-label={what}
      title={what}
      onClick={() => {
        onType(last.round.type)
        betting.repeat(last)
      }}
      className="relative flex shrink-0 items-center gap-1 rounded-s px-1 text-xs font-medium text-gold after:absolute after:-inset-x-2 after:-inset-y-2 hover:underline"
    >
      <RotateCcw aria-hidden size={14} strokeWidth={1.8} />
      {gameTexts.repeat}
    </button>
  )
}
