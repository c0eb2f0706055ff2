import type { CandleView } from '#contract/market.ts'
import { formatDate, formatGoldNumber, formatMinute } from '#web/platform/formats.ts'
import { marketTexts } from './market-texts.ts'

const columns = [
  ['open', marketTexts.open],
  ['high', marketTexts.high],
  ['low', marketTexts.low],
  ['close', marketTexts.close],
] as const

/** The chart's numbers as a table, for users who can't see the chart; newest first. */
export function CandleTable({ candles }: { readonly candles: readonly CandleView[] }) {
  const rows = candles.filter((candle) => candle.close !== undefined).toReversed()
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={marketTexts.chart}
      className="size-full overflow-auto focus-visible:-outline-offset-2"
    >
      <table className="w-full text-right text-xs whitespace-nowrap tabular-nums">
        <caption className="sr-only">{marketTexts.chart}</caption>
        <thead>
          <tr>
            <th scope="col" className="sticky top-0 h-8 bg-surface-2 pr-2 pl-11 text-left font-medium text-ink-2">
              {marketTexts.time}
            </th>
            {columns.map(([name, label]) => (
              <th key={name} scope="col" className="sticky top-0 bg-surface-2 px-1.5 font last:pr-3-medium text-ink-2">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((candle) => (
            <tr key={candle.openedAtMs} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-2 pl-3 text-left font-medium">
                {formatMinute(candle.openedAtMs)}{' '}
                <span className="font-normal text-ink-3">{formatDate(candle.openedAtMs).slice(0, 5)}</span>
              </th>
              {columns.map(([name]) => (
                <td key={name} className="px-1.5 py-1.5 last:pr-3">
                  {candle[name] === undefined ? '' : formatGoldNumber(candle[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
