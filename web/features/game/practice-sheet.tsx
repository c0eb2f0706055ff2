import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Direction, profitOf } from '#domain/game/bet.ts'
import { points } from '#domain/money.ts'
import { formatGoldChange, formatGoldPrice, formatSignedAmount, formatDate, formatTime } from '#web/platform/formats.ts'
import { commonTexts, playMoneyTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { directionWords } from './bet-words.ts'
import {
  drawRound,
  PRACTICE_BET_SECOND,
  PRACTICE_ENTRY_SECOND,
  PRACTICE_EXIT_SECOND,
  practiceEnd,
  type PracticeRound,
} from './practice-rounds.ts'
import { practiceTexts } from './practice-texts.ts'
import { ReadAlong, timedPrice } from '#web/ui/read-along.tsx'

const cards = ['round', 'choice', 'replay', 'result'] as const

export type PracticeSheetProps = {
  /** The id of the bet button that opened the practice and gets the focus afterwards. Undefined if none opened it. */
  readonly returnsTo?: string | undefined
  readonly onRules: () => void
  readonly onClose: () => void
}

/** Shows a recorded round in four short cards. No points move (rules §2.12). */
export function PracticeSheet({ returnsTo, onRules, onClose }: PracticeSheetProps) {
  const isBeforeBet = returnsTo !== undefined
  const [round] = useState(() => drawRound(Math.random()))
  const [step, setStep] = useState(0)
  const [side, setSide] = useState<Direction | null>(null)
  const card = cards[step] ?? 'result'
  const second = useReplay(card === 'replay')
  const next = () => setStep(step + 1)
  const pick = (direction: Direction) => {
    setSide(direction)
    next()
  }
  const shownSecond = card === 'result' ? PRACTICE_EXIT_SECOND : second
  return (
    <Sheet
      onClose={onClose}
      title={practiceTexts.title}
      {...(isBeforeBet && { returnsTo, description: practiceTexts.notSent })}
      footer={<Footer card={card} isBeforeBet={isBeforeBet} onNext={next} onRules={onRules} onClose={onClose} />}
    >
      <Heading step={step}>{practiceTexts[card].title}</Heading>
      <PracticeChart round={round} second={shownSecond} side={side} />
      <div className="flex min-h-36 shrink-0 flex-col gap-3">
        {card === 'replay' && <ReplayFigures round={round} second={second} />}
        {card === 'result' && side !== null ? (
          <PracticeResult round={round} side={side} />
        ) : (
          card !== 'result' && <p className="text-sm text-ink-2">{practiceTexts[card].text}</p>
        )}
        {card === 'choice' && <Sides onPick={pick} />}
      </div>
      <p className="text-xs text-ink-3">{playMoneyTexts.everywhere}</p>
    </Sheet>
  )
}

/** A card's heading, which takes the focus when the card changes, so that a screen reader reads on from there. */
function Heading({ step, children }: { readonly step: number; readonly children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (step > 0) ref.current?.focus()
  }, [step])
  return (
    <h3 ref={ref} tabIndex={-1} className="flex items-baseline justify-between gap-3 font-semibold outline-none">
      {children}
      <span className="text-xs font-medium text-ink-3 tabular-nums">{practiceTexts.step(step + 1)}</span>
    </h3>
  )
}

function Sides({ onPick }: { readonly onPick: (direction: Direction) => void }) {
  return (
    <div className="grid grid-cols-2 gap-2.5">
      {(['up', 'down'] as const).map((direction) => (
        <Button key={direction} variant={direction} onClick={() => onPick(direction)}>
          {directionWords[direction].label} <span aria-hidden>{directionWords[direction].arrow}</span>
        </Button>
      ))}
    </div>
  )
}

type FooterProps = Pick<PracticeSheetProps, 'onRules' | 'onClose'> & {
  readonly isBeforeBet: boolean
  readonly card: (typeof cards)[number]
  readonly onNext: () => void
}

function Footer({ card, isBeforeBet, onNext, onRules, onClose }: FooterProps) {
  if (card === 'result')
    return (
      <>
        <Button variant="outline" onClick={onRules}>
          {practiceTexts.toRules}
        </Button>
        <Button onClick={onClose}>{isBeforeBet ? practiceTexts.backToOrder : practiceTexts.done}</Button>
      </>
    )
  return (
    <>
      <Button variant="ghost" onClick={onClose}>
        {practiceTexts.skip}
      </Button>
      {card !== 'choice' && (
        <Button onClick={onNext}>{card === 'replay' ? practiceTexts.toResult : practiceTexts.next}</Button>
      )}
    </>
  )
}

/** The replay shows each second of the round for this long. */
const stepMs = 200

/** Returns whether the user asked for reduced motion. If so, the whole round appears at once. */
const isStill = () => globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Returns the last second of the round that the chart shows. This value advances while `isRunning` is true. */
function useReplay(isRunning: boolean): number {
  const [second, setSecond] = useState(PRACTICE_ENTRY_SECOND)
  const isAtEnd = second >= PRACTICE_EXIT_SECOND
  useEffect(() => {
    if (!isRunning || isAtEnd) return
    const timer = setInterval(
      () => setSecond((shown) => (isStill() ? PRACTICE_EXIT_SECOND : Math.min(shown + 1, PRACTICE_EXIT_SECOND))),
      isStill() ? 0 : stepMs,
    )
    return () => clearInterval(timer)
  }, [isRunning, isAtEnd])
  return isRunning ? second : PRACTICE_BET_SECOND
}

function ReplayFigures({ round: { prices }, second }: { readonly round: PracticeRound; readonly second: number }) {
  const entry = prices[PRACTICE_ENTRY_SECOND] ?? 0
  const price = prices[second] ?? 0
  const isOver = second === PRACTICE_EXIT_SECOND
  const arrow = price > entry ? '▲ ' : price < entry ? '▼ ' : ''
  const figures = [
    [practiceTexts.entry, formatGoldPrice(entry)],
    [isOver ? practiceTexts.exit : practiceTexts.now, formatGoldPrice(price)],
    [practiceTexts.difference, `${arrow}${formatGoldChange(price - entry)}`],
  ] as const
  return (
    <dl className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm tabular-nums">
      {figures.map(([label, figure]) => (
        <div key={label}>
          <dt className="text-xs text-ink-3">{label}</dt>
          <dd translate="no" className="font-medium">
            {figure}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function PracticeResult({ round, side }: { readonly round: PracticeRound; readonly side: Direction }) {
  const sizeMinor = profitOf('30s', points(10))
  const profitMinor = practiceEnd(round) === side ? sizeMinor : -sizeMinor
  const { label, arrow } = directionWords[side]
  const entry = formatGoldPrice(round.prices[PRACTICE_ENTRY_SECOND] ?? 0)
  const exit = formatGoldPrice(round.prices[PRACTICE_EXIT_SECOND] ?? 0)
  const { result } = practiceTexts
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-sm text-ink-2">{result.order(`${label} ${arrow}`)}</span>
        <span translate="no" className="text-xl font-semibold tracking-tight tabular-nums">
          <span className={profitMinor > 0n ? 'text-up' : 'text-down'}>{formatSignedAmount(profitMinor)}</span>{' '}
          <span className="text-sm font-medium text-ink-2">{commonTexts.points}</span>
        </span>
      </p>
      <p className="text-sm text-ink-2">
        {practiceEnd(round) === 'up' ? result.higher(exit, entry) : result.lower(exit, entry)}
      </p>
      <p className="text-sm font-medium">{result.nothingMoved}</p>
      <p className="text-sm text-ink-2">{result.balanced}</p>
    </div>
  )
}

const width = 320
const height = 112
const inset = 10
const x = (at: number) => (at / PRACTICE_EXIT_SECOND) * width

type PracticeChartProps = {
  readonly round: PracticeRound
  readonly second: number
  /** The chosen side, or null before the choice. */
  readonly side: Direction | null
}

/** Draws a recorded round up to `second`. The tint between entry price and line tells whether the chosen side leads. */
function PracticeChart({ round, second, side }: PracticeChartProps) {
  const { opensAtMs, prices } = round
  // The scale covers the whole round, so that the scale does not change while the line grows.
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const y = (price: number) => height - ((price - low) / (high - low)) * height
  const drawn = prices.slice(0, second + 1)
  const pointsOf = (from: number) =>
    drawn.slice(from).map((price, nth) => `${x(from + nth).toFixed(1)},${y(price).toFixed(1)}`)
  const entryY = y(prices[PRACTICE_ENTRY_SECOND] ?? low)
  const last = prices[second] ?? low
  const isAhead = last > (prices[PRACTICE_ENTRY_SECOND] ?? low) === (side === 'up')
  return (
    <figure className="flex shrink-0 flex-col gap-1">
      <ReadAlong
        label={practiceTexts.chart(formatDate(opensAtMs))}
        xs={() => drawn.map((_, at) => (x(at) + inset) / (width + 2 * inset))}
        textOf={(at) => timedPrice({ second: opensAtMs / 1000 + at, price: drawn[at] ?? low })}
        yOf={(at) => (y(drawn[at] ?? low) + inset) / (height + 2 * inset)}
      >
        <svg
          aria-hidden
          viewBox={`${-inset} ${-inset} ${width + 2 * inset} ${height + 2 * inset}`}
          className="w-full rounded-s border border-line bg-surface-2"
        >
          <line
            x1={width}
            x2={width}
            y1={-inset}
            y2={height + inset}
            className="stroke-line-strong"
            strokeWidth={1.5}
          />
          {side !== null && (
            <HeldSide line={pointsOf(PRACTICE_ENTRY_SECOND)} toX={x(second)} entryY={entryY} isAhead={isAhead} />
          )}
          <polyline
            points={pointsOf(0).join(' ')}
            fill="none"
            className="stroke-gold"
            strokeWidth={1.8}
            strokeLinejoin="round"
            strokeLinecap="round"
          />
          {side !== null && <circle cx={x(PRACTICE_ENTRY_SECOND)} cy={entryY} r={4} className="fill-info" />}
          <circle cx={x(second)} cy={y(last)} r={4} className={side === null ? 'fill-gold' : 'fill-ink'} />
        </svg>
      </ReadAlong>
      <p aria-hidden className="flex justify-between text-xs text-ink-3 tabular-nums">
        <span>
          {formatTime(opensAtMs)} {practiceTexts.startsAt}
        </span>
        <span>
          {practiceTexts.endsAt} {formatTime(opensAtMs + PRACTICE_EXIT_SECOND * 1000)}
        </span>
      </p>
      <figcaption className="text-xs text-ink-3">{practiceTexts.chart(formatDate(opensAtMs))}</figcaption>
    </figure>
  )
}

type HeldSideProps = {
  readonly line: readonly string[]
  readonly toX: number
  readonly entryY: number
  readonly isAhead: boolean
}

function HeldSide({ line, toX, entryY, isAhead }: HeldSideProps) {
  const fromX = x(PRACTICE_ENTRY_SECOND)
  return (
    <>
      <polygon
        points={[`${fromX},${entryY}`, ...line, `${toX},${entryY}`].join(' ')}
        className={isAhead ? 'fill-up-soft' : 'fill-down-soft'}
      />
      <line
        x1={fromX}
        x2={width}
        y1={entryY}
        y2={entryY}
        strokeDasharray="4 4"
        className="stroke-info"
        strokeWidth={1.2}
      />
    </>
  )
}
