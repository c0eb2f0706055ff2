import { useState } from 'react'
import { readRulesRead, writeRulesRead } from '#web/platform/storage.ts'

export function useRules(betsEver: number | undefined) {
  const [areKnown, setAreKnown] = useState(readRulesRead)
  const [shown, setShown] = useState<'rules' | 'practice' | null>(null)
  const remember = () => {
    writeRulesRead()
    setAreKnown(true)
  }
  return {
    /** Whether the practice comes before the first bet. */
    mustPractise: betsEver === 0 && !areKnown,
    shown,
    open: () => {
      // A player who leaves the practice has seen what it shows.
      if (shown === 'practice') remember()
      setShown('rules')
    },
    practise: () => setShown('practice'),
    /** Finished, skipped or read: nothing comes before a bet any more. */
    leave: () => {
      remember()
      setShown(null)
    },
    /** Without having read the rules. */
    close: () => setShown(null),
  }
}
