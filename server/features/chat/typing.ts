import { monotonicMs } from '#server/platform/process/clock.ts'
import type { ChatDeps } from './ports.ts'
import type { holderRoom } from './rooms.ts'

/** Typing ends after this time without another start event, because a client that crashed sends no stop event. */
const EXPIRES_MS = 15_000
/** Per socket, at least this time passes between two `staff_typing` events with `isTyping: true` (rules §7.18). */
const STAFF_TOLD_EVERY_MS = 500
/** A repeated start event is emitted at most this often. Pages forget a start that is not repeated within 16 s. */
const EMITTED_AGAIN_AFTER_MS = 5_000

interface Typing {
  readonly room: ReturnType<typeof holderRoom>
  readonly userId: string
  readonly username: string
  /** The conversation's present id: the client may name it by an id from before a merge. */
  readonly conversationId: string
  readonly isStaff: boolean
  readonly emittedAtMs: number
  readonly timer: NodeJS.Timeout
}

/**
 * Keeps which socket types in which conversation, until a stop event, the socket's end or the end of EXPIRES_MS.
 * `namedId` is the id by which the client names the conversation, so that a stop event finds it.
 */
export function createTyping(hub: ChatDeps['hub'], nowMs: () => number = monotonicMs) {
  const bySocket = new Map<string, Map<string, Typing>>()
  const staffToldAtMs = new Map<string, number>()

  const tell = (socketId: string, { room, userId, username, conversationId, isStaff }: Typing, isTyping: boolean) => {
    const who = { userId, username, conversationId }
    hub.emitTo(room, isTyping ? 'user_typing' : 'user_stop_typing', who)
    if (isStaff) hub.emitTo('staff:care', 'staff_typing', { ...who, isTyping }, socketId)
  }

  const end = (socketId: string, namedId: string): void => {
    const own = bySocket.get(socketId)
    const typing = own?.get(namedId)
    if (own === undefined || typing === undefined) return
    clearTimeout(typing.timer)
    own.delete(namedId)
    if (own.size === 0) bySocket.delete(socketId)
    tell(socketId, typing, false)
  }

  return {
    start(socketId: string, namedId: string, typing: Omit<Typing, 'timer' | 'emittedAtMs'>): void {
      const own = bySocket.get(socketId) ?? new Map<string, Typing>()
      bySocket.set(socketId, own)
      const before = own.get(namedId)
      if (before !== undefined) clearTimeout(before.timer)
      const timer = setTimeout(() => end(socketId, namedId), EXPIRES_MS)
      timer.unref()
      const atMs = nowMs()
      const isQuiet = before !== undefined && atMs - before.emittedAtMs < EMITTED_AGAIN_AFTER_MS
      const mayTell = atMs - (staffToldAtMs.get(socketId) ?? -Infinity) >= STAFF_TOLD_EVERY_MS
      const isTold = before?.isStaff === true || (mayTell && !isQuiet)
      const emittedAtMs = isQuiet ? before.emittedAtMs : atMs
      const begun = { ...typing, isStaff: typing.isStaff && isTold, emittedAtMs, timer }
      own.set(namedId, begun)
      if (isQuiet) return
      const isStaff = begun.isStaff && mayTell
      if (isStaff) staffToldAtMs.set(socketId, atMs)
      tell(socketId, { ...begun, isStaff }, true)
    },
    stop: end,
    stopAll(socketId: string): void {
      for (const namedId of bySocket.get(socketId)?.keys() ?? []) end(socketId, namedId)
      staffToldAtMs.delete(socketId)
    },
  }
}
