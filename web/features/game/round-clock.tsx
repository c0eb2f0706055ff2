import type { ReactNode } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import { failureText } from '#web/platform/http.ts'
import { gameTexts } from './game-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Countdown, ProgressBar } from '#web/ui/ticking-text.tsx'
import { currentRoundQuery, type GameRound } from './api.ts'
import type { RoundView } from './round-view.ts'
import { queryClient } from '#web/platform/query-client.ts'

export type RoundClockProps = { readonly view: RoundView; readonly type: RoundType }

export function RoundClock({ view, type }: RoundClockProps) {
  switch (view.state) {
    case 'loading':
      return (
        <SkeletonGroup
          className="flex min-h-11 flex-1 items-center gap-3 short:flex-none"
          shapes={['h-8 w-20', 'h-3 flex-1 short:hidden']}
        />
      )
    case 'unreachable':
      return <UnreachableClock error={view.error} type={type} />
    case 'none':
      return <WaitingClock nextOpensAtMs={view.nextOpensAtMs} text={gameTexts.noRound} />
    case 'deleted':
      return <WaitingClock nextOpensAtMs={view.nextOpensAtMs} text={gameTexts.roundDeleted} />
    case 'opening':
    case 'running':
      return <RoundRow round={view.round} text={betUntil(view.round)} />
    case 'feed-closed':
      return <RoundRow round={view.round} text={view.round.feedReason ?? gameTexts.feedClosed} />
    case 'closing':
      return <RoundRow round={view.round} text={gameTexts.roundClosing} />
    case 'settling':
      return <RoundRow round={null} text={gameTexts.roundSettling} />
    case 'away':
      return <RoundRow round={view.round} text={gameTexts.serverAway} />
  }
}

const betUntil = ({ closesAtMs, locksAtMs }: GameRound) => gameTexts.betUntil((closesAtMs - locksAtMs) / 1000)

type RowProps = { readonly clock: ReactNode; readonly bar: ReactNode; readonly text: string }

/** A row that keeps its height when its content changes, so that nothing moves. `text` is for screen readers. */
function Row({ clock, bar, text }: RowProps) {
  return (
    <div className="flex min-h-11 flex-1 items-center gap-3 short:flex-none short:flex-col short:items-stretch short:justify-center short:gap-1">
      <div translate="no" className="text-xl font-semibold tracking-tight tabular-nums">
        {clock}
      </div>
      <div className="min-w-0 flex-1 short:flex-none">{bar}</div>
      <p className="sr-only">{text}</p>
    </div>
  )
}

const emptyBar = <div aria-hidden className="h-1 rounded-pill bg-line" />

/** Shows the countdown of a round. Without a round the clock stands at zero. */
function RoundRow({ round, text }: { readonly round: GameRound | null; readonly text: string }) {
  if (round === null) return <Row clock="00:00" bar={emptyBar} text={text} />
  const { opensAtMs, closesAtMs } = round
  return (
    <Row
      clock={<Countdown endsAtMs={closesAtMs} label={gameTexts.countdown} />}
      bar={<ProgressBar startsAtMs={opensAtMs} endsAtMs={closesAtMs} />}
      text={text}
    />
  )
}

function WaitingClock({ nextOpensAtMs, text }: { readonly nextOpensAtMs: number; readonly text: string }) {
  return (
    <Row clock={<Countdown endsAtMs={nextOpensAtMs} label={gameTexts.untilNextRound} />} bar={emptyBar} text={text} />
  )
}

function UnreachableClock({ error, type }: { readonly error: unknown; readonly type: RoundType }) {
  return (
    <div role="alert" className="flex min-h-11 basis-full items-center gap-3">
      <p className="min-w-0 flex-1 text-sm text-down">{failureText(error, gameTexts.roundUnreachable)}</p>
      <Button
        variant="outline"
        onClick={() => void queryClient.refetchQueries({ queryKey: currentRoundQuery(type).queryKey })}
      >
        {commonTexts.retry}
      </Button>
    </div>
  )
}
