import { useId } from 'react'
import { type Basis, type Direction, profitOf } from '#domain/game/bet.ts'
import { RATE_PERCENT, type RoundType } from '#domain/game/calendar.ts'
import { formatAmount } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import type { Gate } from './bet-gate.ts'
import { directionWords } from './bet-words.ts'
import { DecidingBasis } from './disclosure.tsx'

export type BetButtonsProps = {
  readonly type: RoundType
  readonly gate: Gate
  /** What would decide, told here whenever it is not the price. */
  readonly basis: Basis
  /** Minor units; null while no stake is chosen. */
  readonly stakeMinor: bigint | null
  readonly isSending: boolean
  /** What went wrong with the last order or press. */
  readonly failure: string | null
  readonly onBet: (direction: Direction) => void
}

/** Mua and Bán with what each can win and lose, and beneath them why they are closed. */
export function BetButtons({ type, gate, basis, stakeMinor, isSending, failure, onBet }: BetButtonsProps) {
  const reasonId = useId()
  const change =
    stakeMinor === null || stakeMinor === 0n ? `${RATE_PERCENT[type]}%` : formatAmount(profitOf(type, stakeMinor))
  return (
    <div className="flex flex-col gap-1">
      <DecidingBasis basis={basis} />
      <div className="grid grid-cols-2 gap-2.5">
        {(['up', 'down'] as const).map((direction) => (
          <button
            key={direction}
            type="button"
            // Not `disabled`: the focus stays, and a screen reader can come here to learn the reason.
            aria-disabled={!gate.isOpen}
            aria-describedby={reasonId}
            onClick={() => gate.isOpen && onBet(direction)}
            className={classNames(
              buttonClass({ variant: direction, size: 'lg', isWide: true }),
              'flex-col gap-0.5 px-1.5!',
              'aria-disabled:cursor-default aria-disabled:border aria-disabled:border-line aria-disabled:bg-surface-2 aria-disabled:text-ink-3',
            )}
          >
            <span>
              {directionWords[direction].label} <span aria-hidden>{directionWords[direction].arrow}</span>
            </span>
            <span className="text-xs font-medium text-balance tabular-nums">{gameTexts.canWinOrLose(change)}</span>
            {isSending && (
              <span
                aria-hidden
                className="absolute inset-x-0 bottom-0 h-1 origin-left animate-await bg-current opacity-70"
              />
            )}
          </button>
        ))}
      </div>
      <p id={reasonId} className="-mx-2 min-h-[1.4em] text-center text-xs text-ink-2">
        {gate.isOpen ? '' : gate.reason}
      </p>
      <p role="alert" className="text-center text-xs font-medium text-down empty:hidden">
        {failure}
      </p>
    </div>
  )
}
