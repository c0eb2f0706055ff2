import { useQuery } from '@tanstack/react-query'
import type { GameBet } from './api.ts'
import { betsTexts } from './bets-texts.ts'
import { betTicksQuery } from './own-bets-api.ts'
import { auditTicks } from './own-bets-words.ts'
import { TickLine } from './tick-line.tsx'

/** The prices that decided a settled bet. It keeps its size while loading or without prices, so that nothing jumps. */
export function BetPicture({ bet }: { readonly bet: GameBet }) {
  const { data, isError } = useQuery(betTicksQuery(bet.id))
  const ticks = data === undefined ? [] : auditTicks(bet, data)
  const hasPrice = ticks.some(({ price }) => price !== null)
  const missing = isError ? betsTexts.pictureFailed : data !== undefined && !hasPrice ? betsTexts.noPrices : null
  return (
    <div className="relative">
      <TickLine bet={bet} ticks={hasPrice ? ticks : []} />
      {missing !== null && (
        <p className="absolute inset-x-0 top-0 grid h-2/3 place-items-center px-4 text-center text-sm text-ink-2">
          {missing}
        </p>
      )}
    </div>
  )
}
