import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ChartCandlestick, ChartSpline, Table } from 'lucide-react'
import { useState } from 'react'
import { failureText } from '#web/platform/http.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { marketTexts } from './market-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { type Candles, candlesQuery } from './api.ts'
import { CandleTable } from './candle-table.tsx'
import type { EntryLine } from './candle-chart.tsx'

/** The library is by far the heaviest part of the screen, so it is fetched after the rest is drawn. */
const loadChart = afterDrawing(() => import('./candle-chart.tsx'))
const loadTradingView = () => import('./trading-view.tsx')

type ChartView = 'candles' | 'table' | 'trading-view'

export type GoldChartProps = {
  /** The selected round's price source; null means the source of a round that begins now; undefined while unknown. */
  readonly source: string | null | undefined
  /** The entry of an open bet that the price decides (rules §1.2). */
  readonly entry: EntryLine | null
  /** Sets the height. */
  readonly className: string
}

/** Gold in candles of 60 minutes with the current price, the same as a table, or TradingView's chart (spec §2, §9). */
export function GoldChart({ source, entry, className }: GoldChartProps) {
  const [view, setView] = useState<ChartView>('candles')
  const query = useQuery(candlesQuery(source))
  const { part: tradingView, hasFailed, retry } = useLazyPart(loadTradingView, view === 'trading-view')
  const isOther = view === 'trading-view'
  return (
    <figure
      className={classNames(
        'relative overflow-hidden rounded-m border border-line bg-surface shadow-card',
        // TradingView's chart has controls of its own and needs more room.
        isOther ? 'h-[22rem]' : className,
      )}
    >
      {isOther ? (
        tradingView !== undefined ? (
          <tradingView.TradingView onBack={() => setView('candles')} />
        ) : hasFailed ? (
          <ChartFailure text={marketTexts.chartFailed} isRetrying={false} onRetry={retry} />
        ) : (
          <Waiting />
        )
      ) : (
        <>
          <ChartContent query={query} entry={entry} isTable={view === 'table'} />
          <ChartCaption hasData={query.data !== undefined} view={view} onView={setView} />
        </>
      )}
    </figure>
  )
}

type ChartContentProps = {
  readonly query: UseQueryResult<Candles>
  readonly entry: EntryLine | null
  readonly isTable: boolean
}

function ChartContent({ query, entry, isTable }: ChartContentProps) {
  const { part: chart, hasFailed, retry } = useLazyPart(loadChart)
  const { data } = query
  if (data === undefined) {
    if (!query.isError) return <Waiting />
    const text = failureText(query.error, marketTexts.chartFailed)
    return <ChartFailure text={text} isRetrying={query.isFetching} onRetry={() => void query.refetch()} />
  }
  if (data.candles.length === 0)
    return <p className="grid h-full place-items-center px-4 text-ink-2">{marketTexts.chartEmpty}</p>
  if (isTable) return <CandleTable candles={data.candles} />
  if (chart !== undefined) return <chart.CandleChart source={data.source} candles={data.candles} entry={entry} />
  return hasFailed ? <ChartFailure text={marketTexts.chartFailed} isRetrying={false} onRetry={retry} /> : <Waiting />
}

function Waiting() {
  return (
    <SkeletonGroup className="size-full p-3">
      <Skeleton className="size-full" />
    </SkeletonGroup>
  )
}

type ChartFailureProps = { readonly text: string; readonly isRetrying: boolean; readonly onRetry: () => void }

function ChartFailure({ text, isRetrying, onRetry }: ChartFailureProps) {
  return (
    <div role="alert" className="flex h-full flex-col items-center justify-center gap-2 px-4 text-center">
      <p className="text-ink-2">{text}</p>
      <Button variant="outline" isBusy={isRetrying} onClick={onRetry}>
        {commonTexts.retry}
      </Button>
    </div>
  )
}

type ChartCaptionProps = {
  readonly hasData: boolean
  readonly view: ChartView
  readonly onView: (view: ChartView) => void
}

/** Above the candles: the buttons to the table and to TradingView, the chart's caption, and the library's credit. */
function ChartCaption({ hasData, view, onView }: ChartCaptionProps) {
  const isTable = view === 'table'
  const Icon = isTable ? ChartCandlestick : Table
  return (
    <figcaption className="pointer-events-none absolute -top-1.5 left-0 z-[3] flex items-center text-xs text-ink-3">
      {hasData ? (
        <button
          type="button"
          aria-pressed={isTable}
          aria-label={marketTexts.showTable}
          title={isTable ? marketTexts.showChart : marketTexts.showTable}
          onClick={() => onView(isTable ? 'candles' : 'table')}
          className="pointer-events-auto grid size-target shrink-0 place-items-center rounded-s text-ink-2 transition-colors hover:text-ink focus-visible:-outline-offset-8"
        >
          <Icon aria-hidden size={18} strokeWidth={1.8} />
        </button>
      ) : (
        <span className="size-target shrink-0" />
      )}
      <button
        type="button"
        aria-label={marketTexts.showTradingView}
        title={marketTexts.showTradingView}
        onClick={() => onView('trading-view')}
        className="pointer-events-auto -ml-2 grid size-target shrink-0 place-items-center rounded-s text-ink-2 transition-colors hover:text-ink focus-visible:-outline-offset-8"
      >
        <ChartSpline aria-hidden size={18} strokeWidth={1.8} />
      </button>
      <span className="sr-only">{marketTexts.chart}</span>
      {hasData && !isTable && (
        <>
          <span aria-hidden className="max-[23rem]:hidden">
            {marketTexts.chartLegend}&nbsp;·&nbsp;
          </span>
          {/* The library's licence requires the credit with its link. */}
          <a
            href="https://www.tradingview.com/"
            target="_blank"
            rel="noreferrer"
            className="pointer-events-auto py-3 underline underline-offset-2 hover:text-ink"
          >
            {marketTexts.attribution}
          </a>
        </>
      )}
    </figcaption>
  )
}
