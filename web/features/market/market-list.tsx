import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Coin, MarketListView } from '#contract/market.ts'
import { formatCoinPrice, formatGoldPrice } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { readStarredCoins, writeStarredCoins } from '#web/platform/storage.ts'
import { PriceChange } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { Star } from '#web/ui/icons/star.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { QueryFailure } from '#web/ui/states.tsx'
import { AgeText } from '#web/ui/ticking-text.tsx'
import { marketQuery } from './api.ts'
import { marketListTexts } from './market-list-texts.ts'

/** The list warns if the coins' prices, which are refreshed once a minute, are older than this. */
const staleAfterMs = 2 * 60_000

/** Lists gold, then the top coins (spec §2.5, rules §5.7). Every row links to the gold game. */
export function MarketList() {
  const market = useQuery(marketQuery)
  const [starred, toggleStar] = useStarredCoins()
  if (market.data === undefined) {
    if (!market.isError) return <LoadingMarket />
    return (
      <Card>
        <QueryFailure query={market} fallback={marketListTexts.failed} />
      </Card>
    )
  }
  const { gold, coins, coinsFetchedAtMs, isSample } = market.data
  const isStale = coinsFetchedAtMs !== null && serverNowMs() - coinsFetchedAtMs > staleAfterMs
  return (
    <>
      {market.isRefetchError && (
        <Banner tone="warn" isLive>
          {marketListTexts.refreshFailed}
        </Banner>
      )}
      <Card isPadded={false} aria-label={marketListTexts.gold} className="overflow-hidden">
        <GoldRow gold={gold} />
      </Card>
      <Card isPadded={false} aria-labelledby="coins" className="overflow-hidden">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 pt-4 pb-2">
          <h2 id="coins" className="text-base font-semibold">
            {marketListTexts.coins}
          </h2>
          {isSample ? (
            <Badge tone="warn">{marketListTexts.sample}</Badge>
          ) : (
            coinsFetchedAtMs !== null && (
              <p className={isStale ? 'text-xs font-medium text-warn' : 'text-xs text-ink-3'}>
                {isStale ? marketListTexts.stale : marketListTexts.updatedAt} <AgeText atMs={coinsFetchedAtMs} />
              </p>
            )
          )}
        </div>
        {isSample && <p className="px-4 pb-2 text-xs text-warn">{marketListTexts.sampleDetail}</p>}
        <ul className="divide-y divide-line">
          {starredFirst(coins, starred).map((coin) => (
            <li key={coin.id} className="flex items-center">
              <CoinRow coin={coin} />
              <StarButton coin={coin} isStarred={starred.has(coin.id)} onToggle={toggleStar} />
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

function GoldRow({ gold }: { readonly gold: MarketListView['gold'] }) {
  return (
    <Row
      coinName={undefined}
      monogram={<Monogram name="Au" tone="gold" />}
      title={marketListTexts.gold}
      detail={`${marketListTexts.goldPair} · ${gold.label}`}
      price={gold.price === null ? marketListTexts.noPrice : formatGoldPrice(gold.price)}
      changePercent={gold.change24hPercent}
      weekShape={gold.weekShape}
      end={<ChevronRight aria-hidden size={18} className="mr-3.5 shrink-0 text-ink-3" />}
    />
  )
}

function CoinRow({ coin }: { readonly coin: Coin }) {
  return (
    <Row
      coinName={coin.name}
      monogram={<Monogram name={coin.symbol} />}
      title={coin.name}
      detail={coin.symbol.toUpperCase()}
      price={formatCoinPrice(coin.priceUsd)}
      changePercent={coin.change24hPercent}
      weekShape={coin.weekShape}
    />
  )
}

type StarButtonProps = {
  readonly coin: Coin
  readonly isStarred: boolean
  readonly onToggle: (coinId: string) => void
}

function StarButton({ coin, isStarred, onToggle }: StarButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isStarred}
      aria-label={marketListTexts.star(coin.name)}
      title={marketListTexts.star(coin.name)}
      onClick={({ currentTarget }) => {
        onToggle(coin.id)
        // The row moves within the document, which takes the focus away from its button.
        requestAnimationFrame(() => currentTarget.focus({ preventScroll: true }))
      }}
      className="mr-1 grid size-target shrink-0 place-items-center rounded-s text-ink-3 transition-colors hover:text-ink aria-pressed:text-gold"
    >
      <Star aria-hidden size={18} strokeWidth={1.8} className={isStarred ? 'fill-current' : undefined} />
    </button>
  )
}

type RowProps = {
  /** Passed to the game, which then says that rounds use only gold (rules §5.7). Undefined for gold itself. */
  readonly coinName: string | undefined
  readonly monogram: ReactNode
  readonly title: string
  readonly detail: string
  readonly price: string
  readonly changePercent: number | null
  readonly weekShape: readonly number[]
  readonly end?: ReactNode
}

function Row({ coinName, monogram, title, detail, price, changePercent, weekShape, end }: RowProps) {
  return (
    <Link
      to="/investment/game"
      search={{ from: coinName }}
      className="flex min-h-16 min-w-0 flex-1 items-center gap-3 py-2 pl-4 transition-colors hover:bg-surface-press focus-visible:-outline-offset-2"
    >
      {monogram}
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        <span className="block text-xs text-ink-3 [overflow-wrap:anywhere]">{detail}</span>
      </span>
      <span className="shrink-0 text-right">
        <span className="block font-semibold whitespace-nowrap tabular-nums">
          <span className="sr-only">{marketListTexts.price} </span>
          <span translate="no">{price}</span>
        </span>
        <span className="flex items-center justify-end gap-1.5 text-xs">
          <Sparkline shape={weekShape} />
          <span>
            <span className="sr-only">{marketListTexts.change} </span>
            <PriceChange percent={changePercent} />
          </span>
        </span>
      </span>
      {end}
    </Link>
  )
}

function LoadingMarket() {
  return (
    <SkeletonGroup className="flex flex-col gap-gap">
      <Skeleton className="h-16 rounded-m!" />
      <Card isPadded={false}>
        <div className="px-4 pt-4 pb-2">
          <Skeleton className="h-5 w-52" />
        </div>
        <div className="divide-y divide-line">
          {Array.from({ length: 12 }, (_, row) => (
            <div key={row} className="flex h-16 items-center gap-3 px-4">
              <Skeleton className="size-10 rounded-pill!" />
              <Skeleton className="h-9 w-28" />
              <Skeleton className="ml-auto h-9 w-24" />
            </div>
          ))}
        </div>
      </Card>
    </SkeletonGroup>
  )
}

/** Puts the starred coins first. The order within each of the two groups stays. */
const starredFirst = (coins: readonly Coin[], starred: ReadonlySet<string>): readonly Coin[] => [
  ...coins.filter(({ id }) => starred.has(id)),
  ...coins.filter(({ id }) => !starred.has(id)),
]

/** Returns the starred coins' ids, which are kept on this device, and a function that stars or unstars a coin. */
function useStarredCoins(): readonly [ReadonlySet<string>, (coinId: string) => void] {
  const [starred, setStarred] = useState(() => new Set(readStarredCoins()))
  const toggle = (coinId: string) => {
    // The stored ids are read again, since another tab may have changed them.
    const next = new Set(readStarredCoins())
    if (!next.delete(coinId)) next.add(coinId)
    writeStarredCoins([...next])
    setStarred(next)
  }
  return [starred, toggle]
}

const width = 56
const height = 16
const inset = 2

/**
 * Draws the prices of 7 days as decoration: the price and its change stand beside the line as text.
 * @param shape values from 0 to 100, oldest first (contract/market.ts). With fewer than two nothing is drawn
 */
function Sparkline({ shape }: { readonly shape: readonly number[] }) {
  const x = (point: number) => inset + (point * (width - 2 * inset)) / (shape.length - 1)
  const y = (value: number) => inset + ((100 - value) * (height - 2 * inset)) / 100
  if (shape.length < 2) return null
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${height}`} className="h-4 w-14 shrink-0 max-[22rem]:hidden">
      <polyline
        points={shape.map((value, point) => `${x(point).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
        fill="none"
        className="stroke-ink-3"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
