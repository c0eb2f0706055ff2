import { Link, useSearch } from '@tanstack/react-router'
import { ChevronLeft, CircleHelp, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { Me } from '#contract/identity.ts'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { BetButtons } from '#web/features/game/bet-buttons.tsx'
import { BetHistory } from '#web/features/game/bet-history.tsx'
import { Disclosure } from '#web/features/game/disclosure.tsx'
import { RecentRounds } from '#web/features/game/recent-rounds.tsx'
import { RoundClock } from '#web/features/game/round-clock.tsx'
import { roundOf, whileSilent } from '#web/features/game/round-view.ts'
import { StakePicker } from '#web/features/game/stake-picker.tsx'
import { TypeSelector } from '#web/features/game/type-selector.tsx'
import { type Betting, useBetting } from '#web/features/game/use-betting.ts'
import { type Game, prefetchGame, refreshGame, useGame } from '#web/features/game/use-game.ts'
import { useResultPopup } from '#web/features/game/use-result-popup.ts'
import { useRules } from '#web/features/game/use-rules.ts'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { marketQuery, refreshCandles } from '#web/features/market/api.ts'
import { CoinTicker } from '#web/features/market/coin-ticker.tsx'
import { GoldChart } from '#web/features/market/gold-chart.tsx'
import { useIsFeedSilent, usePriceTicks } from '#web/platform/live-prices.ts'
import { PriceHeadline } from '#web/features/market/price-headline.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { formatCount } from '#web/platform/formats.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import { leaveToScreen, queryClient } from '#web/platform/query-client.ts'
import { readSelectedGameType, writeSelectedGameType } from '#web/platform/storage.ts'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { commonTexts, playMoneyTexts, screenTitles } from '#web/platform/texts.ts'
import { AmountText } from '#web/ui/amounts.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { toast } from '#web/ui/toast.tsx'

const loadPopup = () => import('#web/features/game/result-popup.tsx')
const loadRules = afterDrawing(() => import('#web/features/game/rules-sheet.tsx'))

/** Asks for what the screen shows first, beside the account. */
export function prefetch(): void {
  prefetchGame(readSelectedType())
  queryClient.query(marketQuery).catch(leaveToScreen)
}

/** The game inside the user shell: the bars at the bottom stand above its tab bar. */
export function GameScreen() {
  return <GoldGame bottomClass="bottom-tab-bar" />
}

/** The same without the shell (spec §2, /games). */
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
  const known = useGame(type)
  // Without a round the screen still shows gold.
  const isKnown = known.view.state !== 'loading' && known.view.state !== 'unreachable'
  const priceSource = isKnown ? (roundOf(known.view)?.priceSource ?? null) : undefined
  const isFeedSilent = useIsFeedSilent(priceSource)
  const game = isFeedSilent ? { ...known, view: whileSilent(known.view) } : known
  const betting = useBetting(game, me.id)
  const rules = useRules(game.latestBets?.total)
  // There before it is needed: until the rules are read nothing is bet.
  const { part: rulesPart } = useLazyPart(loadRules, rules.isOpen || (rules.mustRead && me.role === 'player'))
  const popup = useResultPopup(game.latestBets?.bets, type)
  // Fetched while the bet runs, so that its result is told without delay.
  const { part: popupPart } = useLazyPart(loadPopup, game.openBet !== null || popup.bet !== null)
  const round = roundOf(game.view)
  const { openBet } = game
  const entry =
    openBet?.basis === 'PRICE' && openBet.round.type === type && openBet.entryPrice !== null
      ? { price: openBet.entryPrice, direction: openBet.direction }
      : null

  return (
    <Screen
      title={screenTitles.game}
      className="pb-0!"
      before={
        <Link
          to="/investment"
          aria-label={gameTexts.back}
          className="grid size-target shrink-0 place-items-center rounded-s text-ink transition-colors hover:bg-surface-press"
        >
          <ChevronLeft aria-hidden size={22} strokeWidth={1.8} />
        </Link>
      }
      after={
        <>
          {round !== null && (
            <span className="max-[24rem]:hidden">
              <Badge>{gameTexts.round(formatCount(round.roundNumber))}</Badge>
            </span>
          )}
          <IconButton label={gameTexts.rules} onClick={() => rules.open(false)}>
            <CircleHelp aria-hidden size={20} strokeWidth={1.8} />
          </IconButton>
          <RefreshButton />
        </>
      }
    >
      <Disclosure
        round={round}
        scriptedOutcome={game.config?.scriptedOutcome ?? null}
        goldReopensAtMs={round?.goldReopensAtMs ?? null}
      />
      {cameFromCoin && <Banner tone="info">{gameTexts.goldOnly}</Banner>}
      <div className="flex flex-col gap-1">
        <CoinTicker />
        <PriceHeadline
          source={priceSource}
          sourceLabel={round?.priceSourceLabel ?? null}
          openPrice={round?.openPrice ?? null}
          opensAtMs={round?.opensAtMs ?? null}
        />
      </div>
      <GoldChart source={priceSource} entry={entry} className="h-chart" />
      <Tabs
        label={gameTexts.tabs}
        value={tab}
        onChange={setTab}
        aside={<Balance game={game} />}
        tabs={[
          {
            value: 'invest',
            label: gameTexts.investTab,
            content: <InvestTab me={me} type={type} onType={setType} game={game} betting={betting} />,
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
        {tab === 'invest' && me.role === 'player' && (
          <BetButtons
            type={type}
            gate={betting.gate}
            basis={betting.basis}
            stakeMinor={betting.stakeMinor}
            isSending={betting.isSending}
            failure={betting.failure}
            onBet={(direction) => (rules.mustRead ? rules.open(true) : betting.bet(direction))}
          />
        )}
        <p className="-mx-2 text-center text-xs text-ink-3">{playMoneyTexts.everywhere}</p>
      </div>
      {rules.isOpen && rulesPart !== undefined && (
        <rulesPart.RulesSheet isBeforeBet={rules.isBeforeBet} onUnderstood={rules.markRead} onClose={rules.close} />
      )}
      {popup.bet !== null && popupPart !== undefined && (
        <popupPart.ResultPopupDialog bet={popup.bet} onClose={popup.close} />
      )}
    </Screen>
  )
}

type InvestTabProps = {
  readonly me: Me
  readonly type: RoundType
  readonly onType: (type: RoundType) => void
  readonly game: Game
  readonly betting: Betting
}

function InvestTab({ me, type, onType, game, betting }: InvestTabProps) {
  return (
    <div className="flex flex-col gap-gap pt-3">
      <TypeSelector value={type} onChange={onType} />
      <div className="flex flex-col gap-1">
        <RoundClock view={game.view} type={type} />
        <RecentRounds type={type} />
      </div>
      {me.role === 'admin' ? (
        <Banner tone="info">{gameTexts.staffDoNotPlay}</Banner>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            betting.askForDirection()
          }}
        >
          <StakePicker value={betting.stake} onChange={betting.setStake} />
        </form>
      )}
    </div>
  )
}

function Balance({ game }: { readonly game: Game }) {
  return (
    <p className="flex items-baseline gap-1.5 text-sm text-ink-2">
      {gameTexts.balance}
      {game.config === undefined ? (
        <Skeleton className="h-6 w-24 self-center" />
      ) : (
        <AmountText amountMinor={game.config.balanceMinor} className="text-lg font-semibold tracking-tight text-ink" />
      )}
      {commonTexts.points}
    </p>
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

const isRoundType = (text: string | null): text is RoundType => ROUND_TYPES.some((type) => type === text)

/** The type chosen last (spec §4), the shortest at first. */
function readSelectedType(): RoundType {
  const stored = readSelectedGameType()
  return isRoundType(stored) ? stored : ROUND_TYPES[0]
}

function useSelectedType(): [RoundType, (type: RoundType) => void] {
  const [type, setType] = useState(readSelectedType)
  const select = (next: RoundType) => {
    writeSelectedGameType(next)
    setType(next)
  }
  return [type, select]
}
