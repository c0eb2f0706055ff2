import { useEffect, useRef } from 'react'
import { refresh } from '#web/platform/query-client.ts'
import { onServerEvent } from '#web/platform/socket.ts'
import { betsKey, type GameBet } from './api.ts'
import { betsSummaryKey } from './own-bets-api.ts'

/** Refetches bets and totals on `bet_changed`, and the totals also when `bets` shows that the open bet is settled. */
export function useBetHints(bets: readonly GameBet[] | undefined): void {
  const openId = useRef<string>(undefined)
  useEffect(() => onServerEvent('bet_changed', () => void refresh(betsKey)), [])
  useEffect(() => {
    if (bets?.some(({ id, status }) => id === openId.current && status !== 'open')) void refresh(betsSummaryKey)
    openId.current = bets?.find(({ status }) => status === 'open')?.id
  }, [bets])
}
