import { noop } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ChevronLeft, CircleHelp, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { BetButtons } from '#web/features/game/bet-buttons.tsx'
import { BetHistory } from '#web/features/game/bet-history.tsx'
import { Disclosure } from '#web/features/game/disclosure.tsx'
import { GameBalance } from '#web/features/game/game-balance.tsx'
import { GameDialogs } from '#web/features/game/game-dialogs.tsx'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { InvestTab } from '#web/features/game/invest-tab.tsx'
import { useBetting } from '#web/features/game/use-betting.ts'
import { type Game, prefetchGame, refreshGame, useGame } from '#web/features/game/use-game.ts'
import { readSelectedType, useSelectedType } from '#web/features/game/use-selected-type.ts'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { marketQuery, refreshCandles } from '#web/features/market/api.ts'
import { CoinTicker } from '#web/features/market/coin-ticker.tsx'
import { GoldChart } from '#web/features/market/gold-chart.tsx'
import { PriceHeadline } from '#web/features/market/price-headline.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { formatCount } from '#web/platform/formats.ts'
import { usePriceTicks } from '#web/platform/live-prices.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { playMoneyTexts, screenTitles } from '#web/platform/texts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { toast } from '#web/ui/toast.tsx'

/** Prefetches the screen's first data, in parallel with the account. */
export function prefetch(): void {
  prefetchGame(readSelectedType())
  queryClient.query(marketQuery).catch(noop)
}

/** The game inside the user shell: its bottom bars are above the shell's tab bar. */
export function GameScreen() {
  return <GoldGame bottomClass="bottom-tab-bar" />
}

/** The game without the shell (spec §2, /games). */
export function BareGameScreen() {
  return <GoldGame bottomClass="bottom-0 pb-safe" />
}

function GoldGame({ bottomClass }: { readonly bottomClass: string }) {
  const me = useMe()
  useConnection(me)
  usePriceTicks()
  const cameFromCoin = useSearch({ strict: false, select: ({ from }) => from !== undefined })
  const [type, setType] = useSelectedType()
  const [tab, setTab] = useState<'invest' | 'history'>('invest')
  const game = useGame(type)
  const betting = useBetting(game, me)

  return (
    <Screen
      title={screenTitles.game}
      className="pb-0!"
      before={<MarketLink />}
      after={<HeaderActions game={game} onRules={() => betting.rules.open(false)} />}
    >
      <Disclosure
        round={game.round}
        scriptedOutcome={game.config?.scriptedOutcome ?? null}
        goldReopensAtMs={game.round?.goldReopensAtMs ?? null}
      />
      {cameFromCoin && <Banner tone="info">{gameTexts.goldOnly}</Banner>}
      <div className="flex flex-col gap-1">
        <CoinTicker />
        <PriceHeadline
          source={game.priceSource}
          sourceLabel={game.round?.priceSourceLabel ?? null}
          openPrice={game.round?.openPrice ?? null}
          opensAtMs={game.round?.opensAtMs ?? null}
        />
      </div>
      <GoldChart source={game.priceSource} entry={game.entry} className="h-chart" />
      <Tabs
        label={gameTexts.tabs}
        value={tab}
        onChange={setTab}
        aside={<GameBalance balanceMinor={game.config?.balanceMinor} />}
        tabs={[
          {
            value: 'invest',
            label: gameTexts.investTab,
            content: <InvestTab type={type} onType={setType} game={game} betting={betting} />,
          },
          { value: 'history', label: gameTexts.historyTab, content: <BetHistory /> },
        ]}
      />
      <div
        data-bet-bar
        className={classNames(
          'sticky z-10 -mx-gutter mt-auto bg-ground px-gutter pb-1.5 shadow-[0_-10px_10px_-2px_var(--ground)]',
          bottomClass,
        )}
      >
        {tab === 'invest' && <BetButtons type={type} betting={betting} />}
        <p className="-mx-2 text-center text-xs text-ink-3">{playMoneyTexts.everywhere}</p>
      </div>
      <GameDialogs type={type} game={game} betting={betting} />
    </Screen>
  )
}

function MarketLink() {
  return (
    <Link
      to="/investment"
      aria-label={gameTexts.back}
      className="grid size-target shrink-0 place-items-center rounded-s text-ink transition-colors hover:bg-surface-press"
    >
      <ChevronLeft aria-hidden size={22} strokeWidth={1.8} />
    </Link>
  )
}

function HeaderActions({ game, onRules }: { readonly game: Game; readonly onRules: () => void }) {
  return (
    <>
      {game.round !== null && (
        <span className="max-[24rem]:hidden">
          <Badge>{gameTexts.round(formatCount(game.round.roundNumber))}</Badge>
        </span>
      )}
      <IconButton label={gameTexts.rules} onClick={onRules}>
        <CircleHelp aria-hidden size={20} strokeWidth={1.8} />
      </IconButton>
      <RefreshButton />
    </>
  )
}

function RefreshButton() {
  const [isRefreshing, setIsRefreshing] = useState(false)
  const refresh = async () => {
    if (isRefreshing) return
    setIsRefreshing(true)
    await Promise.all([refreshGame(), refreshCandles()])
    setIsRefreshing(false)
    toast.info(gameTexts.refreshed)
  }
  return (
    <IconButton label={gameTexts.refresh} aria-disabled={isRefreshing} onClick={() => void refresh()}>
      <RefreshCw aria-hidden size={20} strokeWidth={1.8} className={isRefreshing ? 'opacity-50' : undefined} />
    </IconButton>
  )
}
