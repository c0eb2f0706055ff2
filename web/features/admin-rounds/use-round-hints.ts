import { useEffect } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { onServerEvent, stayJoined } from '#web/platform/socket.ts'

/** A round opened, was announced, deleted or ended: its type's list asks again at once. */
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
