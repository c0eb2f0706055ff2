import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { formatAge, formatGoldDifference, formatGoldPrice, formatTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { marketTexts } from './market-texts.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { tint } from '#web/ui/amounts.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Candles, candlesQuery } from './api.ts'
import type { ChartBet } from './live-round.ts'
import { feedStateAt, type LivePrice, newestPrice, onLivePrice, priceAt } from '#web/platform/live-prices.ts'

export type PriceHeadlineProps = {
  /** The selected round's price source; null means the source of a round that begins now; undefined while unknown. */
  readonly source: string | null | undefined
  /** The source in words; null without a round. */
  readonly sourceLabel: string | null
  /** The selected round's opening price, for comparison. */
  readonly openPrice: number | null
  readonly opensAtMs: number | null
  /** The bet whose entry the price is compared with, once the entry is known; null without one. */
  readonly bet: ChartBet | null
}

/**
 * The price in large type, its change since the bet's entry or else since the round opened, its source and its age. Written through refs at each tick
 * and second, so that React renders nothing in between.
 */
export function PriceHeadline({ source: roundSource, sourceLabel, openPrice, opensAtMs, bet }: PriceHeadlineProps) {
  // The first price, until a tick or a round provides one.
  const { data } = useQuery({ ...candlesQuery(roundSource), select: summary })
  const firstPrice = data?.close
  const source = roundSource ?? data?.source
  const priceRef = useRef<HTMLParagraphElement>(null)
  const changeRef = useRef<HTMLSpanElement>(null)
  const ageRef = useRef<HTMLSpanElement>(null)
  const dotRef = useRef<HTMLSpanElement>(null)
  const entryPrice = bet?.entryPrice ?? null
  const entrySecond = bet?.entrySecond ?? null

  useLayoutEffect(() => {
    if (source === undefined) return
    let shown: number | undefined
    const drawPrice = () => {
      const price = newestPrice(source)?.price ?? firstPrice
      if (price === undefined || priceRef.current === null) return
      if (shown !== undefined && price !== shown) tint(priceRef.current, price > shown ? 'up' : 'down')
      shown = price
      write(priceRef.current, formatGoldPrice(price))
      if (changeRef.current === null) return
      const live = newestPrice(source)
      const open =
        opensAtMs === null ? null : { price: openPrice ?? priceAt(source, opensAtMs / 1000), second: opensAtMs / 1000 }
      const base = entryPrice === null ? open : { price: entryPrice, second: entrySecond ?? 0 }
      // A price from before the base says nothing about the change since then.
      const isLater = live !== undefined && base !== null && live.second >= base.second
      writeChange(
        changeRef.current,
        isLater && base.price !== undefined ? live.price - base.price : null,
        entryPrice === null ? marketTexts.sinceOpening : marketTexts.sinceEntry,
      )
    }
    const drawAge = () => {
      const live = newestPrice(source)
      if (ageRef.current === null || dotRef.current === null) return
      const ageMs = live === undefined ? Number.POSITIVE_INFINITY : serverNowMs() - live.quoteAtMs
      write(ageRef.current, live === undefined ? marketTexts.noPriceYet : ageLine(live, ageMs))
      const state = feedStateAt(ageMs)
      dotRef.current.dataset['feed'] = state
      ageRef.current.dataset['feed'] = live === undefined ? 'fresh' : state
    }
    const draw = () => {
      drawPrice()
      drawAge()
    }
    draw()
    const stops = [onLivePrice(draw), onEachSecond(drawAge)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [source, firstPrice, openPrice, opensAtMs, entryPrice, entrySecond])

  const hasPrice = source !== undefined && (firstPrice !== undefined || newestPrice(source) !== undefined)
  return (
    <section
      aria-label={marketTexts.price}
      className="flex min-h-[3.4rem] flex-wrap items-end low:min-h-12 justify-between gap-x-3 tabular-nums"
    >
      {hasPrice ? (
        <div className="shrink-0">
          <p
            ref={priceRef}
            className="text-[length:min(var(--text-xl),14vw)] leading-[1.2] font-semibold tracking-tight low:leading-none"
          />
          <p className="min-h-5 text-sm font-medium low:min-h-4.5 low:leading-tight">
            <span ref={changeRef} className="text-ink-3 data-[way=down]:text-down data-[way=up]:text-up" />
          </p>
        </div>
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
          {sourceLabel ?? data?.label}
        </span>
        <span
          ref={ageRef}
          className="block text-balance data-[feed=late]:text-warn data-[feed=silent]:font-medium data-[feed=silent]:text-down"
        />
      </p>
    </section>
  )
}

const summary = ({ source, label, candles }: Candles) => ({
  source,
  label,
  close: candles.findLast((candle) => candle.close !== undefined)?.close,
})

const ageLine = (live: LivePrice, ageMs: number) => `${formatTime(live.quoteAtMs)} · ${formatAge(ageMs)}`

function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Writes "▲ 6.420 so với giá mở"; nothing while the change is unknown. */
function writeChange(element: HTMLElement, change: number | null, since: string): void {
  if (change === null) {
    write(element, '')
    return
  }
  const way = change > 0 ? 'up' : change < 0 ? 'down' : 'flat'
  element.dataset['way'] = way
  write(element, `${arrows[way]}${formatGoldDifference(change)} ${since}`)
}

const arrows = { up: '▲ ', down: '▼ ', flat: '' } as const
