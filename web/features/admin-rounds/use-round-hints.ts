import { useEffect } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { refresh } from '#web/platform/query-client.ts'
import { onServerEvent, stayJoined } from '#web/platform/socket.ts'

/** Refetches the type's list as soon as one of its rounds opens, is announced, is deleted or ends. */
export function useRoundHints(type: RoundType): void {
  useEffect(() => {
    const stopEvent = onServerEvent('round_changed', (event) => {
      if (event.type === type) void refresh([...adminKeys.rounds, type])
    })
    const leave = stayJoined('watch_game', 'unwatch_game', { type })
    return () => {
      stopEvent()
      leave()
    }
  }, [type])
}
