import type { Basis, ScriptedOutcome } from '#domain/game/bet.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { TimeLeft } from '#web/ui/ticking-text.tsx'
import type { GameRound } from './api.ts'
import { basisWords } from './bet-words.ts'

export type DisclosureProps = {
  readonly round: GameRound | null
  readonly scriptedOutcome: ScriptedOutcome | null
  /** When gold trades again, while it is shut (rules §5). */
  readonly goldReopensAtMs: number | null
}

/** What the player must know before betting: everything but the price that would decide (rules §1.2), and shut gold. */
export function Disclosure({ round, scriptedOutcome, goldReopensAtMs }: DisclosureProps) {
  const isSetByStaff = round?.resultSource === 'ADMIN'
  // The region is always there, so that a banner which appears is announced.
  return (
    <div aria-live="polite" className="flex flex-col gap-2 empty:hidden">
      {scriptedOutcome !== null && (
        <Banner tone="warn">{scriptedOutcome === 'win' ? gameTexts.scriptedWin : gameTexts.scriptedLose}</Banner>
      )}
      {isSetByStaff && <Banner tone="warn">{gameTexts.roundSetByStaff}</Banner>}
      {goldReopensAtMs !== null && (
        <Banner tone="info">
          {gameTexts.goldClosed}. {gameTexts.goldReopens(formatDateTime(goldReopensAtMs).slice(0, -3))}{' '}
          {gameTexts.goldReopensIn} <TimeLeft endsAtMs={goldReopensAtMs} label={gameTexts.untilGoldReopens} />.
        </Banner>
      )}
    </div>
  )
}

/** Beside the buttons: what decides, whenever it is not the price alone (rules §1.2). */
export function DecidingBasis({ basis }: { readonly basis: Basis }) {
  if (basis === 'PRICE') return null
  return (
    <p className="text-center text-xs font-medium text-warn">
      {gameTexts.decidedBy} {basisWords[basis]}
    </p>
  )
}
