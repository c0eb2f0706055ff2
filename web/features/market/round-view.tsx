import { useEffect, useRef, useState, useReducer } from 'react'
import { ReadAlong, timedPrice } from '#web/ui/read-along.tsx'
import { priceScaleWidth } from './chart-base.ts'
import {
  type RoundPicture,
  ticksOf,
  type ChartBet,
  type ChartRound,
  type Lead,
  leadOf,
  pointsOf,
  type RoundTick,
  hasHole,
} from './live-round.ts'
import { marketTexts } from './market-texts.ts'
import { createRoundDrawing, type RoundDrawing } from './round-drawing.ts'
import {
  formatGoldChange,
  formatGoldNumber,
  formatTime,
  formatGoldPrice,
  remainingSeconds,
} from '#web/platform/formats.ts'
import { onLivePrice, recordedTicks, feedStateAt, newestPrice } from '#web/platform/live-prices.ts'
import { PriceTable } from './price-table.tsx'
import { serverNowMs } from '#web/platform/server-time.ts'
import { together } from '#web/platform/signal.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { useQuery } from '@tanstack/react-query'
import { onConnectionChanged } from '#web/platform/socket.ts'
import { ticksQuery } from './api.ts'

export type RoundViewProps = Omit<RoundPicture, 'fetched'> & { readonly isTable: boolean }

export function RoundView({ isTable, ...shown }: RoundViewProps) {
  const picture = { ...shown, fetched: useMissedTicks(shown.round) }
  return (
    <div className="flex h-full flex-col">
      <RoundStatus {...picture} />
      <div className="min-h-0 flex-1">{isTable ? <RoundTable {...picture} /> : <RoundLine {...picture} />}</div>
    </div>
  )
}

function RoundLine({ round, bet, isByPrice, fetched }: RoundPicture) {
  const hostRef = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<RoundDrawing>()
  useEffect(() => {
    if (hostRef.current === null) return
    const made = createRoundDrawing(hostRef.current)
    setDrawing(made)
    return made.remove
  }, [])
  useEffect(() => drawing?.show({ round, bet, isByPrice, fetched }), [drawing, round, bet, isByPrice, fetched])
  return (
    <ReadAlong
      label={marketTexts.captions.round}
      xs={() => drawing?.xs() ?? []}
      textOf={(at) => timedPrice(drawing?.points()[at])}
      drawn={{ onRead: (at) => drawing?.read(at), scaleWidth: priceScaleWidth }}
      className="size-full"
    >
      <div ref={hostRef} className="pointer-events-none size-full" />
    </ReadAlong>
  )
}

/** Lists the seconds, newest first, with the price and its difference from the entry or else the opening price. */
export function RoundTable({ round, bet, fetched }: Omit<RoundPicture, 'isByPrice'>) {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => onLivePrice(({ source }) => source === round.source && drawAgain()), [round.source])
  const ticks = ticksOf(round, fetched, recordedTicks(round.source))
  const entry = bet?.entryPrice ?? null
  const base = entry ?? ticks.find(({ second }) => second === round.opensAtMs / 1000)?.price ?? round.openPrice
  const rows = ticks.toReversed().map(({ second, price }) => ({
    key: second,
    head: (
      <>
        <span>{formatTime(second * 1000)}</span>{' '}
        {second === bet?.entrySecond && <span className="font-normal text-info">{marketTexts.entryPrice}</span>}
        {second === round.closesAtMs / 1000 && <span className="font-normal text-ink-3">{marketTexts.end}</span>}
      </>
    ),
    cells: [
      price === null ? marketTexts.noPrice : formatGoldNumber(price),
      price === null || base === null || (entry !== null && second < (bet?.entrySecond ?? 0))
        ? '–'
        : formatGoldChange(price - base),
    ],
  }))
  const difference = entry === null ? marketTexts.sinceOpening : marketTexts.sinceEntry
  return <PriceTable label={marketTexts.captions.round} columns={[marketTexts.priceColumn, difference]} rows={rows} />
}

/** A screen reader announces how the bet stands only when the seconds left are a multiple of this. */
const toldEveryS = 5

/** Says whether the bet is ahead, or what a new bet would need to win (rules §5.7). */
export function RoundStatus({ round, bet, isByPrice, fetched }: RoundPicture) {
  const lineRef = useRef<HTMLSpanElement>(null)
  const toldRef = useRef<HTMLSpanElement>(null)
  const toldLeftRef = useRef<number>(undefined)
  useEffect(() => {
    const lead = () => leadNow(round, bet, fetched)
    const drawLine = () => {
      const line = lineRef.current
      if (line === null) return
      const now = lead()
      line.dataset['way'] = now ?? 'level'
      const text = bet === null ? needsNow(round, isByPrice, fetched) : words(bet, now)
      if (line.textContent !== text) line.textContent = text
    }
    const tell = (nowMs: number) => {
      // Without ticks, only this call redraws the text, which has to disappear once the price is too old.
      drawLine()
      const left = remainingSeconds(round.closesAtMs - nowMs)
      // Within one second the text is announced only once, even if this effect runs several times.
      if (toldRef.current === null || bet === null || left % toldEveryS !== 0 || left === toldLeftRef.current) return
      const standing = words(bet, lead())
      if (standing === '') return
      toldRef.current.textContent = left === 0 ? standing : marketTexts.told(standing, left)
      toldLeftRef.current = left
    }
    tell(serverNowMs())
    return together(
      onLivePrice(({ source }) => source === round.source && drawLine()),
      onEachSecond(tell),
    )
  }, [round, bet, isByPrice, fetched])
  // Removes the text about the previous bet. The effect depends on the id, because the same bet may be a new object.
  const betId = bet?.id
  useEffect(() => {
    if (betId === undefined) return
    const told = toldRef.current
    return () => told?.replaceChildren()
  }, [betId])
  return (
    <p translate="no" className="flex min-h-7 shrink-0 items-center px-3 text-xs tabular-nums">
      <span
        ref={lineRef}
        aria-hidden
        className="font-medium text-ink-2 data-[way=ahead]:text-up data-[way=behind]:text-down"
      />
      <span ref={toldRef} aria-live="polite" className="sr-only" />
    </p>
  )
}

/** Returns the newest price, or undefined if there is none or it is too old to describe the present (rules §2.11). */
function newestOf(round: ChartRound, fetched: readonly RoundTick[]): number | undefined {
  const quoteAtMs = newestPrice(round.source)?.quoteAtMs ?? 0
  if (feedStateAt(serverNowMs() - quoteAtMs) === 'silent') return undefined
  return pointsOf(ticksOf(round, fetched, recordedTicks(round.source))).at(-1)?.price
}

function needsNow(round: ChartRound, isByPrice: boolean, fetched: readonly RoundTick[]): string {
  const price = isByPrice ? newestOf(round, fetched) : undefined
  return price === undefined ? '' : marketTexts.wouldNeed(formatGoldPrice(price))
}

/** Returns an open bet's lead at the newest price, a settled bet's at its exit price. Null if a price is missing. */
function leadNow(round: ChartRound, bet: ChartBet | null, fetched: readonly RoundTick[]): Lead | null {
  if (bet === null || bet.entryPrice === null) return null
  const price = bet.status === 'open' ? newestOf(round, fetched) : bet.exitPrice
  return price == null ? null : leadOf(bet, bet.entryPrice, price)
}

function words(bet: ChartBet, lead: Lead | null): string {
  const isOpen = bet.status === 'open'
  if (lead === null) return isOpen && bet.entryPrice === null ? marketTexts.entryIsNext : ''
  return (isOpen ? marketTexts.lead : marketTexts.leadAtEnd)[lead]
}

/**
 * The least time between two requests. The second request may follow after `askSoonMs`, because the ticks between the
 * first answer and the socket's first tick may be missing.
 */
const askAgainMs = 5_000
const askSoonMs = 2_000

const unasked = { count: 0, atMs: Number.NEGATIVE_INFINITY }

const none: readonly RoundTick[] = []

/** Fetches the round's ticks if some are missing, for example because the page was opened during the round. */
export function useMissedTicks(round: ChartRound): readonly RoundTick[] {
  const { data = none, refetch } = useQuery(ticksQuery(round.source, round.opensAtMs, round.closesAtMs))
  const asked = useRef(unasked)
  useEffect(() => onConnectionChanged(() => void (asked.current = unasked)), [])
  useEffect(() => {
    const look = (nowMs: number) => {
      const { count, atMs } = asked.current
      if (
        nowMs - atMs < (count === 1 ? askSoonMs : askAgainMs) ||
        !hasHole(round, ticksOf(round, data, recordedTicks(round.source)), nowMs)
      )
        return
      asked.current = { count: count + 1, atMs: nowMs }
      // While a slow answer is awaited, no second request is sent.
      void refetch({ cancelRefetch: false })
    }
    look(serverNowMs())
    return onEachSecond(look)
  }, [round, data, refetch])
  return data
}
