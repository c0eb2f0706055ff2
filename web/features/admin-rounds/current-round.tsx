import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type RoundType, STAFF_ACT_MIN_LEFT_MS } from '#domain/game/calendar.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { adminRoundTexts as texts } from './admin-round-texts.ts'
import { useMay } from '#web/platform/use-may.ts'
import { formatCount, formatGoldPrice } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { useRefreshAfter } from '#web/platform/refresh-after.ts'
import { useHasReached } from '#web/platform/ticker.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { RoundLink } from '#web/parts/round-link.tsx'
import { StakeBar } from '#web/parts/stake-bar.tsx'
import { Countdown, ProgressBar } from '#web/ui/ticking-text.tsx'
import { type CurrentState, currentQuery, type Round, type RunningRound } from './api.ts'
import type { RoundAct } from './round-dialogs.tsx'
import { actsUntilMs, directionText } from './round-words.ts'

/** The running round of a type with its stakes and acts; without a round, the button that creates one (rules §2.9). */
export function CurrentRound({ type, onAct }: { readonly type: RoundType; readonly onAct: (act: RoundAct) => void }) {
  const { data, error } = useQuery(currentQuery(type))
  useRefreshAfter(data === undefined ? null : endOf(data), [...adminKeys.rounds, type])
  if (data === undefined)
    return (
      <Frame>
        {error === null ? (
          // The skeleton is as high as a loaded round, so that the content beneath does not move.
          <SkeletonGroup
            className="flex min-h-16 w-full items-center gap-4 max-md:min-h-[13.15rem] max-[24rem]:min-h-[16.1rem]"
            shapes={['h-8 w-24', 'h-4 flex-1']}
          />
        ) : (
          <p role="alert" className="text-sm text-down">
            {failureText(error, commonTexts.somethingWrong)}
          </p>
        )}
      </Frame>
    )
  if (data.kind === 'round')
    return <Running key={data.round.id} round={data.round} stakes={data.stakes} onAct={onAct} />
  return <NoRound type={type} state={data} onAct={onAct} />
}

const endOf = (state: CurrentState): number => (state.kind === 'round' ? state.round.closesAtMs : state.nextOpensAtMs)

function Frame({ children }: { readonly children: ReactNode }) {
  return <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4! py-3!">{children}</Card>
}

type RunningProps = {
  readonly round: Round
  readonly stakes: RunningRound | null
  readonly onAct: (act: RoundAct) => void
}

function Running({ round, stakes, onAct }: RunningProps) {
  const isOver = useHasReached(round.closesAtMs)
  return (
    <Frame>
      <div className="flex min-w-44 flex-col gap-1 max-md:w-full">
        <p className="text-xs text-ink-3">
          <RoundLink to="/admin/round/$id" roundId={round.id}>
            {texts.roundNumber(formatCount(round.roundNumber))}
          </RoundLink>{' '}
          · {isOver ? texts.settling : texts.running}
        </p>
        <p className="text-xl font-semibold tracking-tight">
          <Countdown endsAtMs={round.closesAtMs} label={texts.countdown} />
        </p>
        <ProgressBar startsAtMs={round.opensAtMs} endsAtMs={round.closesAtMs} />
      </div>
      <div className="flex min-w-52 flex-1 flex-col gap-1.5">
        <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-ink-2 tabular-nums">
          <Fact name={texts.bets}>{formatCount(stakes?.bets ?? 0)}</Fact>
          {round.openPrice !== null && <Fact name={texts.openPrice}>{formatGoldPrice(round.openPrice)}</Fact>}
        </p>
        <StakeBar upMinor={stakes?.stakedUpMinor ?? 0n} downMinor={stakes?.stakedDownMinor ?? 0n} words={texts} />
      </div>
      <RoundActs round={round} onAct={onAct} />
    </Frame>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <span>
      {name}:{' '}
      <span translate="no" className="font-semibold text-ink">
        {children}
      </span>
    </span>
  )
}

const actClass = 'whitespace-nowrap max-md:min-h-target max-md:flex-auto max-md:px-2.5!'

function RoundActs({ round, onAct }: Omit<RunningProps, 'stakes'>) {
  const isLate = useHasReached(actsUntilMs(round))
  const may = useMay('rounds')
  const isSet = round.announcement !== null
  const announced = round.announcement?.direction ?? null
  return (
    <div className="flex flex-col items-end gap-1.5 max-md:w-full">
      <div className="flex flex-wrap justify-end gap-2 max-md:w-full">
        {isSet ? (
          <Badge tone="gold">
            {announced === null ? texts.announcedSecret : texts.announcedAs(directionText(announced))}
          </Badge>
        ) : (
          may &&
          (['up', 'down'] as const).map((direction) => (
            <Button
              key={direction}
              variant={direction}
              size="sm"
              disabled={isLate}
              className={actClass}
              onClick={() => onAct({ kind: 'set', round, direction })}
            >
              {direction === 'up' ? texts.setUp : texts.setDown}{' '}
              <span aria-hidden>{direction === 'up' ? '▲' : '▼'}</span>
            </Button>
          ))
        )}
        {may && (
          <Button
            variant="outline"
            size="sm"
            disabled={isLate || round.status !== 'running'}
            className={actClass}
            onClick={() => onAct({ kind: 'remove', round })}
          >
            {texts.remove}
          </Button>
        )}
      </div>
      <p role="status" className="min-h-4 text-xs text-ink-3">
        {may && (isLate ? texts.tooLate : isSet && texts.alreadySet)}
      </p>
    </div>
  )
}

type NoRoundProps = {
  readonly type: RoundType
  readonly state: Exclude<CurrentState, { readonly kind: 'round' }>
  readonly onAct: (act: RoundAct) => void
}

function NoRound({ type, state, onAct }: NoRoundProps) {
  const isLate = useHasReached(state.nextOpensAtMs - STAFF_ACT_MIN_LEFT_MS)
  const may = useMay('rounds')
  return (
    <Frame>
      <div className="min-w-0 flex-1">
        <p className="text-sm text-ink-2">{state.kind === 'deleted' ? texts.deletedRound : texts.noRound}</p>
        <p className="text-xl font-semibold tracking-tight">
          <Countdown endsAtMs={state.nextOpensAtMs} label={texts.untilNext} />
        </p>
      </div>
      {may && (
        <div className="flex flex-col items-end gap-1.5">
          <Button
            size="sm"
            disabled={isLate}
            className="max-md:min-h-target"
            onClick={() => onAct({ kind: 'create', type, nextOpensAtMs: state.nextOpensAtMs })}
          >
            {texts.forceCreate}
          </Button>
          <p role="status" className="text-xs text-ink-3">
            {isLate ? texts.tooLateCreate : undefined}
          </p>
        </div>
      )}
    </Frame>
  )
}
