import type { Query } from '@tanstack/react-query'
import { textIssuesOf } from '#contract/codecs.ts'
import type { ClientEvent, ClientEventName, ClientRefusal, ServerEvent, ServerEventName } from '#contract/events.ts'
import * as sentences from '#contract/sentences.ts'
import { inTurn } from './lazy-part.ts'
import { onAnswer, reportServerAway } from './online.ts'
import { nextTask } from './pause.ts'
import { queryClient } from './query-client.ts'
import { createSignal } from './signal.ts'
import type { Connection } from './socket-connection.ts'
import { isSessionOver, readAccessToken } from './storage.ts'

/**
 * The page's only socket (spec §7.8, rules §6.5, §6.7). Socket.IO's client is loaded and the socket is opened when a
 * screen needs the socket (`holdConnection`). After a reconnect the data on screen is refetched by HTTP.
 */

/** The user of the socket. The server refuses a connection whose token is of another user. */
export type SocketOwner = { readonly userId: string; readonly username: string }

export type ConnectionState = 'connecting' | 'connected' | 'lost'

type Listener = (payload: never) => void

/** The socket stays open this long after the last screen released it, so that a change of screen does not reopen it. */
const lingerMs = 3_000

const eventListeners = new Map<ServerEventName, Set<Listener>>()
const stateChanged = createSignal()
const refused = createSignal()
/** Functions that join a room. They are called after every connect, since a new connection has joined no room. */
const joins = new Set<() => void>()

let holders = 0
let owner: SocketOwner | undefined
let closing: ReturnType<typeof setTimeout> | undefined
let connection: Connection | undefined
let state: ConnectionState = 'connecting'
let waking: AbortController | undefined
let stopFollowing: (() => void) | undefined
let wakeNow: (() => void) | undefined
let problem: string | null = null

export const connectionProblem = (): string | null => problem

export const reconnectNow = (): void => wakeNow?.()

export const connectionState = (): ConnectionState => state

export const onConnectionChanged = stateChanged.listen

export const onHandshakeRefused = refused.listen

export function onServerEvent<Name extends ServerEventName>(
  name: Name,
  listener: (payload: ServerEvent<Name>) => void,
): () => void {
  const listeners = eventListeners.get(name) ?? new Set()
  eventListeners.set(name, listeners)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Joins a room now and after each reconnect. The returned function leaves the room. */
export function stayJoined<Join extends ClientEventName, Leave extends ClientEventName>(
  join: Join,
  leave: Leave,
  payload: ClientEvent<Join> & ClientEvent<Leave>,
): () => void {
  const rejoin = () => emit(join, payload)
  joins.add(rejoin)
  rejoin()
  return () => {
    joins.delete(rejoin)
    emit(leave, payload)
  }
}

function emit<Name extends ClientEventName>(name: Name, payload: ClientEvent<Name>): void {
  connection?.tell(name, payload)
}

/**
 * The reason why an event was not confirmed. UNSENT: not sent, or no acknowledgement came in time (the server
 * may have executed the event). UNKNOWN: the server refused the event with a code that this page does not know.
 */
export type Unacknowledged<Name extends ClientEventName = ClientEventName> = {
  readonly ok: false
  readonly code: ClientRefusal<Name> | 'UNKNOWN' | 'UNSENT'
  readonly message: string
  readonly retryAfterMs: number | undefined
}

export type Acknowledgement<Name extends ClientEventName = ClientEventName> =
  | { readonly ok: true; readonly answer: Readonly<Record<string, unknown>> }
  | Unacknowledged<Name>

const acknowledgementMs = 8_000

export async function askServer<Name extends ClientEventName>(
  name: Name,
  payload: ClientEvent<Name>,
): Promise<Acknowledgement<Name>> {
  const unsent = { ok: false, code: 'UNSENT', message: '', retryAfterMs: undefined } as const
  // After the end of the page's session, the open socket is still that of the previous user.
  if (connection?.isOpen() !== true || isSessionOver()) return unsent
  const { readCode } = connection
  try {
    const answer = await connection.ask(name, payload, acknowledgementMs)
    const fields = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
    if (fields['ok'] === true) return { ok: true, answer: fields }
    const { code, message, retryAfter } = fields
    return {
      ok: false,
      code: readCode(name, code),
      message: typeof message === 'string' ? message : '',
      retryAfterMs: typeof retryAfter === 'number' ? retryAfter * 1000 : undefined,
    }
  } catch (error) {
    if (textIssuesOf(error).length === 0) return unsent
    return { ok: false, code: 'TEXT_INVALID', message: sentences.TEXT_INVALID, retryAfterMs: undefined }
  }
}

export function holdConnection(next: SocketOwner): () => void {
  clearTimeout(closing)
  // The socket of a previous user may still be open (`lingerMs`).
  if (holders === 0 && owner?.userId !== next.userId) close()
  const isRenamed = owner?.userId === next.userId && owner.username !== next.username
  owner = next
  holders += 1
  if (holders === 1 && connection === undefined) void open(next.userId)
  // The server refuses a handshake with the user's old name. If it has refused one, try again with the new name.
  else if (isRenamed) reconnectNow()
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    holders -= 1
    if (holders === 0) closing = setTimeout(close, lingerMs)
  }
}

async function open(userId: string): Promise<void> {
  setState('connecting')
  stopFollowing?.()
  let library: typeof import('./socket-connection.ts')
  try {
    library = await inTurn(() => import('./socket-connection.ts'))
  } catch {
    // The library could not be fetched. Try again at each event of `wakeWith` and after each answered HTTP call.
    if (holders === 0) return
    setState('lost')
    wakeWith(() => void open(userId))
    stopFollowing = onAnswer(reconnectNow)
    return
  }
  if (holders === 0 || connection !== undefined || owner?.userId !== userId) return
  let wasConnected = false
  let sentName: string | undefined = owner.username
  connection = library.openConnection({
    readHandshake: () => {
      sentName = owner?.username
      return { token: readAccessToken() ?? '', ...owner }
    },
    onState(next, reason) {
      problem = reason
      setState(next)
    },
    onConnected() {
      for (const join of joins) join()
      // Events before this connection did not reach the page, so the data on screen is refetched. On the first
      // connection, data that no server event covers is left out.
      const isAway = wasConnected
      wasConnected = true
      void askAgain(({ meta }) => isAway || meta?.['isUntoldByEvents'] !== true)
    },
    onAway: (isAway) => reportServerAway(isAway ? reconnectNow : null),
    onRefused() {
      // The page may have learned a renamed user's new name while the handshake with the old name was on its way.
      if (sentName === owner?.username) refused.tell()
      else reconnectNow()
    },
    onEvent(name, payload) {
      for (const listener of [...(eventListeners.get(name) ?? [])]) listener(payload as never)
    },
  })
  wakeWith(connection.reconnect)
  stopFollowing = onAnswer(connection.noteAnswer)
}

/** Marks queries as stale. Refetches those on screen, each in its own task, so that a slow phone is not blocked. */
async function askAgain(predicate: (query: Query) => boolean): Promise<void> {
  void queryClient.invalidateQueries({ predicate, refetchType: 'none' })
  for (const query of queryClient.getQueryCache().findAll({ type: 'active', predicate })) {
    await nextTask()
    void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true, type: 'active' })
  }
}

function wakeWith(wake: () => void): void {
  waking?.abort()
  waking = new AbortController()
  const { signal } = waking
  wakeNow = wake
  const handle = () => {
    if (document.visibilityState === 'visible') wake()
  }
  globalThis.addEventListener('focus', handle, { signal })
  globalThis.addEventListener('online', handle, { signal })
  document.addEventListener('visibilitychange', handle, { signal })
}

function close(): void {
  waking?.abort()
  stopFollowing?.()
  stopFollowing = undefined
  wakeNow = undefined
  reportServerAway(null)
  const closed = connection
  connection = undefined
  closed?.close()
}

function setState(next: ConnectionState): void {
  if (state === next) return
  state = next
  stateChanged.tell()
}
