import { useId } from 'react'
import { type Direction, profitOf } from '#domain/game/bet.ts'
import { RATE_PERCENT, type RoundType } from '#domain/game/calendar.ts'
import { formatAmount, formatWholeAmount } from '#web/platform/formats.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { betButtonId } from './bet-form-id.ts'
import { directionWords } from './bet-words.ts'
import { DecidingBasis } from './disclosure.tsx'
import { gameTexts } from './game-texts.ts'
import type { Betting } from './use-betting.ts'

/**
 * The bet buttons, with a line that describes the order to send or says why they are inactive. A player who holds a bet
 * sees only the line, and staff see nothing.
 */
export function BetButtons({ type, betting }: { readonly type: RoundType; readonly betting: Betting }) {
  const reasonId = useId()
  const { gate, stakeMinor } = betting
  if (!betting.isPlayer) return null
  if (betting.holdsBet) return <Reason id={reasonId}>{gate.isOpen ? '' : gate.reason}</Reason>
  const chosen = betting.chosen?.type === type ? betting.chosen.direction : null
  const change =
    stakeMinor === null || stakeMinor === 0n ? `${RATE_PERCENT[type]}%` : formatAmount(profitOf(type, stakeMinor))
  return (
    <div className="flex flex-col gap-1">
      <DecidingBasis basis={betting.basis} />
      <div className="grid grid-cols-2 gap-2.5">
        {(['up', 'down'] as const).map((direction) => (
          <BetButton
            key={direction}
            direction={direction}
            change={change}
            reasonId={reasonId}
            isMarked={(chosen ?? betting.repeated) === direction}
            betting={betting}
          />
        ))}
      </div>
      <Reason id={reasonId}>{gate.isOpen ? orderText(type, gate.stakeMinor, betting, chosen) : gate.reason}</Reason>
      <p role="alert" className="text-center text-xs font-medium text-down empty:hidden">
        {betting.failure}
      </p>
    </div>
  )
}

function Reason({ id, children }: { readonly id: string; readonly children: string }) {
  return (
    <p
      id={id}
      className="-mx-gutter min-h-[1.4em] text-center text-xs text-ink-2 max-[21rem]:text-[0.6875rem] max-[21rem]:tracking-tight"
    >
      {children}
    </p>
  )
}

/** Describes the order. The side is named if its button opened the practice, or if "Đặt lại" (repeat) filled it in. */
function orderText(type: RoundType, stakeMinor: bigint, { repeated }: Betting, chosen: Direction | null): string {
  const stake = formatWholeAmount(stakeMinor)
  if (chosen !== null) return gameTexts.chosenOrder(sideText(chosen), stake, type)
  const order = gameTexts.order(stake, type)
  return repeated === null ? order : `${order} · ${gameTexts.lastSide(sideText(repeated))}`
}

const sideText = (direction: Direction) => `${directionWords[direction].label} ${directionWords[direction].arrow}`

type BetButtonProps = {
  readonly direction: Direction
  /** The possible win or loss, in points or per cent. */
  readonly change: string
  readonly reasonId: string
  readonly isMarked: boolean
  readonly betting: Betting
}

function BetButton({ direction, change, reasonId, isMarked, betting }: BetButtonProps) {
  const { label, arrow } = directionWords[direction]
  return (
    <button
      type="button"
      id={betButtonId(direction)}
      // A `disabled` button would lose the focus, and a screen reader would not read the reason.
      aria-disabled={!betting.gate.isOpen}
      aria-describedby={reasonId}
      onClick={() => betting.bet(direction)}
      className={classNames(
        buttonClass({ variant: direction, size: 'lg', isWide: true }),
        'flex-col gap-0.5 px-1.5! short:gap-0',
        'short:min-h-13! low:min-h-12!',
        isMarked && 'ring-2 ring-gold ring-offset-2 ring-offset-ground',
        // The border is always there, so that an inactive button has the same room for its text.
        'border border-transparent aria-disabled:cursor-default aria-disabled:border-line aria-disabled:bg-surface-2 aria-disabled:text-ink-3',
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
