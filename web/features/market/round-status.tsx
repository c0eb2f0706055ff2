import { useEffect, useRef } from 'react'
import { formatGoldChange, formatTime, remainingSeconds } from '#web/platform/formats.ts'
import { onLivePrice, recordedTicks } from '#web/platform/live-prices.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { type ChartBet, type ChartRound, type Lead, leadOf, pointsOf, type RoundTick, ticksOf } from './live-round.ts'
import { marketTexts } from './market-texts.ts'

export type RoundStatusProps = {
  readonly round: ChartRound
  readonly bet: ChartBet | null
  readonly fetched: readonly RoundTick[]
}

/** A screen reader is told at most this often, in seconds left. */
const toldEveryS = 5

/**
 * Above the line: who is ahead, by how much, and when the round ends; on a low screen, where the headline and the bet's
 * card say the same, for screen readers alone. Written through refs at each tick; a screen
 * reader hears it every five seconds.
 */
export function RoundStatus({ round, bet, fetched }: RoundStatusProps) {
  const lineRef = useRef<HTMLSpanElement>(null)
  const toldRef = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const lead = () => leadNow(round, bet, fetched)
    const drawLine = () => {
      const line = lineRef.current
      if (line === null) return
      const now = lead()
      line.dataset['way'] = now?.way ?? 'level'
      const text = words(bet, now)
      if (line.textContent !== text) line.textContent = text
    }
    const tell = (nowMs: number) => {
      const left = remainingSeconds(round.closesAtMs - nowMs)
      if (toldRef.current === null || bet === null || left % toldEveryS !== 0) return
      const text = left === 0 ? words(bet, lead()) : marketTexts.told(words(bet, lead()), left)
      if (toldRef.current.textContent !== text) toldRef.current.textContent = text
    }
    drawLine()
    tell(serverNowMs())
    const stops = [onLivePrice(({ source }) => source === round.source && drawLine()), onEachSecond(tell)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [round, bet, fetched])
  return (
    <p
      translate="no"
      className="flex shrink-0 flex-wrap justify-between gap-x-2 pr-20 pl-2 text-xs whitespace-nowrap tabular-nums low:sr-only max-[22rem]:pr-2"
    >
      <span
        ref={lineRef}
        aria-hidden
        className="font-medium text-ink-2 data-[way=ahead]:text-up data-[way=behind]:text-down"
      />
      <span ref={toldRef} aria-live="polite" className="sr-only" />
      <span className="ml-auto shrink-0 text-ink-2">{marketTexts.endsAt(formatTime(round.closesAtMs))}</span>
    </p>
  )
}

/** Null before the entry. */
function leadNow(round: ChartRound, bet: ChartBet | null, fetched: readonly RoundTick[]): Lead | null {
  if (bet === null || bet.entryPrice === null) return null
  const price = bet.exitPrice ?? pointsOf(ticksOf(round, fetched, recordedTicks(round.source))).at(-1)?.price
  return price === undefined ? null : leadOf(bet, bet.entryPrice, price)
}

function words(bet: ChartBet | null, lead: Lead | null): string {
  if (bet === null) return ''
  if (lead === null) return bet.entryPrice === null ? marketTexts.entryIsNext : ''
  const margin = formatGoldChange(lead.margin)
  return bet.exitPrice === null ? marketTexts.lead[lead.way](margin) : marketTexts.leadAtEnd[lead.way](margin)
}
