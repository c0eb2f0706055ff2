import type { Candles } from './api.ts'
import { CandleChart } from './candle-chart.tsx'
import { CandleTable } from './candle-table.tsx'
import type { ChartBet, ChartRound } from './live-round.ts'
import { marketTexts } from './market-texts.ts'
import { RoundView } from './round-view.tsx'

export type ChartDrawingProps = {
  readonly subject: ChartRound | Candles
  readonly bet: ChartBet | null
  readonly isByPrice: boolean
  readonly isTable: boolean
}

/** Everything that is loaded with the charts' library. */
export function ChartDrawing({ subject, bet, isByPrice, isTable }: ChartDrawingProps) {
  if (!('candles' in subject)) return <RoundView round={subject} bet={bet} isByPrice={isByPrice} isTable={isTable} />
  const { source, minutes, candles } = subject
  if (isTable) return <CandleTable label={marketTexts.captions[minutes === 1 ? '1m' : '60m']} candles={candles} />
  return <CandleChart source={source} minutes={minutes} candles={candles} bet={bet} />
}
