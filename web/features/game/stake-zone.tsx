import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import type { Round } from '#contract/game.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { formatCount, formatWholeAmount, formatCountdown, formatGoldPrice } from '#web/platform/formats.ts'
import { classNames } from '#web/ui/class-names.ts'
import { RotateCcw } from '#web/ui/icons/rotate-ccw.tsx'
import { type GameBet, recentRoundsQuery } from './api.ts'
import { directionWords, statusWords, voidWords } from './bet-words.ts'
import { gameTexts } from './game-texts.ts'
import type { Betting } from './use-betting.ts'
import type { Game } from './use-game.ts'
import { Link } from '@tanstack/react-router'
import { feedStateAt, newestPrice, onPriceOrSecond, priceAt } from '#web/platform/live-prices.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.tsx'
import { passesFocus } from '#web/ui/pass-focus.ts'
import { useTickingText } from '#web/ui/ticking-text.tsx'
import { betFormId } from './bet-form-id.ts'
import { heldBetTexts } from './held-bet-texts.ts'
import { type Outcome, outcomeAt, unknownOutcome } from './held-figures.ts'

/** This file contains the parts of the bet form that are loaded after the screen is drawn. */

export type ZoneProps = {
  readonly type: RoundType
  readonly onType: (type: RoundType) => void
  readonly game: Game
  readonly betting: Betting
  /** Draws the line that says whether a bet is sealed. */
  readonly seal: (bet: GameBet) => ReactNode
}

export function HeldBetInZone({ type, onType, game, seal }: ZoneProps) {
  const { bet, round } = game.held
  if (bet === null) return null
  return bet.round.type === type ? (
    <HeldBetCard
      bet={bet}
      source={round?.priceSource}
      isAway={game.view.state === 'away' || game.view.state === 'unreachable'}
      seal={seal(bet)}
    />
  ) : (
    <HeldElsewhere bet={bet} onType={onType} />
  )
}

/** Shows how the latest rounds ended. A player who holds no bet also gets the button "Đặt lại" (repeat). */
export function ZoneFoot({ type, onType, game, betting }: ZoneProps) {
  return (
    <div className="mt-auto flex min-h-7 items-center justify-between gap-3 lowest:hidden">
      <RecentRounds type={type} />
      {betting.isPlayer && !betting.holdsBet && (
        <RepeatBet last={game.latestBets?.bets[0]} betting={betting} onType={onType} />
      )}
    </div>
  )
}

/** Shows the latest results of the type, newest first. */
function RecentRounds({ type }: { readonly type: RoundType }) {
  const { data } = useQuery(recentRoundsQuery(type))
  return (
    <div className="flex min-h-5 min-w-0 flex-1 items-center gap-2 text-xs text-ink-3">
      <span className="shrink-0">{gameTexts.recentRounds}</span>
      {data?.length === 0 && <span>{gameTexts.noRecentRounds}</span>}
      <ul className="flex h-5 flex-wrap gap-1 overflow-hidden">
        {data?.map((round) => (
          <li key={round.id}>
            <RoundMark round={round} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const marks = {
  up: { sign: '▲', word: gameTexts.recentUp, look: 'bg-up-soft text-up' },
  down: { sign: '▼', word: gameTexts.recentDown, look: 'bg-down-soft text-down' },
  tie: { sign: '=', word: gameTexts.recentTie, look: 'bg-surface-2 text-ink-2' },
  unpriced: { sign: '–', word: gameTexts.recentUnpriced, look: 'bg-surface-2 text-ink-2' },
} as const

function RoundMark({ round }: { readonly round: Round }) {
  const isTie = round.openPrice !== null && round.closePrice !== null
  const { sign, word, look } = marks[round.result ?? (isTie ? 'tie' : 'unpriced')]
  const isByStaff = round.resultSource === 'ADMIN'
  const words = [gameTexts.round(formatCount(round.roundNumber)), word, ...(isByStaff ? [gameTexts.recentByStaff] : [])]
  return (
    <span
      title={words.join(' · ')}
      className={classNames(
        'grid size-5 place-items-center rounded-[6px] text-[0.625rem] leading-none font-semibold',
        look,
        isByStaff && 'shadow-[inset_0_0_0_1.5px_var(--color-warn)]',
      )}
    >
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{words.join(', ')}</span>
    </span>
  )
}

type RepeatBetProps = {
  readonly last: GameBet | undefined
  readonly betting: Betting
  readonly onType: (type: RoundType) => void
}

/** "Đặt lại" (repeat) fills in type, stake and side of the last bet, but places no bet (rules §8). */
function RepeatBet({ last, betting, onType }: RepeatBetProps) {
  if (last === undefined) return null
  const stake = formatWholeAmount(last.stakeMinor)
  const what = gameTexts.repeatWhat(directionWords[last.direction].label, stake, last.round.type)
  return (
    <button
      type="button"
      aria-label={what}
      title={what}
      onClick={() => {
        onType(last.round.type)
        betting.repeat(last)
      }}
      className="relative flex shrink-0 items-center gap-1 rounded-s px-1 text-xs font-medium text-gold after:absolute after:-inset-x-2 after:-inset-y-2 hover:underline"
    >
      <RotateCcw aria-hidden size={14} strokeWidth={1.8} />
      {gameTexts.repeat}
    </button>
  )
}

type HeldBetCardProps = {
  /** A bet of the selected type that is open or was settled a moment ago. */
  readonly bet: GameBet
  /** The source of the shown prices. Null or undefined while the source is unknown. */
  readonly source: string | null | undefined
  /** True while nothing comes from the server (rules §5.4). */
  readonly isAway?: boolean
  readonly seal?: ReactNode
}

/** Shows an open or just settled bet in place of the stakes (rules §2.11). */
export function HeldBetCard({ bet, source, isAway = false, seal }: HeldBetCardProps) {
  return (
    <section
      aria-label={heldBetTexts.card}
      className="flex flex-col gap-1 rounded-m border border-line bg-surface px-3 py-2 short:gap-0.5 short:py-1"
    >
      {bet.basis === 'PRICE' ? (
        <PriceBet bet={bet} source={source ?? null} isAway={isAway} seal={seal} />
      ) : (
        <DecidedBet bet={bet} seal={seal} />
      )}
    </section>
  )
}

/** Shows a bet that staff or a script decides. Prices are left out, since they do not decide it (rules §1.2). */
function DecidedBet({ bet, seal }: { readonly bet: GameBet; readonly seal: ReactNode }) {
  return (
    <>
      <BetHead bet={bet} />
      <p className="text-sm text-ink-2">
        {bet.basis === 'ADMIN' ? heldBetTexts.decidedByStaff : heldBetTexts.decidedByScript}
      </p>
      {seal}
    </>
  )
}

type PriceBetProps = Required<HeldBetCardProps> & { readonly source: string | null }

/** Shows a bet that the price decides. The outcome at the newest price is written through refs, without a render. */
function PriceBet({ bet, source, isAway, seal }: PriceBetProps) {
  const ref = useRef<HTMLSpanElement>(null)
  const labelRef = useRef<HTMLSpanElement>(null)
  const isOpen = bet.status === 'open'
  useLayoutEffect(() => {
    const draw = () => {
      // A voided bet shows no profit: its label says that the stake was returned.
      const isVoided = bet.status === 'voided'
      write(ref, isVoided ? unknownOutcome : outcomeAt(bet, isOpen ? priceDuring(bet, source) : bet.exitPrice))
      write(labelRef, { text: isOpen ? whenOpen(bet, isAway) : statusWords[bet.status].label, way: 'flat' })
    }
    draw()
    if (!isOpen) return
    return onPriceOrSecond(draw)
  }, [bet, isOpen, source, isAway])

  return (
    <>
      <BetHead bet={bet} />
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-ink-2">
        <span
          ref={ref}
          translate="no"
          className="text-xl leading-tight font-semibold tracking-tight text-ink tabular-nums data-[way=down]:text-down data-[way=up]:text-up max-[22rem]:text-[1.5rem]"
        />
        <span ref={labelRef} className="max-[22rem]:text-xs" />
      </p>
      <div className="flex flex-wrap items-baseline justify-between gap-x-2 text-xs text-ink-2 tabular-nums max-[22rem]:text-[0.6875rem]">
        <span className="text-ink">{whatDecides(bet)}</span>
        {seal}
      </div>
    </>
  )
}

const whenOpen = ({ closesAtMs }: GameBet, isAway: boolean) =>
  serverNowMs() < closesAtMs ? heldBetTexts.ifEndedNow : isAway ? gameTexts.serverAway : heldBetTexts.settling

/** Returns the condition for winning, or the reason why the stake was returned. */
function whatDecides({ voidReason, entryPrice, direction }: GameBet): string {
  if (voidReason !== null) return voidWords[voidReason]
  const needs =
    entryPrice === null ? heldBetTexts.entryIsNext : heldBetTexts.needs[direction](formatGoldPrice(entryPrice))
  return `${needs} · ${heldBetTexts.decidedByPrice}`
}

function BetHead({ bet }: { readonly bet: GameBet }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 tabular-nums">
      <span>
        <Side bet={bet} /> {formatWholeAmount(bet.stakeMinor)} {commonTexts.points} · {bet.round.type}
      </span>
      <Link
        to="/account/bets"
        search={{ bet: bet.id }}
        aria-label={heldBetTexts.reviewThis}
        className="relative rounded-s px-1 text-sm font-medium text-gold underline-offset-4 after:absolute after:-inset-3 hover:underline"
      >
        {heldBetTexts.review}
      </Link>
    </div>
  )
}

function Side({ bet }: { readonly bet: GameBet }) {
  const { arrow, label } = directionWords[bet.direction]
  return (
    <span className={classNames('mr-1 font-semibold', bet.direction === 'up' ? 'text-up' : 'text-down')}>
      <span aria-hidden>{arrow} </span>
      {label}
    </span>
  )
}

/** A press on the button of `HeldElsewhere` replaces the button by the bet's card, so the focus moves to the form. */
const onToForm = passesFocus(() => document.getElementById(betFormId))

export function HeldElsewhere({ bet, onType }: { readonly bet: GameBet; readonly onType: (type: RoundType) => void }) {
  const ref = useRef<HTMLSpanElement>(null)
  useTickingText(ref, (serverMs) => heldBetTexts.leftElsewhere(formatCountdown(bet.closesAtMs - serverMs)))
  return (
    <button
      ref={onToForm}
      type="button"
      onClick={() => onType(bet.round.type)}
      className="flex min-h-target w-full flex-wrap items-center gap-x-2 rounded-m border border-control bg-surface px-3 py-2 text-left text-sm tabular-nums transition-colors hover:bg-surface-press"
    >
      <span className="font-medium">{heldBetTexts.runningElsewhere(bet.round.type)}</span>
      <span aria-hidden className="text-ink-3">
        ·
      </span>
      <span ref={ref} translate="no" className="text-ink-2" />
      <span className="ml-auto flex items-center gap-1">
        <Side bet={bet} /> {formatWholeAmount(bet.stakeMinor)}
        <ChevronRight aria-hidden size={16} className="shrink-0 text-ink-3" />
      </span>
    </button>
  )
}

/** Returns the newest price between the bet's entry and its round's end. Null if there is none or it is too old. */
function priceDuring(bet: GameBet, source: string | null): number | null {
  const newest = source === null ? undefined : newestPrice(source)
  if (source === null || newest === undefined) return null
  const lastSecond = bet.closesAtMs / 1000
  if (newest.second > lastSecond) return priceAt(source, lastSecond) ?? null
  if (bet.entryAtMs !== null && newest.second * 1000 < bet.entryAtMs) return null
  return feedStateAt(serverNowMs() - newest.quoteAtMs) === 'silent' ? null : newest.price
}

function write(ref: RefObject<HTMLElement | null>, { text, way }: Outcome): void {
  if (ref.current === null) return
  if (ref.current.textContent !== text) ref.current.textContent = text
  if (ref.current.dataset['way'] !== way) ref.current.dataset['way'] = way
}
