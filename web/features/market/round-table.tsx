import { useEffect, useReducer } from 'react'
import { formatGoldChange, formatGoldNumber, formatTime } from '#web/platform/formats.ts'
import { onLivePrice, recordedTicks } from '#web/platform/live-prices.ts'
import { type RoundPicture, ticksOf } from './live-round.ts'
import { marketTexts } from './market-texts.ts'
import { PriceTable } from './price-table.tsx'

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
