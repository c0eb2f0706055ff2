import { noop } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type RoundType, ROUND_TYPES } from '#domain/game/calendar.ts'
import { betButtonId, betFormId, gameMenuId } from '#web/features/game/bet-form-id.ts'
import { Disclosure } from '#web/features/game/disclosure.tsx'
import { GameDialogs } from '#web/features/game/game-dialogs.tsx'
import { gameTexts } from '#web/features/game/game-texts.ts'
import { InvestTab, PlayMoneyLine } from '#web/features/game/invest-tab.tsx'
import { type Betting, useBetting } from '#web/features/game/use-betting.ts'
import { type Game, prefetchGame, refreshGame, useGame } from '#web/features/game/use-game.ts'
import { useResultPopup } from '#web/features/game/use-result-popup.ts'
import { useConnection, useMe } from '#web/features/identity/use-me.ts'
import { marketQuery, refreshCandles } from '#web/features/market/api.ts'
import { ChartMenuButton } from '#web/features/market/chart-menu-button.tsx'
import { CoinTicker } from '#web/features/market/coin-ticker.tsx'
import { GoldChart } from '#web/features/market/gold-chart.tsx'
import type { ChartBet, ChartRound } from '#web/features/market/live-round.ts'
import { PriceHeadline } from '#web/features/market/price-headline.tsx'
import { type ChartChoice, useChartView } from '#web/features/market/use-chart-view.ts'
import { BetSeal, sealPlacedBet, useSeals } from '#web/features/seal/bet-seal.tsx'
import { Screen, SkipLink } from '#web/layout/screen.tsx'
import { formatCount, formatAmount } from '#web/platform/formats.ts'
import { usePriceTicks } from '#web/platform/live-prices.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { screenTitles, commonTexts } from '#web/platform/texts.ts'
import { Button, buttonClass, IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronLeft } from '#web/ui/icons/chevron-left.tsx'
import { RefreshCw } from '#web/ui/icons/refresh-cw.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useLazyPart, afterDrawing } from '#web/platform/lazy-part.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { LoadingBets } from '#web/features/game/loading-bets.tsx'
import { REFILL_BELOW_MINOR } from '#domain/game/refill.ts'
import { readSelectedGameType, writeSelectedGameType } from '#web/platform/storage.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function prefetch(): void {
  prefetchGame(readSelectedType())
  queryClient.query(marketQuery).catch(noop)
}

export const GameScreen = () => <GoldGame endClass="bottom-[calc(56px+env(safe-area-inset-bottom))]" />

/** The game without the shell around it (spec §2.1, /games). */
export const BareGameScreen = () => <GoldGame endClass="bottom-0 pb-[env(safe-area-inset-bottom)]" />

function GoldGame({ endClass }: { readonly endClass: string }) {
  const me = useMe()
  useConnection(me)
  usePriceTicks()
  const cameFromCoin = useSearch({ strict: false, select: ({ from }) => from !== undefined })
  const [type, setType] = useSelectedType()
  const [tab, setTab] = useState<'invest' | 'history'>('invest')
  const game = useGame(type)
  const betting = useBetting(game, me, (bet, order) => sealPlacedBet(me.id, bet, order))
  useSeals(me.id)
  const popup = useResultPopup(game.latestBets?.bets, type, game.held.isStanding)
  const choice = useChartView()

  return (
    <Screen
      title={screenTitles.game}
      note={<TitleNote round={game.round} cameFromCoin={cameFromCoin} />}
      className="pb-0! short:gap-2 low:gap-1"
      before={<Leading betting={betting} />}
      after={<HeaderActions round={game.round} choice={choice} onRules={betting.rules.open} />}
    >
      <Disclosure round={game.round} scriptedOutcome={game.config?.scriptedOutcome ?? null} openBet={game.openBet} />
      {betting.isPlayer && popup.isQuiet && <EmptyBalanceWhenEmpty game={game} />}
      <Market game={game} type={type} basis={betting.basis} choice={choice} />
      <Tabs
        label={gameTexts.tabs}
        value={tab}
        onChange={setTab}
        isUnboxed
        aside={<GameBalance balanceMinor={game.config?.balanceMinor} />}
        tabs={[
          {
            value: 'invest',
            label: gameTexts.investTab,
            panelClass: 'pb-1.5 low:pb-0',
            hasControls: true,
            content: (
              <InvestTab
                type={type}
                onType={setType}
                game={game}
                betting={betting}
                seal={(bet) => <BetSeal userId={me.id} bet={bet} as="line" />}
              />
            ),
          },
          { value: 'history', label: gameTexts.historyTab, content: <BetHistory /> },
        ]}
      />
      {tab === 'history' && (
        <>
          <div className="[@media(min-height:56.01rem)]:hidden">
            <CoinTicker />
          </div>
          <div className={classNames('sticky z-10 -mx-gutter mt-auto bg-ground px-gutter pt-2', endClass)}>
            <PlayMoneyLine />
          </div>
        </>
      )}
      <GameDialogs
        game={game}
        betting={betting}
        popup={popup}
        seal={(bet) => <BetSeal userId={me.id} bet={bet} as="block" />}
      />
    </Screen>
  )
}

/** A note under the screen's title. Its place is always reserved, so that nothing moves when the note appears. */
function TitleNote({ round, cameFromCoin }: { readonly round: Game['round']; readonly cameFromCoin: boolean }) {
  return (
    <span className="flex min-h-4 gap-2">
      {cameFromCoin && <span className="font-medium text-info max-[22rem]:text-[0.6875rem]">{gameTexts.goldOnly}</span>}
      {round !== null && (
        <span className={cameFromCoin ? 'max-[26rem]:hidden' : undefined}>
          {gameTexts.round(formatCount(round.roundNumber))}
        </span>
      )}
    </span>
  )
}

type MarketProps = {
  readonly game: Game
  readonly type: RoundType
  readonly basis: Betting['basis']
  readonly choice: ChartChoice
}

function Market({ game, type, basis, choice }: MarketProps) {
  const { round: selected, held } = game
  // Memoised, because the chart is drawn again for each new object. A bet whose round is unknown is not drawn, because
  // it would be drawn into another round.
  const bet = useMemo(() => held.round && chartBetOf(held.bet, type), [held.bet, held.round, type])
  const round = useMemo(() => chartRoundOf(bet === null ? selected : held.round), [bet, held.round, selected])
  return (
    <>
      <div className="flex flex-col gap-1">
        {/* In a low window, as on a phone, the coin ticker is in the history tab instead. */}
        <div className="[@media(max-height:56rem)]:hidden">
          <CoinTicker />
        </div>
        <PriceHeadline
          source={game.priceSource}
          sourceLabel={game.round?.priceSourceLabel ?? null}
          openPrice={game.round?.openPrice ?? null}
          opensAtMs={game.round?.opensAtMs ?? null}
          bet={round?.source === game.priceSource ? bet : null}
        />
      </div>
      <GoldChart
        choice={choice}
        menuId={gameMenuId}
        source={game.priceSource}
        round={game.view.state === 'loading' || game.view.state === 'unreachable' ? undefined : round}
        isUnreached={game.view.state === 'unreachable'}
        bet={bet}
        isByPrice={basis === 'PRICE' && held.bet === null}
      />
    </>
  )
}

const chartRoundOf = (round: Game['round']): ChartRound | null =>
  round && { ...round, source: round.priceSource, sourceLabel: round.priceSourceLabel }

function chartBetOf(bet: Game['held']['bet'], type: RoundType): ChartBet | null {
  if (bet?.basis !== 'PRICE' || bet.round.type !== type) return null
  return { ...bet, entrySecond: bet.entryAtMs === null ? null : bet.entryAtMs / 1000 }
}

function Leading({ betting }: { readonly betting: Betting }) {
  return (
    <>
      {/* The first link of the screen. Without bet buttons, as during a bet, this link leads to the form. */}
      {betting.isPlayer && <SkipLink ids={[betButtonId('up'), betFormId]}>{gameTexts.skipToBet}</SkipLink>}
      <MarketLink />
    </>
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

type HeaderActionsProps = {
  readonly round: Game['round']
  readonly choice: ChartChoice
  readonly onRules: () => void
}

function HeaderActions({ round, choice, onRules }: HeaderActionsProps) {
  return (
    <>
      <RefreshButton />
      <ChartMenuButton id={gameMenuId} label={gameTexts.menu} choice={choice}>
        {(close) => (
          <>
            <Button
              variant="outline"
              onClick={() => {
                close()
                onRules()
              }}
            >
              {gameTexts.rules}
            </Button>
            {round !== null && (
              <Link to="/vong/$id" params={{ id: round.id }} className={buttonClass({ variant: 'outline' })}>
                {gameTexts.receipt(formatCount(round.roundNumber))}
              </Link>
            )}
          </>
        )}
      </ChartMenuButton>
    </>
  )
}

function RefreshButton() {
  const [isRefreshing, setIsRefreshing] = useState(false)
  const refresh = async () => {
    if (isRefreshing) return
    setIsRefreshing(true)
    const [isNew] = await Promise.all([refreshGame(), refreshCandles()])
    setIsRefreshing(false)
    if (isNew) toast.info(gameTexts.refreshed)
  }
  return (
    <IconButton label={gameTexts.refresh} aria-disabled={isRefreshing} onClick={() => void refresh()}>
      <RefreshCw aria-hidden size={20} strokeWidth={1.8} className={isRefreshing ? 'opacity-50' : undefined} />
    </IconButton>
  )
}

const loadList = () => import('#web/features/game/bet-history-list.tsx')

function BetHistory() {
  const { part, hasFailed, retry } = useLazyPart(loadList)
  if (part !== undefined) return <part.BetHistoryList />
  return hasFailed ? <ErrorState message={commonTexts.screenFailed} onRetry={retry} /> : <LoadingBets />
}

const load = afterDrawing(() => import('#web/features/game/empty-balance.tsx'))

/** Shows `EmptyBalance` if the balance is below 10 points and no bet is shown (rules §3.7). */
function EmptyBalanceWhenEmpty({ game: { config, openBet, held } }: { readonly game: Game }) {
  const isEmpty = config !== undefined && config.balanceMinor < REFILL_BELOW_MINOR
  const isWanted = isEmpty && openBet === null && held.bet === null
  const { part } = useLazyPart(load, isWanted)
  return isWanted && part !== undefined ? <part.EmptyBalance balanceMinor={config.balanceMinor} /> : null
}

/** Returns the round type that was chosen last on this device (spec §4.5), or else the shortest type. */
function readSelectedType(): RoundType {
  const stored = readSelectedGameType()
  return ROUND_TYPES.find((type) => type === stored) ?? ROUND_TYPES[0]
}

function useSelectedType(): [RoundType, (type: RoundType) => void] {
  const [type, setType] = useState(readSelectedType)
  const select = (next: RoundType) => {
    writeSelectedGameType(next)
    setType(next)
  }
  return [type, select]
}

/** @param balanceMinor in minor units; undefined until the balance is loaded */
function GameBalance({ balanceMinor }: { readonly balanceMinor: bigint | undefined }) {
  const amount = balanceMinor === undefined ? null : formatAmount(balanceMinor)
  return (
    <div className="flex min-h-7 flex-wrap items-baseline justify-end gap-x-1.5 text-sm text-ink-2 tabular-nums">
      <span className="leading-tight">{gameTexts.balance}</span>
      {amount === null ? (
        <Skeleton className="h-6 w-24 self-center" />
      ) : (
        <span translate="no" className="whitespace-nowrap">
          <span className={classNames('font-semibold tracking-tight text-ink', sizeOf(amount))}>{amount}</span>{' '}
          <span className={amount.length > 14 ? 'sr-only' : undefined}>{commonTexts.points}</span>
        </span>
      )}
    </div>
  )
}

/** Returns a smaller text size for a longer amount, because a phone leaves little room beside the tabs. */
const sizeOf = (amount: string) =>
  amount.length > 14 ? 'text-sm' : amount.length > 10 ? 'text-base' : 'text-lg max-[22rem]:text-base'
