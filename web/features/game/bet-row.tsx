import { formatCount, formatDay, formatGoldNumber, formatTime } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import type { GameBet } from './api.ts'
import { basisWords, directionWords, statusWords, voidWords } from './bet-words.ts'

export type BetRowProps = {
  readonly bet: GameBet
  /** The row itself leads to the bet, so that its round's number can't lead elsewhere. */
  readonly isLink?: boolean
}

/** A bet in a list: direction, stake, outcome, round, and the prices that decided it. */
export function BetRow({ bet, isLink = false }: BetRowProps) {
  const round = gameTexts.round(formatCount(bet.round.roundNumber))
  const status = statusWords[bet.status]
  const direction = directionWords[bet.direction]
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <span className={bet.direction === 'up' ? 'font-semibold text-up' : 'font-semibold text-down'}>
          <span aria-hidden>{direction.arrow}</span> {direction.label}
        </span>
        <AmountText amountMinor={bet.stakeMinor} kind="whole" hasUnit className="text-ink-2" />
        <span className="ml-auto flex items-center gap-2">
          {bet.profitMinor !== null && bet.status !== 'voided' && (
            <AmountText amountMinor={bet.profitMinor} kind="signed" className="text-base font-semibold" />
          )}
          <Badge tone={status.tone}>{status.label}</Badge>
        </span>
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3 tabular-nums">
        <span>
          <span>{`${bet.round.type} · `}</span>
          {isLink ? <span>{round}</span> : <RoundLink roundId={bet.round.id}>{round}</RoundLink>}
        </span>
        <span>
          {formatDay(bet.createdAtMs, serverNowMs())} {formatTime(bet.createdAtMs)}
        </span>
      </p>
      <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-2 tabular-nums">
        <span>
          {bet.voidReason === null ? basisWords[bet.basis] : `${basisWords[bet.basis]} · ${voidWords[bet.voidReason]}`}
        </span>
        {bet.basis === 'PRICE' && (
          <span translate="no">
            <span className="sr-only">{gameTexts.entryPrice} </span>
            {priceText(bet.entryPrice)} <span aria-hidden>→</span>
            <span className="sr-only">, {gameTexts.exitPrice}</span> {priceText(bet.exitPrice)}
          </span>
        )}
      </p>
    </div>
  )
}

const priceText = (price: number | null) => (price === null ? '–' : formatGoldNumber(price))
