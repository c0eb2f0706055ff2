import type { CandleView } from '#contract/market.ts'
import { formatDate, formatGoldNumber, formatMinute } from '#web/platform/formats.ts'
import type { Candles } from './api.ts'
import { CandleChart } from './candle-chart.tsx'
import type { ChartRound } from './live-round.ts'
import { marketTexts } from './market-texts.ts'
import { PriceTable } from './price-table.tsx'
import { RoundView, type RoundViewProps } from './round-view.tsx'

export type ChartDrawingProps = Omit<RoundViewProps, 'round'> & { readonly subject: ChartRound | Candles }

/** Shows the chosen view of the chart. The charts' library is loaded with this component. */
export function ChartDrawing({ subject, ...shown }: ChartDrawingProps) {
  if (!('candles' in subject)) return <RoundView round={subject} {...shown} />
  const { source, minutes, candles } = subject
  if (shown.isTable) return <CandleTable label={marketTexts.captions[minutes === 1 ? '1m' : '60m']} candles={candles} />
  return <CandleChart source={source} minutes={minutes} candles={candles} bet={shown.bet} />
}

const columns = ['open', 'high', 'low', 'close'] as const

/** Shows candles as a table, newest first. The date is visible only in the first row of a day. */
function CandleTable({ label, candles }: { readonly label: string; readonly candles: readonly CandleView[] }) {
  const priced = candles.filter((candle) => candle.close !== undefined).toReversed()
  const rows = priced.map((candle, index) => {
    const date = formatDate(candle.openedAtMs).slice(0, 5)
    const above = priced[index - 1]
    const isNewDay = above === undefined || formatDate(above.openedAtMs).slice(0, 5) !== date
    return {
      key: candle.openedAtMs,
      head: (
        <>
          <span>{formatMinute(candle.openedAtMs)}</span>{' '}
          <span className={isNewDay ? 'block font-normal text-ink-3' : 'sr-only'}>{date}</span>
        </>
      ),
      cells: columns.map((name) => (candle[name] === undefined ? '' : formatGoldNumber(candle[name]))),
    }
  })
  return <PriceTable label={label} columns={columns.map((name) => marketTexts[name])} rows={rows} />
}
