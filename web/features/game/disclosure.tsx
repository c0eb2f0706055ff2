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

/** Shows before a bet that staff or a script will decide it (rules §1.2). Also shows that gold trading is closed. */
export function Disclosure({ round, scriptedOutcome, openBet }: DisclosureProps) {
  const goldReopensAtMs = round?.goldReopensAtMs ?? null
  const isSetByStaff = round?.resultSource === 'ADMIN'
  const isOwnByPrice = openBet?.basis === 'PRICE' && openBet.round.id === round?.id
  // The region is always rendered, because a screen reader only announces a banner that appears in an existing region.
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

/** Names what decides a bet, above the bet buttons. Shows nothing if the price decides (rules §1.2). */
export function DecidingBasis({ basis }: { readonly basis: Basis }) {
  if (basis === 'PRICE') return null
  return (
    <p className="text-center text-xs font-medium text-warn">
      {gameTexts.decidedBy} {basisWords[basis]}
    </p>
  )
}
