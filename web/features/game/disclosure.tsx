import type { Basis, ScriptedOutcome } from '#domain/game/bet.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { gameTexts } from './game-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { TimeLeft } from '#web/ui/ticking-text.tsx'
import type { GameBet, GameRound } from './api.ts'
import { basisWords } from './bet-words.ts'

export type DisclosureProps = {
  readonly round: GameRound | null
  readonly scriptedOutcome: ScriptedOutcome | null
  readonly openBet: GameBet | null
}

/** The disclosure before a bet: the deciding basis unless it is the price (rules §1.2), and closed gold trading. */
export function Disclosure({ round, scriptedOutcome, openBet }: DisclosureProps) {
  const goldReopensAtMs = round?.goldReopensAtMs ?? null
  const isSetByStaff = round?.resultSource === 'ADMIN'
  const isOwnByPrice = openBet?.basis === 'PRICE' && openBet.round.id === round?.id
  // The region is always rendered, so that a screen reader announces a banner that appears in it.
  return (
    <div aria-live="polite" className="flex flex-col gap-2 empty:hidden">
      {scriptedOutcome !== null && (
        <Banner tone="warn">{scriptedOutcome === 'win' ? gameTexts.scriptedWin : gameTexts.scriptedLose}</Banner>
      )}
      {isSetByStaff && (
        <Banner tone="warn">
          <p>{gameTexts.roundSetByStaff}</p>
          {isOwnByPrice && (
            <p>
              {gameTexts.laterBetsByStaff} {gameTexts.yoursByPrice}
            </p>
          )}
        </Banner>
      )}
      {goldReopensAtMs !== null && (
        <Banner tone="info">
          {gameTexts.goldClosed}. {gameTexts.goldReopens(formatDateTime(goldReopensAtMs).slice(0, -3))}{' '}
          {gameTexts.goldReopensIn} <TimeLeft endsAtMs={goldReopensAtMs} label={gameTexts.untilGoldReopens} />.
        </Banner>
      )}
    </div>
  )
}

/** The deciding basis beside the buttons, unless it is the price alone (rules §1.2). */
export function DecidingBasis({ basis }: { readonly basis: Basis }) {
  if (basis === 'PRICE') return null
  return (
    <p className="text-center text-xs font-medium text-warn">
      {gameTexts.decidedBy} {basisWords[basis]}
    </p>
  )
}
