import { useQuery } from '@tanstack/react-query'
import type { CandleMinutes } from '#domain/market/candles.ts'
import { failureText } from '#web/platform/http.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { candlesQuery } from './api.ts'
import type { ChartBet, ChartRound } from './live-round.ts'
import { marketTexts } from './market-texts.ts'
import type { ChartChoice } from './use-chart-view.ts'

/** The charts' library is large, so this code is loaded after the screen is drawn. */
const loadDrawing = afterDrawing(() => import('./chart-drawing.tsx'))
const loadTradingView = () => import('./trading-view.tsx')

export type GoldChartProps = {
  readonly choice: ChartChoice
  /** The id of the menu's button, which gets the focus when TradingView's chart closes. */
  readonly menuId: string
  /** Null means the source of a round that begins now. Undefined until the round is known. */
  readonly source: string | null | undefined
  /** The bet's round, or without a bet the selected round. Null if there is none, undefined until this is known. */
  readonly round: ChartRound | null | undefined
  /** True if the round could not be loaded. The clock says so, and the chart stays empty. */
  readonly isUnreached?: boolean
  /** A bet that the price decides (rules §1.2), open or just settled. */
  readonly bet: ChartBet | null
  readonly isByPrice: boolean
}

/** Shows the round's prices by second, candles of 1 or 60 minutes, or TradingView's chart (rules §5.7). */
export function GoldChart({ choice, menuId, source, round, isUnreached = false, bet, isByPrice }: GoldChartProps) {
  const { view, isTable, isTradingView } = choice
  return (
    <figure
      className={classNames(
        // With containment, a tick does not make the browser lay out the rest of the page again.
        'relative flex grow flex-col overflow-hidden rounded-m contain-content border border-line bg-surface shadow-card',
        // TradingView's chart has its own controls and needs more height.
        isTradingView ? 'min-h-88' : 'min-h-18',
      )}
    >
      {isTradingView ? (
        <OtherChart
          onBack={() => {
            choice.setIsTradingView(false)
            document.getElementById(menuId)?.focus()
          }}
        />
      ) : (
        <>
          <figcaption className="sr-only">{marketTexts.captions[view]}</figcaption>
          {view !== 'round' && (
            <p className="flex min-h-7 shrink-0 items-center px-3 text-xs text-ink-2">{marketTexts.views[view]}</p>
          )}
          <div className="relative min-h-0 flex-1 *:absolute *:inset-0">
            {view === 'round' ? (
              <Round round={round} isUnreached={isUnreached} bet={bet} isByPrice={isByPrice} isTable={isTable} />
            ) : (
              <Candles
                key={view}
                source={source}
                minutes={view === '1m' ? 1 : 60}
                bet={round?.source === source ? bet : null}
                isTable={isTable}
              />
            )}
          </div>
        </>
      )}
    </figure>
  )
}

type RoundProps = Pick<GoldChartProps, 'round' | 'isUnreached' | 'bet' | 'isByPrice'> & { readonly isTable: boolean }

function Round({ round, isUnreached = false, isTable, ...rest }: RoundProps) {
  const { part, hasFailed, retry } = useLazyPart(loadDrawing)
  if (round === undefined) return isUnreached ? null : <Waiting />
  if (round === null) return <p className={emptyClass}>{marketTexts.noRound}</p>
  if (part !== undefined) return <part.ChartDrawing subject={round} isTable={isTable} {...rest} />
  return hasFailed ? <ChartFailure onRetry={retry} /> : <Waiting />
}

type CandlesProps = Pick<GoldChartProps, 'source' | 'bet'> & {
  readonly minutes: CandleMinutes
  readonly isTable: boolean
}

function Candles({ source, minutes, bet, isTable }: CandlesProps) {
  const { part, hasFailed, retry } = useLazyPart(loadDrawing)
  const { data, error, isFetching, refetch } = useQuery({
    ...candlesQuery(source, minutes),
    // Ticks update the chart's last candle but not the table, so the table needs refetches.
    refetchInterval: isTable && 60_000,
  })
  if (data === undefined) {
    if (error === null) return <Waiting />
    const text = failureText(error, marketTexts.chartFailed)
    return <ChartFailure text={text} isRetrying={isFetching} onRetry={() => void refetch()} />
  }
  if (data.candles.length === 0) return <p className={emptyClass}>{marketTexts.chartEmpty}</p>
  if (part === undefined) return hasFailed ? <ChartFailure onRetry={retry} /> : <Waiting />
  return <part.ChartDrawing subject={data} bet={bet} isByPrice={false} isTable={isTable} />
}

function OtherChart({ onBack }: { readonly onBack: () => void }) {
  const { part, hasFailed, retry } = useLazyPart(loadTradingView)
  if (part !== undefined) return <part.TradingView onBack={onBack} />
  return hasFailed ? <ChartFailure onRetry={retry} /> : <Waiting />
}

const emptyClass = 'grid h-full place-items-center px-4 text-center text-ink-2'

const Waiting = () => <SkeletonGroup className="size-full p-3" shapes={['size-full']} />

type ChartFailureProps = { readonly text?: string; readonly isRetrying?: boolean; readonly onRetry: () => void }

function ChartFailure({ text = marketTexts.chartFailed, isRetrying = false, onRetry }: ChartFailureProps) {
  return (
    <div role="alert" className="flex h-full flex-col items-center justify-center gap-2 px-4 text-center">
      <p className="text-ink-2">{text}</p>
      <Button variant="outline" isBusy={isRetrying} onClick={onRetry}>
        {commonTexts.retry}
      </Button>
    </div>
  )
}
