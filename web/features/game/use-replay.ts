import { useEffect, useState } from 'react'
import { PRACTICE_BET_SECOND, PRACTICE_ENTRY_SECOND, PRACTICE_EXIT_SECOND } from './practice-rounds.ts'

/** Twenty seconds of a round pass in four. */
const stepMs = 200

/** With reduced motion the whole round is there at once. */
const isStill = () => globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches

/** The second up to which the round is shown. */
export function useReplay(isRunning: boolean): number {
  const [second, setSecond] = useState(PRACTICE_ENTRY_SECOND)
  const isAtEnd = second >= PRACTICE_EXIT_SECOND
  useEffect(() => {
    if (!isRunning || isAtEnd) return
    const timer = setInterval(
      () => setSecond((shown) => (isStill() ? PRACTICE_EXIT_SECOND : Math.min(shown + 1, PRACTICE_EXIT_SECOND))),
      isStill() ? 0 : stepMs,
    )
    return () => clearInterval(timer)
  }, [isRunning, isAtEnd])
  return isRunning ? second : PRACTICE_BET_SECOND
}
