import { useEffect } from 'react'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import type { SealableBet } from './api.ts'
import type { BetSealProps } from './seal-line.tsx'
import type { SentOrder } from './sealing.ts'

const importLine = () => import('./seal-line.tsx')
const loadLine = afterDrawing(importLine)

/** How far an own bet is on its way into the public log; nothing for a bet from before the log. Keeps its place. */
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

/** Resumes the checks that an earlier page left unfinished, and loads the code before a bet is placed. */
export function useSeals(userId: string): void {
  const { part } = useLazyPart(loadLine)
  useEffect(() => void part?.sealing.resume(userId), [part, userId])
}

/** Follows a bet that this page has just placed. */
export function sealPlacedBet(userId: string, bet: SealableBet, order: SentOrder): void {
  // If the code can't be loaded, the bet is followed when its line shows; only its promise is then not judged.
  importLine().then(
    ({ sealing }) => sealing.follow(userId, bet, order),
    () => undefined,
  )
}
