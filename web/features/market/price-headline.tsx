import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { formatAge, formatGoldChange, formatGoldPrice, formatSignedPercent, formatTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { marketTexts } from './market-texts.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { tint } from '#web/ui/amounts.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Candles, candlesQuery } from './api.ts'
import { feedStateAt, type LivePrice, newestPrice, onLivePrice, priceAt } from '#web/platform/live-prices.ts'

export type PriceHeadlineProps = {
  /** The selected round's price source; null means the source of a round that begins now; undefined while unknown. */
  readonly source: string | null | undefined
  /** The source in words; null without a round. */
  readonly sourceLabel: string | null
  /** The selected round's opening price, for comparison. */
  readonly openPrice: number | null
  readonly opensAtMs: number | null
}

/**
 * The price in large type, its change since the round opened, its source and its age. Written through refs at each tick
 * and second, so that React renders nothing in between.
 */
export function PriceHeadline({ source: roundSource, sourceLabel, openPrice, opensAtMs }: PriceHeadlineProps) {
  // The first price, until a tick or a round provides one.
  const { data } = useQuery({ ...candlesQuery(roundSource), select: summary })
  const firstPrice = data?.close
  const source = roundSource ?? data?.source
  const priceRef = useRef<HTMLParagraphElement>(null)
  const changeRef = useRef<HTMLSpanElement>(null)
  const ageRef = useRef<HTMLSpanElement>(null)
  const dotRef = useRef<HTMLSpanElement>(null)

  useLayoutEffect(() => {
    if (source === undefined) return
    let shown: number | undefined
    const drawPrice = () => {
      const price = newestPrice(source)?.price ?? firstPrice
      if (price === undefined || priceRef.current === null) return
      if (shown !== undefined && price !== shown) tint(priceRef.current, price > shown ? 'up' : 'down')
      shown = price
      write(priceRef.current, formatGoldPrice(price))
      const opened = openPrice ?? (opensAtMs === null ? undefined : priceAt(source, opensAtMs / 1000))
      if (changeRef.current !== null) writeChange(changeRef.current, price, opened)
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
  }, [source, firstPrice, openPrice, opensAtMs])

  const hasPrice = source !== undefined && (firstPrice !== undefined || newestPrice(source) !== undefined)
  return (
    <section
      aria-label={marketTexts.price}
      className="flex min-h-[3.4rem] flex-wrap items-end justify-between gap-x-3 tabular-nums"
    >
      {hasPrice ? (
        <div className="shrink-0">
          <p ref={priceRef} className="text-xl font-semibold tracking-tight" />
          <p className="min-h-5 text-sm font-medium">
            <span
              ref={changeRef}
              className="text-ink-3 data-[way=down]:text-down data-[way=up]:text-up"
              title={marketTexts.sinceOpening}
            />
            <span className="sr-only">{marketTexts.sinceOpening}</span>
          </p>
        </div>
      ) : (
        <Skeleton className="h-12 w-40" />
      )}
      <p className="min-w-0 flex-1 text-right text-xs text-ink-3">
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

/** Writes "▲ +6.420 (+0.16%)"; nothing while the opening price is unknown. */
function writeChange(element: HTMLElement, price: number, opened: number | undefined): void {
  if (opened === undefined) {
    write(element, '')
    return
  }
  const change = price - opened
  const way = change > 0 ? 'up' : change < 0 ? 'down' : 'flat'
  element.dataset['way'] = way
  write(element, `${arrows[way]}${formatGoldChange(change)} (${formatSignedPercent((change / opened) * 100)})`)
}

const arrows = { up: '▲ ', down: '▼ ', flat: '' } as const
