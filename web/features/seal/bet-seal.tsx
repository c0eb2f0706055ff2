import { useEffect } from 'react'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import type { SealableBet } from './api.ts'
import type { BetSealProps } from './seal-line.tsx'
import type { SentOrder } from './sealing.ts'

const importLine = () => import('./seal-line.tsx')
const loadLine = afterDrawing(importLine)

/** Shows whether a bet is sealed in the public log. A bet without a salt is older than the log, so nothing is shown. */
export function BetSeal(props: BetSealProps) {
  const isSealable = props.bet.salt != null
  const { part } = useLazyPart(loadLine, isSealable)
  if (!isSealable) return null
  return (
    <span
      aria-live="polite"
      className={props.as === 'line' ? 'block min-h-4 text-xs' : 'block min-h-6 shrink-0 text-sm'}
    >
      {part !== undefined && <part.SealLine {...props} />}
    </span>
  )
}

/** Loads the sealing code after the screen is drawn, and resumes the unfinished checks that the device keeps. */
export function useSeals(userId: string): void {
  const { part } = useLazyPart(loadLine)
  useEffect(() => void part?.sealing.resume(userId), [part, userId])
}

export function sealPlacedBet(userId: string, bet: SealableBet, order: SentOrder): void {
  // If the code can't be loaded now, `SealLine` follows the bet later, but can't compare it with the sent order. If the
  // bet has been refetched by then, the promise is missing, too.
  importLine().then(
    ({ sealing }) => sealing.follow(userId, bet, order),
    () => undefined,
  )
}
