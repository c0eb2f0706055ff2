import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Round } from '#contract/game.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { formatCount, formatWholeAmount } from '#web/platform/formats.ts'
import { classNames } from '#web/ui/class-names.ts'
import { RotateCcw } from '#web/ui/icons/rotate-ccw.tsx'
import { type GameBet, recentRoundsQuery } from './api.ts'
import { directionWords } from './bet-words.ts'
import { gameTexts } from './game-texts.ts'
import { HeldBetCard, HeldElsewhere } from './held-bet.tsx'
import type { Betting } from './use-betting.ts'
import type { Game } from './use-game.ts'

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
