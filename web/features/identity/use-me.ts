import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Me } from '#contract/identity.ts'
import { refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { holdConnection, onHandshakeRefused, onServerEvent } from '#web/platform/socket.ts'
import { meQuery } from './api.ts'

/** Returns the signed-in user. Only for the guarded area, which waits until the user is loaded. */
export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (data === undefined) throw new Error('useMe stands outside the guarded area.')
  return data
}

const askAgain = () => void refresh(sharedKeys.me)

/** Refetches the account when the account or the session may have changed. */
export function useAccountEvents(): void {
  useEffect(
    () => onServerEvent('account_changed', () => void refresh(sharedKeys.me, sharedKeys.config, sharedKeys.banks)),
    [],
  )
  useEffect(() => onServerEvent('session_ended', askAgain), [])
  useEffect(() => onHandshakeRefused(askAgain), [])
}

/** Keeps the socket open while the calling screen is mounted. */
export function useConnection({ id, username }: Me): void {
  useEffect(() => holdConnection({ userId: id, username }), [id, username])
}
