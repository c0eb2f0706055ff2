import { useState } from 'react'
import { readRulesRead, writeRulesRead } from '#web/platform/storage.ts'

export type Rules = {
  /**
   * True when the player has no bets and knows the rules from nowhere in this browser: a practice, which can be
   * skipped, comes before the first bet.
   */
  readonly mustPractise: boolean
  readonly shown: 'rules' | 'practice' | null
  /** The rules sheet on request, also from the practice. */
  readonly open: () => void
  /** The practice, before a bet or from the rules. */
  readonly practise: () => void
  /** Finished, skipped or read: nothing comes before a bet any more. */
  readonly leave: () => void
  /** Closes the rules sheet without having read it. */
  readonly close: () => void
}

/** @param betsEver how many bets the player has placed, undefined while unknown */
export function useRules(betsEver: number | undefined): Rules {
  const [areKnown, setAreKnown] = useState(readRulesRead)
  const [shown, setShown] = useState<Rules['shown']>(null)
  const remember = () => {
    writeRulesRead()
    setAreKnown(true)
  }
  return {
    mustPractise: betsEver === 0 && !areKnown,
    shown,
    open: () => {
      // A player who leaves the practice has seen what it shows.
      if (shown === 'practice') remember()
      setShown('rules')
    },
    practise: () => setShown('practice'),
    leave: () => {
      remember()
      setShown(null)
    },
    close: () => setShown(null),
  }
}
