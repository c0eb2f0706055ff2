import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { formatAge, formatGoldDifference, formatGoldPrice } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { marketTexts } from './market-texts.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Candles, candlesQuery } from './api.ts'
import type { ChartBet } from './live-round.ts'
import { feedStateAt, newestPrice, onLivePrice, onPriceOrSecond, priceAt } from '#web/platform/live-prices.ts'

export type PriceHeadlineProps = {
  /** Null means the source of a round that begins now. Undefined until the round is known. */
  readonly source: string | null | undefined
  readonly sourceLabel: string | null
  readonly openPrice: number | null
  readonly opensAtMs: number | null
  /** If the bet has its entry price, the change is shown relative to that price. */
  readonly bet: ChartBet | null
}

/** Shows the gold price. Price and age are written through refs, so that React need not render at each tick. */
export function PriceHeadline({ source: roundSource, sourceLabel, openPrice, opensAtMs, bet }: PriceHeadlineProps) {
  // The candles provide the price until the first tick, and the source if there is no round.
  const { data } = useQuery({ ...candlesQuery(roundSource), select: summary })
  const firstPrice = data?.close
  const source = roundSource ?? data?.source
  const ageRef = useRef<HTMLSpanElement>(null)
  const dotRef = useRef<HTMLSpanElement>(null)

  useLayoutEffect(() => {
    if (source === undefined) return
    const draw = () => {
      const live = newestPrice(source)
      if (ageRef.current === null || dotRef.current === null) return
      const ageMs = live === undefined ? Number.POSITIVE_INFINITY : serverNowMs() - live.quoteAtMs
      write(ageRef.current, live === undefined ? marketTexts.noPriceYet : formatAge(ageMs))
      const state = feedStateAt(ageMs)
      dotRef.current.dataset['feed'] = state
      ageRef.current.dataset['feed'] = live === undefined ? 'fresh' : state
    }
    draw()
    return onPriceOrSecond(draw)
  }, [source])

  return (
    <section
      aria-label={marketTexts.price}
      className="flex min-h-[3.4rem] flex-wrap items-end justify-between gap-x-3 tabular-nums low:min-h-12"
    >
      {source !== undefined && (firstPrice !== undefined || newestPrice(source) !== undefined) ? (
        <Price source={source} firstPrice={firstPrice} openPrice={openPrice} opensAtMs={opensAtMs} bet={bet} />
      ) : (
        <Skeleton className="h-12 w-40" />
      )}
      <p className="min-w-0 flex-1 basis-[min(100%,5.5rem)] text-right text-xs text-ink-3">
        <span className="block [overflow-wrap:anywhere]">
          <span
            ref={dotRef}
            aria-hidden
            data-feed="silent"
            className="mr-1.5 inline-block size-2 rounded-pill bg-control data-[feed=fresh]:bg-up-fill data-[feed=late]:bg-warn"
          />
          <span>{sourceLabel ?? data?.label}</span>
        </span>
        <span
          ref={ageRef}
          translate="no"
          className="block text-balance data-[feed=late]:text-warn data-[feed=silent]:font-medium data-[feed=silent]:text-down"
        />
      </p>
    </section>
  )
}

type PriceProps = Pick<PriceHeadlineProps, 'openPrice' | 'opensAtMs' | 'bet'> & {
  readonly source: string
  readonly firstPrice: number | undefined
}

function Price({ source, firstPrice, openPrice, opensAtMs, bet }: PriceProps) {
  const priceRef = useRef<HTMLParagraphElement>(null)
  const changeRef = useRef<HTMLSpanElement>(null)
  const entryPrice = bet?.entryPrice ?? null
  const entrySecond = bet?.entrySecond ?? null

  useLayoutEffect(() => {
    const draw = () => {
      const live = newestPrice(source)
      const price = live?.price ?? firstPrice
      if (price === undefined || priceRef.current === null || changeRef.current === null) return
      write(priceRef.current, formatGoldPrice(price))
      const opensAt = opensAtMs === null ? null : opensAtMs / 1000
      const since = entryPrice === null ? opensAt : (entrySecond ?? 0)
      const base = since === null ? undefined : (entryPrice ?? openPrice ?? priceAt(source, since))
      // A price from before `since` says nothing about the change since then.
      const isLater = live !== undefined && since !== null && live.second >= since
      writeChange(
        changeRef.current,
        isLater && base !== undefined ? live.price - base : null,
        entryPrice === null ? marketTexts.sinceOpening : marketTexts.sinceEntry,
      )
    }
    draw()
    return onLivePrice(draw)
  }, [source, firstPrice, openPrice, opensAtMs, entryPrice, entrySecond])

  return (
    <div className="shrink-0">
      <p
        ref={priceRef}
        translate="no"
        className="text-[length:min(var(--text-xl),14vw)] leading-[1.2] font-semibold tracking-tight low:leading-none"
      />
      <p className="min-h-5 text-sm font-medium low:min-h-4.5 low:leading-tight">
        <span ref={changeRef} translate="no" className="text-ink-2" />
      </p>
    </div>
  )
}

const summary = ({ source, label, candles }: Candles) => ({
  source,
  label,
  close: candles.findLast((candle) => candle.close !== undefined)?.close,
})

function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Writes the change, such as `▲ 6.420 so với giá mở`, or nothing while it is unknown. */
function writeChange(element: HTMLElement, change: number | null, since: string): void {
  if (change === null) return write(element, '')
  // The text has no colour, because a green rise would look like a win to a player who chose Bán.
  write(element, `${change > 0 ? '▲ ' : change < 0 ? '▼ ' : ''}${formatGoldDifference(change)} ${since}`)
}
