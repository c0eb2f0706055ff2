import type { ReactNode } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import { failureText } from '#web/platform/http.ts'
import { gameTexts } from './game-texts.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Countdown, ProgressBar } from '#web/ui/ticking-text.tsx'
import { currentRoundQuery, type GameRound } from './api.ts'
import type { RoundView } from './round-view.ts'
import { queryClient } from '#web/platform/query-client.ts'

export type RoundClockProps = { readonly view: RoundView; readonly type: RoundType }

/** One component per state, chosen only here. */
export function RoundClock({ view, type }: RoundClockProps) {
  switch (view.state) {
    case 'loading':
      return <LoadingClock />
    case 'unreachable':
      return <UnreachableClock error={view.error} type={type} />
    case 'none':
      return <WaitingClock nextOpensAtMs={view.nextOpensAtMs} text={gameTexts.noRound} />
    case 'deleted':
      return <WaitingClock nextOpensAtMs={view.nextOpensAtMs} text={gameTexts.roundDeleted} />
    case 'opening':
    case 'running':
      return <RunningClock round={view.round} />
    case 'feed-closed':
      return <FeedClosedClock round={view.round} />
    case 'closing':
      return <ClosingClock round={view.round} />
    case 'settling':
      return <SettlingClock />
    case 'away':
      return <AwayClock round={view.round} />
  }
}

type RowProps = { readonly clock: ReactNode; readonly bar: ReactNode; readonly text: string }

/**
 * The same place and height in every state, so that nothing moves. The text is for screen readers: the line beneath the
 * buttons shows it.
 */
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

function RoundRow({ round, text }: { readonly round: GameRound; readonly text: string }) {
  const { opensAtMs, closesAtMs } = round
  return (
    <Row
      clock={<Countdown endsAtMs={closesAtMs} label={gameTexts.countdown} />}
      bar={<ProgressBar startsAtMs={opensAtMs} endsAtMs={closesAtMs} />}
      text={text}
    />
  )
}

function RunningClock({ round }: { readonly round: GameRound }) {
  return <RoundRow round={round} text={gameTexts.betUntil((round.closesAtMs - round.locksAtMs) / 1000)} />
}

function ClosingClock({ round }: { readonly round: GameRound }) {
  return <RoundRow round={round} text={gameTexts.roundClosing} />
}

function FeedClosedClock({ round }: { readonly round: GameRound }) {
  return <RoundRow round={round} text={round.feedReason ?? gameTexts.feedClosed} />
}

function SettlingClock() {
  return <Row clock="00:00" bar={emptyBar} text={gameTexts.roundSettling} />
}

function AwayClock({ round }: { readonly round: GameRound | null }) {
  if (round === null) return <Row clock="00:00" bar={emptyBar} text={gameTexts.serverAway} />
  return <RoundRow round={round} text={gameTexts.serverAway} />
}

function WaitingClock({ nextOpensAtMs, text }: { readonly nextOpensAtMs: number; readonly text: string }) {
  return (
    <Row clock={<Countdown endsAtMs={nextOpensAtMs} label={gameTexts.untilNextRound} />} bar={emptyBar} text={text} />
  )
}

function LoadingClock() {
  return (
    <SkeletonGroup className="flex min-h-11 flex-1 items-center gap-3 short:flex-none">
      <Skeleton className="h-8 w-20" />
      <Skeleton className="h-3 flex-1 short:hidden" />
    </SkeletonGroup>
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
