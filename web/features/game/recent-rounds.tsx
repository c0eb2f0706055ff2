import { useQuery } from '@tanstack/react-query'
import type { Round } from '#contract/game.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { formatCount } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { classNames } from '#web/ui/class-names.ts'
import { recentRoundsQuery } from './api.ts'

/** The latest results of the type, newest first; one line high in every state, so that nothing moves. */
export function RecentRounds({ type }: { readonly type: RoundType }) {
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
} as const

function RoundMark({ round }: { readonly round: Round }) {
  const { sign, word, look } = marks[round.result ?? 'tie']
  const isByStaff = round.resultSource === 'ADMIN'
  const words = [gameTexts.round(formatCount(round.roundNumber)), word, ...(isByStaff ? [gameTexts.recentByStaff] : [])]
  return (
    <span
      title={words.join(' · ')}
      className={classNames(
        'grid size-5 place-items-center rounded-[6px] text-[0.625rem] leading-none font-semibold',
        look,
        isByStaff && 'shadow-[inset_0_0_0_1.5px_var(--warn)]',
      )}
    >
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{words.join(', ')}</span>
    </span>
  )
}
