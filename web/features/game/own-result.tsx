import { AmountText } from '#web/ui/amounts.tsx'
import { Card } from '#web/ui/card.tsx'
import type { GameBet } from './api.ts'
import { betCause } from './bet-cause.ts'
import { statusWords } from './bet-words.ts'
import { betsTexts } from './bets-texts.ts'

export function OwnResult({ bet }: { readonly bet: GameBet }) {
  return (
    <Card aria-label={betsTexts.yours} className="flex flex-col gap-1 print:shadow-none">
      <h2 className="flex flex-wrap items-baseline gap-x-2 text-xl leading-tight font-semibold tracking-tight">
        <span>
          {betsTexts.yours}: {statusWords[bet.status].label}
        </span>
        {bet.profitMinor !== null && <AmountText amountMinor={bet.profitMinor} kind="signed" hasUnit />}
      </h2>
      <p className="text-sm text-ink-2 tabular-nums">{betCause(bet)}</p>
    </Card>
  )
}
