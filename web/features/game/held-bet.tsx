import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import { formatCountdown, formatTime, formatWholeAmount, remainingSeconds } from '#web/platform/formats.ts'
import { feedStateAt, newestPrice, onLivePrice, priceAt } from '#web/platform/live-prices.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useTickingText } from '#web/ui/ticking-text.tsx'
import type { GameBet } from './api.ts'
import { directionWords, statusWords, voidWords } from './bet-words.ts'
import { gameTexts } from './game-texts.ts'
import { heldBetTexts } from './held-bet-texts.ts'
import { type HeldFigures, heldFigures, type Way } from './held-figures.ts'

export type HeldBetCardProps = {
  /** An open bet of the selected type, or one that has just been settled. */
  readonly bet: GameBet
  /** The source of the bet's round; null or undefined while unknown. */
  readonly source: string | null | undefined
  /** The line that says whether the bet is sealed. */
  readonly seal?: ReactNode
}

/** The bet that the player holds, where the stakes were: nothing can be staked meanwhile (spec §4). */
export function HeldBetCard({ bet, source, seal }: HeldBetCardProps) {
  return (
    <section
      aria-label={heldBetTexts.card}
      className="flex grow flex-col justify-between gap-2 rounded-m border border-line bg-surface px-3 py-2 short:gap-0.5 short:py-1"
    >
      {bet.basis === 'PRICE' ? (
        <PriceBet bet={bet} source={source ?? null} seal={seal} />
      ) : (
        <DecidedBet bet={bet} seal={seal} />
      )}
    </section>
  )
}

/** A bet that staff or a script decide: who decides, and nothing of prices (rules §1.2). */
function DecidedBet({ bet, seal }: { readonly bet: GameBet; readonly seal: ReactNode }) {
  return (
    <>
      <BetHead bet={bet} seal={seal} />
      <div className="flex items-end gap-2">
        <p className="min-h-9 flex-1 text-sm text-ink-2">
          {bet.basis === 'ADMIN' ? heldBetTexts.decidedByStaff : heldBetTexts.decidedByScript}
        </p>
        <ReviewLink bet={bet} />
      </div>
    </>
  )
}

const wayClass = 'data-[way=down]:text-down data-[way=up]:text-up'

type PriceBetProps = { readonly bet: GameBet; readonly source: string | null; readonly seal: ReactNode }

/** A bet that the price decides. Its figures are written each second through refs, so that React renders nothing. */
function PriceBet({ bet, source, seal }: PriceBetProps) {
  const outcomeRef = useRef<HTMLSpanElement>(null)
  const priceRef = useRef<HTMLSpanElement>(null)
  const differenceRef = useRef<HTMLSpanElement>(null)
  const isOpen = bet.status === 'open'
  useLayoutEffect(() => {
    const draw = () => {
      const figures = heldFigures(bet, isOpen ? priceDuring(bet, source) : bet.exitPrice)
      write(priceRef, { text: figures.price, way: 'flat' })
      write(differenceRef, figures.difference)
      // A bet may be voided for another reason than its prices.
      write(outcomeRef, bet.status === 'voided' ? { text: statusWords.voided.label, way: 'flat' } : figures.outcome)
    }
    draw()
    if (!isOpen) return
    const stops = [onLivePrice(draw), onEachSecond(draw)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [bet, isOpen, source])

  return (
    <>
      <BetHead bet={bet} seal={seal}>
        <p className="ml-auto text-right text-xs text-ink-3">
          <span>{isOpen ? heldBetTexts.ifEndedNow : statusWords[bet.status].label}</span>
          <span
            ref={outcomeRef}
            translate="no"
            className={classNames('block text-lg font-semibold tracking-tight text-ink', wayClass)}
          />
        </p>
      </BetHead>
      <div className="flex items-end gap-2">
        <dl className="grid flex-1 grid-cols-[repeat(auto-fit,minmax(4.3rem,1fr))] gap-x-2 max-[22rem]:gap-x-1">
          <Figure
            term={
              <>
                <span>{gameTexts.entryPrice}</span>
                {bet.entryAtMs !== null && <span className="max-[26rem]:hidden"> · {formatTime(bet.entryAtMs)}</span>}
              </>
            }
          >
            {bet.entryPrice === null ? heldBetTexts.nextPrice : heldFigures(bet, bet.entryPrice).price}
          </Figure>
          <Figure term={isOpen ? heldBetTexts.now : gameTexts.exitPrice}>
            <span ref={priceRef} />
          </Figure>
          <Figure term={gameTexts.difference}>
            <span ref={differenceRef} className={wayClass} />
          </Figure>
        </dl>
        <ReviewLink bet={bet} />
      </div>
    </>
  )
}

function Figure({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs whitespace-nowrap text-ink-3">{term}</dt>
      <dd translate="no" className="text-dense whitespace-nowrap tabular-nums max-[22rem]:text-xs">
        {children}
      </dd>
    </div>
  )
}

type BetHeadProps = { readonly bet: GameBet; readonly seal: ReactNode; readonly children?: ReactNode }

/** Side, stake and type, how long the round still runs and what decides it; beside them what it would bring. */
function BetHead({ bet, seal, children }: BetHeadProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-3 tabular-nums">
      <div className="min-w-28 flex-1 basis-28 short:leading-tight">
        <Side bet={bet} /> {formatWholeAmount(bet.stakeMinor)} {commonTexts.points} · {bet.round.type}
        <span className="block text-xs text-ink-3 short:leading-tight">
          <LeftText bet={bet} />
          {bet.basis === 'PRICE' && (
            <span>{` · ${bet.voidReason === null ? heldBetTexts.decidedByPrice : voidWords[bet.voidReason]}`}</span>
          )}
        </span>
        {seal}
      </div>
      {children}
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

function LeftText({ bet }: { readonly bet: GameBet }) {
  const ref = useRef<HTMLSpanElement>(null)
  useTickingText(ref, (serverMs) => {
    if (bet.status !== 'open') return heldBetTexts.ended
    const leftMs = bet.closesAtMs - serverMs
    return remainingSeconds(leftMs) === 0 ? heldBetTexts.settling : heldBetTexts.left(formatCountdown(leftMs))
  })
  return <span ref={ref} translate="no" />
}

/** The way to the bet's row in the history. */
function ReviewLink({ bet }: { readonly bet: GameBet }) {
  return (
    <Link
      to="/account/bets"
      search={{ bet: bet.id }}
      aria-label={heldBetTexts.reviewThis}
      className="relative rounded-s px-1 text-sm font-medium text-gold underline-offset-4 after:absolute after:-inset-3 hover:underline"
    >
      {heldBetTexts.review}
    </Link>
  )
}

export type HeldElsewhereProps = { readonly bet: GameBet; readonly onType: (type: RoundType) => void }

/** The open bet of another type, in one line: a press selects that type. */
export function HeldElsewhere({ bet, onType }: HeldElsewhereProps) {
  const ref = useRef<HTMLSpanElement>(null)
  useTickingText(ref, (serverMs) => heldBetTexts.leftElsewhere(formatCountdown(bet.closesAtMs - serverMs)))
  return (
    <button
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

/** The newest price of the bet's round from its entry to its end; null without one, and while prices are too old. */
function priceDuring(bet: GameBet, source: string | null): number | null {
  const newest = source === null ? undefined : newestPrice(source)
  if (source === null || newest === undefined) return null
  const lastSecond = bet.closesAtMs / 1000
  if (newest.second > lastSecond) return priceAt(source, lastSecond) ?? null
  if (bet.entryAtMs !== null && newest.second * 1000 < bet.entryAtMs) return null
  return feedStateAt(serverNowMs() - newest.quoteAtMs) === 'silent' ? null : newest.price
}

function write(ref: RefObject<HTMLElement | null>, { text, way }: HeldFigures['outcome']): void {
  if (ref.current === null) return
  if (ref.current.textContent !== text) ref.current.textContent = text
  if (ref.current.dataset['way'] !== way) ref.current.dataset['way'] = way satisfies Way
}
