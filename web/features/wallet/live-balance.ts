import { useEffect } from 'react'
import { onServerEvent } from '#web/platform/socket.ts'
import { refreshBalance, useFreshBalance } from './balance.ts'

/** As `useFreshBalance`, and asked for again upon each of the socket's hints that it changed. */
export function useLiveBalance(): void {
  useFreshBalance()
  useEffect(() => onServerEvent('balance_changed', () => void refreshBalance()), [])
}
