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
    /** Whether the practice has to be shown before the first bet. */
    mustPractise: betsEver === 0 && !areKnown,
    shown,
    open: () => {
      // A player who leaves the practice for the rules has seen what the practice shows.
      if (shown === 'practice') remember()
      setShown('rules')
    },
    practise: () => setShown('practice'),
    /** Call this when the practice was finished or skipped, or the rules were read. From then on nothing comes before a bet. */
    leave: () => {
      remember()
      setShown(null)
    },
    /** Closes the sheet without noting that the rules were read. */
    close: () => setShown(null),
  }
}
