import { useEffect, useRef } from 'react'
import { formatGoldPrice, remainingSeconds } from '#web/platform/formats.ts'
import { feedStateAt, newestPrice, onLivePrice, recordedTicks } from '#web/platform/live-prices.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { together } from '#web/platform/signal.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import {
  type ChartBet,
  type ChartRound,
  type Lead,
  leadOf,
  pointsOf,
  type RoundPicture,
  type RoundTick,
  ticksOf,
} from './live-round.ts'
import { marketTexts } from './market-texts.ts'

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
