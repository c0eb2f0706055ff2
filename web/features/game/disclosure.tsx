import type { Basis, ScriptedOutcome } from '#domain/game/bet.ts'
import { formatDateMinute } from '#web/platform/formats.ts'
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

/** Says that staff or a script will decide the next bets (rules §1.2), and that gold trading is closed (rules §5.5). */
export function Disclosure({ round, scriptedOutcome, openBet }: DisclosureProps) {
  const goldReopensAtMs = round?.goldReopensAtMs ?? null
  const isSetByStaff = round?.resultSource === 'ADMIN'
  const isOwnByPrice = openBet?.basis === 'PRICE' && openBet.round.id === round?.id
  // The region is always rendered, because screen readers announce only changes of a live region that exists already.
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
          {gameTexts.goldClosed}. {gameTexts.goldReopens(formatDateMinute(goldReopensAtMs))} {gameTexts.goldReopensIn}{' '}
          <TimeLeft endsAtMs={goldReopensAtMs} label={gameTexts.untilGoldReopens} />.
        </Banner>
      )}
    </div>
  )
}

/** Names what decides a bet, unless the price does (rules §1.2). */
export function DecidingBasis({ basis }: { readonly basis: Basis }) {
  if (basis === 'PRICE') return null
  return (
    <p className="text-center text-xs font-medium text-warn">
      {gameTexts.decidedBy} {basisWords[basis]}
    </p>
  )
}
