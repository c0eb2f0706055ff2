import { useQuery } from '@tanstack/react-query'
import { memo, useDeferredValue } from 'react'
import { formatCoinPrice } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { marketTexts } from './market-texts.ts'
import { PriceChange } from '#web/ui/amounts.tsx'
import { AgeText } from '#web/ui/ticking-text.tsx'
import { marketQuery } from './api.ts'

/** The ticker shows the age of the coins' prices if they are older than this (rules §5.7). */
const oldAfterMs = 5 * 60_000

/** At most this many coins are in view at first. The others are rendered after the first paint. */
const coinsInView = 8

/** Shows the coins in one line (spec §2.5). Memoised, so that a change of the round does not render the coins again. */
export const CoinTicker = memo(function CoinTicker() {
  const { data } = useQuery(marketQuery)
  const isWhole = useDeferredValue(true, false)
  const coins = isWhole ? data?.coins : data?.coins.slice(0, coinsInView)
  const fetchedAtMs = data?.coinsFetchedAtMs ?? null
  return (
    <div
      role="region"
      aria-label={marketTexts.coins}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable by keyboard.
      tabIndex={0}
      className="relative -mx-gutter flex h-6 scrollbar-none items-center gap-4 overflow-x-auto px-gutter text-xs whitespace-nowrap text-ink-2 focus-visible:-outline-offset-2"
    >
      {data?.isSample === true && (
        <span className="rounded-pill bg-warn-soft px-2 text-warn">{marketTexts.coinSample}</span>
      )}
      {fetchedAtMs !== null && serverNowMs() - fetchedAtMs > oldAfterMs && (
        <AgeText atMs={fetchedAtMs} className="text-warn" />
      )}
      <ul className="flex gap-4">
        {coins?.map((coin) => (
          <li key={coin.id} translate="no" className="flex gap-1.5 tabular-nums">
            <abbr title={coin.name} className="no-underline">
              {coin.symbol.toUpperCase()}
            </abbr>
            <span className="font-medium text-ink">{formatCoinPrice(coin.priceUsd)}</span>
            <PriceChange percent={coin.change24hPercent} />
          </li>
        ))}
      </ul>
    </div>
  )
})
