import type { Unacknowledged } from '#web/platform/socket.ts'
import type { chatApi } from './api.ts'

/** Everything that a chat session needs from outside, so that tests can replace it. */
export type ChatDeps = {
  readonly self: ChatSelf
  readonly socket: ChatSocket
  readonly api: typeof chatApi
  readonly entries: Pick<
    typeof import('#web/platform/user-entries.ts'),
    'countAlso' | 'keepEntry' | 'readEntries' | 'removeEntry'
  >
  readonly clock: ChatClock
  readonly onReceived: () => void
}

export type ChatSelf = { readonly id: string; readonly username: string }

export type ChatSocket = Pick<
  typeof import('#web/platform/socket.ts'),
  | 'askServer'
  | 'connectionProblem'
  | 'connectionState'
  | 'holdConnection'
  | 'onConnectionChanged'
  | 'onServerEvent'
  | 'stayJoined'
>

export const isConnected = (socket: Pick<ChatSocket, 'connectionState'>): boolean =>
  socket.connectionState() === 'connected'

export type ChatClock = {
  /** The server's time, in ms since the epoch. */
  readonly nowMs: () => number
  /** Calls `act` after `ms` milliseconds. The returned function cancels the call. */
  readonly after: (ms: number, act: () => void) => () => void
}

export const pause = (clock: ChatClock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve))

export const retryMs = 1_500

type Code = Unacknowledged<'send_message' | 'mark_as_read'>['code']

/** Codes after which the client sends the same event again. */
const transient: ReadonlySet<Code> = new Set([
  'UNSENT',
  'SENDING_TOO_FAST',
  'TOO_MANY_REQUESTS',
  // In spite of these two codes, the server may have stored the message. It then answers a repeat with the stored one.
  'DATABASE_AWAY',
  'INTERNAL',
])

export const isTransient = (code: Code): boolean => transient.has(code)
