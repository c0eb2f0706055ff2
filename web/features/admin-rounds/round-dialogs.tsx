import { useQuery } from '@tanstack/react-query'
import type { Direction } from '#domain/game/bet.ts'
import { type RoundType, STAFF_ACT_MIN_LEFT_MS } from '#domain/game/calendar.ts'
import { adminRoundTexts as texts } from './admin-round-texts.ts'
import { formatCount, formatWholeAmount } from '#web/platform/formats.ts'
import { useAdminRefresh } from '#web/lists/use-admin-refresh.ts'
import { useHasReached } from '#web/platform/ticker.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { TriangleAlert } from '#web/ui/icons/triangle-alert.tsx'
import { Countdown } from '#web/ui/ticking-text.tsx'
import { toast } from '#web/ui/toast.tsx'
import { currentQuery, deleteRound, forceCreateRound, type Round, type RunningRound, setResult } from './api.ts'
import { actsUntilMs, directionText } from './round-words.ts'

export type RoundAct =
  | { readonly kind: 'set'; readonly round: Round; readonly direction: Direction }
  | { readonly kind: 'remove'; readonly round: Round }
  | { readonly kind: 'create'; readonly type: RoundType; readonly nextOpensAtMs: number }

export type RoundDialogsProps = {
  readonly act: RoundAct
  readonly onHidden: (roundId: string) => void
  readonly onClose: () => void
}

export function RoundDialogs({ act, onHidden, onClose }: RoundDialogsProps) {
  switch (act.kind) {
    case 'set':
      return <SetResultDialog round={act.round} direction={act.direction} onClose={onClose} />
    case 'remove':
      return <RemoveDialog round={act.round} onHidden={onHidden} onClose={onClose} />
    case 'create':
      return <CreateDialog type={act.type} nextOpensAtMs={act.nextOpensAtMs} onClose={onClose} />
  }
}

const useRefresh = () => useAdminRefresh('rounds', 'overview', 'audit', 'bets')

function useStakes({ id, type }: Round): RunningRound | null {
  const { data } = useQuery(currentQuery(type))
  return data?.kind === 'round' && data.round.id === id ? data.stakes : null
}

function TimeLeft({ closesAtMs, isLate, lateText }: { closesAtMs: number; isLate: boolean; lateText: string }) {
  return (
    <p role="status" className={isLate ? 'flex gap-2 text-sm font-medium text-warn' : 'text-sm text-ink-3'}>
      {isLate ? (
        <>
          <TriangleAlert aria-hidden size={16} className="mt-px shrink-0" />
          <span>{lateText}</span>
        </>
      ) : (
        <>
          <span>{`${texts.countdown}: `}</span>
          <Countdown endsAtMs={closesAtMs} label={texts.countdown} />
        </>
      )}
    </p>
  )
}

type RoundProps = { readonly round: Round; readonly onClose: () => void }

function SetResultDialog({ round, direction, onClose }: RoundProps & { readonly direction: Direction }) {
  const refresh = useRefresh()
  const stakes = useStakes(round)
  const isLate = useHasReached(actsUntilMs(round))
  const word = directionText(direction)
  const number = formatCount(round.roundNumber)
  return (
    <ActDialog
      title={texts.setTitle(word, number)}
      description={
        <div className="flex flex-col gap-2">
          <p className="font-medium text-ink">{texts.setText(word)}</p>
          <p>
            {stakes === null
              ? texts.setUnknown
              : stakes.bets === 0
                ? texts.setNobody
                : texts.setStanding(
                    formatCount(stakes.bets),
                    formatWholeAmount(stakes.stakedUpMinor),
                    formatWholeAmount(stakes.stakedDownMinor),
                  )}
          </p>
          <p>{texts.setShown}</p>
        </div>
      }
      confirmLabel={texts.setButton(word)}
      isBlocked={isLate}
      run={() => setResult(round.id, direction)}
      doneText={texts.resultSet(word, number)}
      onSettled={refresh}
      failText={texts.setFailed}
      onClose={onClose}
    >
      <TimeLeft closesAtMs={round.closesAtMs} isLate={isLate} lateText={texts.tooLate} />
    </ActDialog>
  )
}

/** Deletes a running round, whose stakes return to the players. A round that has ended is only hidden from the list. */
function RemoveDialog({ round, onHidden, onClose }: RoundProps & Pick<RoundDialogsProps, 'onHidden'>) {
  const refresh = useRefresh()
  const stakes = useStakes(round)
  const hasReachedEnd = useHasReached(actsUntilMs(round))
  const number = formatCount(round.roundNumber)
  const isHiding = round.status === 'ended'
  const isLate = !isHiding && hasReachedEnd
  return (
    <ActDialog
      title={(isHiding ? texts.hideTitle : texts.removeTitle)(number)}
      description={isHiding ? texts.hideText : removeText(stakes)}
      confirmLabel={isHiding ? texts.hide : texts.removeButton}
      tone="danger"
      isBlocked={isLate}
      run={async () => {
        await deleteRound(round.id)
        if (isHiding) onHidden(round.id)
      }}
      doneText={(isHiding ? texts.hidden : texts.removed)(number)}
      onSettled={refresh}
      failText={texts.removeFailed}
      onClose={onClose}
    >
      {!isHiding && <TimeLeft closesAtMs={round.closesAtMs} isLate={isLate} lateText={texts.tooLate} />}
    </ActDialog>
  )
}

function removeText(stakes: RunningRound | null): string {
  if (stakes === null) return texts.removeRunningUnknown
  if (stakes.bets === 0) return texts.removeRunningEmpty
  return texts.removeRunning(formatCount(stakes.bets), formatWholeAmount(stakes.stakedUpMinor + stakes.stakedDownMinor))
}

type CreateProps = { readonly type: RoundType; readonly nextOpensAtMs: number; readonly onClose: () => void }

function CreateDialog({ type, nextOpensAtMs, onClose }: CreateProps) {
  const refresh = useRefresh()
  const isLate = useHasReached(nextOpensAtMs - STAFF_ACT_MIN_LEFT_MS)
  return (
    <ActDialog
      title={texts.createTitle(type)}
      description={texts.createText(type)}
      confirmLabel={texts.createButton}
      isBlocked={isLate}
      run={async () => {
        const { roundNumber } = await forceCreateRound(type)
        toast.success(texts.created(formatCount(roundNumber)))
      }}
      onSettled={refresh}
      failText={texts.createFailed}
      onClose={onClose}
    >
      <TimeLeft closesAtMs={nextOpensAtMs} isLate={isLate} lateText={texts.tooLateCreate} />
    </ActDialog>
  )
}
