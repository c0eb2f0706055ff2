import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Direction } from '#domain/game/bet.ts'
import { playMoneyTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/dialog.tsx'
import { directionWords } from './bet-words.ts'
import { PracticeChart } from './practice-chart.tsx'
import { PracticeResult, ReplayFigures } from './practice-figures.tsx'
import { drawRound, PRACTICE_EXIT_SECOND } from './practice-rounds.ts'
import { practiceTexts } from './practice-texts.ts'
import { useReplay } from './use-replay.ts'

const cards = ['round', 'choice', 'replay', 'result'] as const

export type PracticeSheetProps = {
  /** The id of the bet button that opened the practice; absent from the rules. */
  readonly returnsTo?: string | undefined
  readonly onRules: () => void
  readonly onClose: () => void
}

/** One recorded round in four short cards. No points move, and no side of it is better (rules §8). */
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

/** Takes the focus when the card changes, so that a screen reader reads on from there. */
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
