import { useEffect } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { onServerEvent, stayJoined } from '#web/platform/socket.ts'

/** Refetches the type's list as soon as one of its rounds opens, is announced, is deleted or ends. */
export function useRoundHints(type: RoundType): void {
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: [...adminKeys.rounds, type] })
    const stopEvent = onServerEvent('round_changed', (event) => event.type === type && refresh())
    const leave = stayJoined('watch_game', 'unwatch_game', { type })
    return () => {
      stopEvent()
      leave()
    }
  }, [type])
}
