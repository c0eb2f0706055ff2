import { useId } from 'react'
import { type Direction, profitOf } from '#domain/game/bet.ts'
import { RATE_PERCENT, type RoundType } from '#domain/game/calendar.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { directionWords } from './bet-words.ts'
import { DecidingBasis } from './disclosure.tsx'
import { gameTexts } from './game-texts.ts'
import type { Betting } from './use-betting.ts'

export type BetButtonsProps = { readonly type: RoundType; readonly betting: Betting }

/**
 * Mua and Bán with the possible win and loss, and beneath them the reason why they are closed. Staff do not play and
 * see no buttons.
 */
export function BetButtons({ type, betting }: BetButtonsProps) {
  const reasonId = useId()
  const { gate, stakeMinor } = betting
  if (!betting.isPlayer) return null
  const change =
    stakeMinor === null || stakeMinor === 0n ? `${RATE_PERCENT[type]}%` : formatAmount(profitOf(type, stakeMinor))
  return (
    <div className="flex flex-col gap-1">
      <DecidingBasis basis={betting.basis} />
      <div className="grid grid-cols-2 gap-2.5">
        {(['up', 'down'] as const).map((direction) => (
          <BetButton key={direction} direction={direction} change={change} reasonId={reasonId} betting={betting} />
        ))}
      </div>
      <p id={reasonId} className="-mx-2 min-h-[1.4em] text-center text-xs text-ink-2">
        {gate.isOpen ? '' : gate.reason}
      </p>
      <p role="alert" className="text-center text-xs font-medium text-down empty:hidden">
        {betting.failure}
      </p>
    </div>
  )
}

type BetButtonProps = {
  readonly direction: Direction
  /** The possible win or loss, in points or per cent. */
  readonly change: string
  readonly reasonId: string
  readonly betting: Betting
}

function BetButton({ direction, change, reasonId, betting }: BetButtonProps) {
  const { label, arrow } = directionWords[direction]
  return (
    <button
      type="button"
      // Not `disabled`: the button keeps the focus, and a screen reader can reach it and read the reason.
      aria-disabled={!betting.gate.isOpen}
      aria-describedby={reasonId}
      onClick={() => betting.bet(direction)}
      className={classNames(
        buttonClass({ variant: direction, size: 'lg', isWide: true }),
        'flex-col gap-0.5 px-1.5!',
        'aria-disabled:cursor-default aria-disabled:border aria-disabled:border-line aria-disabled:bg-surface-2 aria-disabled:text-ink-3',
      )}
    >
      <span>
        {label} <span aria-hidden>{arrow}</span>
      </span>
      <span className="text-xs font-medium text-balance tabular-nums">{gameTexts.canWinOrLose(change)}</span>
      {betting.isSending && (
        <span aria-hidden className="absolute inset-x-0 bottom-0 h-1 origin-left animate-await bg-current opacity-70" />
      )}
    </button>
  )
}
