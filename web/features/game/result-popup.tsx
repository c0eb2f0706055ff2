import { noop, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { formatAmount, formatCount, formatSignedAmount } from '#web/platform/formats.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import type { GameBet } from './api.ts'
import { betCause } from './bet-cause.ts'
import { BetFacts } from './bet-facts.tsx'
import { betFormId } from './bet-form-id.ts'
import { statusWords } from './bet-words.ts'
import { betsTexts } from './bets-texts.ts'
import { gameTexts } from './game-texts.ts'
import { heldBetTexts } from './held-bet-texts.ts'
import { betTicksQuery } from './own-bets-api.ts'
import { auditTicks } from './own-bets-words.ts'
import { signalResult } from './result-signals.ts'
import { TickLine } from './tick-line.tsx'
import { VoidHelp } from './void-help.tsx'

export type ResultPopupDialogProps = {
  readonly bet: GameBet
  /** Shows the state of the bet's seal, with a link to the round's receipt. */
  readonly seal?: ReactNode
  readonly onClose: () => void
}

/** Prefetches the ticks for the popup's chart. If this fails, the popup fetches them when it opens. */
export function prefetchPicture(bet: GameBet): void {
  if (bet.basis === 'PRICE') queryClient.query(betTicksQuery(bet)).catch(noop)
}

/** Shows a bet's result with the prices or the basis that decided it (spec §4.5, rules §1.2). */
export function ResultPopupDialog({ bet, seal, onClose }: ResultPopupDialogProps) {
  useEffect(() => signalResult(bet.status), [bet.status])
  const { label } = statusWords[bet.status]
  const profitMinor = bet.profitMinor ?? 0n
  const tone = profitMinor > 0n ? 'text-up' : profitMinor < 0n ? 'text-down' : 'text-ink'
  const isVoided = bet.status === 'voided'
  return (
    <Dialog
      onClose={onClose}
      title={`${label} · ${gameTexts.round(formatCount(bet.round.roundNumber))}`}
      description={
        <>
          <span translate="no" className={classNames('block text-xl font-semibold tracking-tight tabular-nums', tone)}>
            {isVoided ? formatAmount(bet.stakeMinor) : formatSignedAmount(profitMinor)}{' '}
            <span className="text-base font-medium text-ink-2">{commonTexts.points}</span>
          </span>
          <span className="block tabular-nums">{betCause(bet)}</span>
        </>
      }
      // The focus does not return to the bet button, where another press on Enter would place a bet.
      returnsTo={betFormId}
      footer={
        <>
          <Link
            to="/account/bets"
            search={{ bet: bet.id }}
            onClick={onClose}
            className={buttonClass({ variant: 'outline' })}
          >
            {heldBetTexts.reviewAgain}
          </Link>
          <Button onClick={onClose}>{commonTexts.close}</Button>
        </>
      }
    >
      {bet.basis === 'PRICE' ? <BetPicture bet={bet} /> : <BetFacts bet={bet} />}
      {seal}
      <VoidHelp bet={bet} />
    </Dialog>
  )
}

/** Draws the prices of a settled bet. Without prices the chart has the same size, so that nothing moves. */
function BetPicture({ bet }: { readonly bet: GameBet }) {
  const { data, isError } = useQuery(betTicksQuery(bet))
  const ticks = data === undefined ? [] : auditTicks(bet, data)
  const hasPrice = ticks.some(({ price }) => price !== null)
  const missing = isError ? betsTexts.pictureFailed : data !== undefined && !hasPrice ? betsTexts.noPrices : null
  return (
    <div className="relative">
      <TickLine bet={bet} ticks={hasPrice ? ticks : []} />
      {missing !== null && (
        <p className="absolute inset-x-0 top-0 grid h-2/3 place-items-center px-4 text-center text-sm text-ink-2">
          {missing}
        </p>
      )}
    </div>
  )
}
