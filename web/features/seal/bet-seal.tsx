import { useEffect } from 'react'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import type { SealableBet } from './api.ts'
import type { BetSealProps } from './seal-line.tsx'
import type { SentOrder } from './sealing.ts'

const importLine = () => import('./seal-line.tsx')
const loadLine = afterDrawing(importLine)

/** Shows whether a bet is sealed in the public log. Shows nothing for a bet that is older than the log. */
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

/** Loads the sealing code after the screen is drawn, and resumes the unfinished checks that this device keeps. */
export function useSeals(userId: string): void {
  const { part } = useLazyPart(loadLine)
  useEffect(() => void part?.sealing.resume(userId), [part, userId])
}

/** Starts following a bet that this page has just placed. */
export function sealPlacedBet(userId: string, bet: SealableBet, order: SentOrder): void {
  // If the code can't be loaded now, `SealLine` follows the bet later, but cannot judge the accepted order, since only
  // this call has the sent order. The promise is lost, too, once the bet has been refetched.
  importLine().then(
    ({ sealing }) => sealing.follow(userId, bet, order),
    () => undefined,
  )
}
