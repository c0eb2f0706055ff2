import { formatCount, formatDay, formatGoldNumber, formatTime, formatWholeAmount } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { useTodayMs } from '#web/platform/ticker.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import type { GameBet } from './api.ts'
import { betTitle } from './bet-title.ts'
import { basisWords, directionWords, voidWords } from './bet-words.ts'

export type BetRowProps = {
  readonly bet: GameBet
  /** True if the row is inside a link to the bet. The round number is then no link, since links can't be nested. */
  readonly isLink?: boolean
}

/** Shows a bet with its result and what decided it (rules §1.2). */
export function BetRow({ bet, isLink = false }: BetRowProps) {
  const todayMs = useTodayMs()
  const round = gameTexts.round(formatCount(bet.round.roundNumber))
  const why = [
    ...(bet.basis === 'PRICE' ? [] : [basisWords[bet.basis]]),
    ...(bet.voidReason === null ? [] : [voidWords[bet.voidReason]]),
  ]
  return (
    <div className="flex flex-col gap-0.5">
      <div className="flex items-baseline justify-between gap-x-3">
        <span className="font-medium">
          <span aria-hidden>{directionWords[bet.direction].arrow} </span>
          {betTitle({ ...bet, type: bet.round.type })}
        </span>
        {bet.profitMinor !== null && (
          <AmountText amountMinor={bet.profitMinor} kind="signed" className="text-base font-semibold" />
        )}
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3 tabular-nums">
        <span>
          <span>{`${formatWholeAmount(bet.stakeMinor)} ${commonTexts.points} · `}</span>
          {isLink ? <span>{round}</span> : <RoundLink roundId={bet.round.id}>{round}</RoundLink>}
        </span>
        <span>
          {formatDay(bet.createdAtMs, todayMs)} {formatTime(bet.createdAtMs)}
        </span>
      </p>
      <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-2 tabular-nums">
        {bet.basis === 'PRICE' && bet.entryPrice !== null && (
          <span translate="no">
            <span className="sr-only">{gameTexts.entryPrice} </span>
            {priceText(bet.entryPrice)} <span aria-hidden>→</span>
            <span className="sr-only">, {gameTexts.exitPrice}</span> {priceText(bet.exitPrice)}
          </span>
        )}
        {why.length > 0 && <span>{why.join(' · ')}</span>}
      </p>
    </div>
  )
}

const priceText = (price: number | null) => (price === null ? '–' : formatGoldNumber(price))
