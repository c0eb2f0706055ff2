import { useEffect } from 'react'
import { onServerEvent } from '#web/platform/socket.ts'
import { refreshBalance, useFreshBalance } from './balance.ts'

/** Like `useFreshBalance`, and refetches on each socket hint that the balance changed. */
export function useLiveBalance(): void {
  useFreshBalance()
  useEffect(() => onServerEvent('balance_changed', () => void refreshBalance()), [])
}
