import type { Unacknowledged } from '#web/platform/socket.ts'
import type { chatApi } from './api.ts'

/**
 * What a chat session needs of the world around it, by the types of what a page gives it: so that the same session runs
 * on a page, in unit tests on a fake socket, and in Node against a real server.
 */
export type ChatDeps = {
  readonly self: ChatSelf
  readonly socket: ChatSocket
  readonly api: typeof chatApi
  readonly unsent: Pick<typeof import('#web/platform/unsent.ts'), 'readUnsent' | 'keepUnsent' | 'removeUnsent'>
  readonly clock: ChatClock
  /** The socket has brought a message of somebody else. */
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

export type ChatClock = {
  /** The server's time, in ms since the epoch. */
  readonly nowMs: () => number
  /** Calls `act` after `ms`, unless the function it returns is called before. */
  readonly after: (ms: number, act: () => void) => () => void
}

export const pause = (clock: ChatClock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve))

/** What was not acknowledged is sent again after this, unless the server names a time. */
export const retryMs = 1_500

type Code = Unacknowledged<'send_message' | 'mark_as_read'>['code']

/** Refusals that mean "not now": the same is sent again, under the same id. */
const transient: ReadonlySet<Code> = new Set([
  'UNSENT',
  'SENDING_TOO_FAST',
  'TOO_MANY_REQUESTS',
  // The outcome may be unknown: the server answers a repeat with what it stored.
  'DATABASE_AWAY',
  'INTERNAL',
])

export const isTransient = (code: Code): boolean => transient.has(code)
