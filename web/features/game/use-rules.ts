import { useState } from 'react'
import { readRulesRead, writeRulesRead } from '#web/platform/storage.ts'

export type Rules = {
  /**
   * True when the player has no bets and has not read the rules in this browser: the rules must be read before the
   * first bet.
   */
  readonly mustRead: boolean
  readonly isOpen: boolean
  /** True when a press on a bet button opened the rules in place of the bet. */
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
