import { useState } from 'react'
import { readRulesRead, writeRulesRead } from '#web/platform/storage.ts'

export function useRules(betsEver: number | undefined) {
  const [areKnown, setAreKnown] = useState(readRulesRead)
  const [shown, setShown] = useState<'rules' | 'practice' | null>(null)
  const [isBeforeBet, setIsBeforeBet] = useState(false)
  const close = () => {
    setShown(null)
    setIsBeforeBet(false)
  }
  const remember = () => {
    writeRulesRead()
    setAreKnown(true)
  }
  return {
    /** Whether the practice has to be shown before the first bet. */
    mustPractise: betsEver === 0 && !areKnown,
    shown,
    /** True while a sheet is open because of a press on a bet button: the practice, or the rules opened from it. */
    isBeforeBet,
    practiseBeforeBet: () => {
      setIsBeforeBet(true)
      setShown('practice')
    },
    open: () => {
      // Only the last card of the practice leads to the rules, so the player has now seen the whole practice.
      if (shown === 'practice') remember()
      setShown('rules')
    },
    practise: () => setShown('practice'),
    /** Closes the sheet and remembers the rules as read, so that no practice comes before the first bet. */
    leave: () => {
      remember()
      close()
    },
    /** Closes the sheet without noting that the rules were read. */
    close,
  }
}
