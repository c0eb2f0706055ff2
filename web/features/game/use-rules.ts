import { useState } from 'react'
import { readRulesRead, writeRulesRead } from '#web/platform/storage.ts'

export type Rules = {
  /** Whether the practice comes before the first bet: no bets yet, and the rules not known in this browser. */
  readonly mustPractise: boolean
  readonly shown: 'rules' | 'practice' | null
  /** Also from the practice. */
  readonly open: () => void
  readonly practise: () => void
  /** Finished, skipped or read: nothing comes before a bet any more. */
  readonly leave: () => void
  /** Without having read the rules. */
  readonly close: () => void
}

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
