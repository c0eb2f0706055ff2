import { useState } from 'react'
import { readRulesRead, writeRulesRead } from '#web/platform/storage.ts'

export type Rules = {
  /** Nothing was bet yet and the rules were not read here: they come before the first bet. */
  readonly mustRead: boolean
  readonly isOpen: boolean
  /** Opened by a press on a bet button, in place of the bet. */
  readonly isBeforeBet: boolean
  readonly open: (isBeforeBet: boolean) => void
  readonly close: () => void
  readonly markRead: () => void
}

/** @param betsEver how many bets the player has placed, undefined while unknown */
export function useRules(betsEver: number | undefined): Rules {
  const [isRead, setIsRead] = useState(readRulesRead)
  const [opened, setOpened] = useState<'beside' | 'before-bet'>()
  const close = () => setOpened(undefined)
  return {
    mustRead: betsEver === 0 && !isRead,
    isOpen: opened !== undefined,
    isBeforeBet: opened === 'before-bet',
    open: (isBeforeBet) => setOpened(isBeforeBet ? 'before-bet' : 'beside'),
    close,
    markRead: () => {
      writeRulesRead()
      setIsRead(true)
      close()
    },
  }
}
