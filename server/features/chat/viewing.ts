import type { ChatDeps } from './ports.ts'

interface Viewing {
  readonly userId: string
  readonly username: string
  readonly conversationId: string
}

/** The open conversation of each socket of staff; its begin and end are emitted to colleagues (docs/rules.md §7.18). */
export function createViewing(hub: Pick<ChatDeps['hub'], 'emitTo'>) {
  const bySocket = new Map<string, Viewing>()
  const tell = (socketId: string, viewing: Viewing, isViewing: boolean) =>
    hub.emitTo('staff:care', 'staff_viewing', { ...viewing, isViewing }, socketId)

  function stop(socketId: string): void {
    const viewing = bySocket.get(socketId)
    if (bySocket.delete(socketId) && viewing !== undefined) tell(socketId, viewing, false)
  }

  return {
    /** Replaces the conversation before. The same one again is emitted again, for admins who came meanwhile. */
    start(socketId: string, viewing: Viewing): void {
      if (bySocket.get(socketId)?.conversationId !== viewing.conversationId) stop(socketId)
      bySocket.set(socketId, viewing)
      tell(socketId, viewing, true)
    },
    stop,
  }
}
