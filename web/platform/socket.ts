import type { Query } from '@tanstack/react-query'
import type { Socket } from 'socket.io-client'
import type { ClientEvent, ClientEventName, ClientRefusal, ServerEvent, ServerEventName } from '#contract/events.ts'
import {
  SOCKET_RECONNECT_ATTEMPTS,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
  SOCKET_TIMEOUT_MS,
} from '#contract/limits.ts'
import { inTurn } from './lazy-part.ts'
import { nextTask } from './pause.ts'
import { queryClient } from './query-client.ts'
import { isSessionOver, readAccessToken } from './storage.ts'

/**
 * The page's one socket (spec §7, rules §6). Its events are hints: rows come by HTTP, and after a reconnect whatever is
 * on screen is asked for again.
 *
 * It opens while somebody holds it and loads its library then. A lost connection is tried again 5 times, 1 to 5 s
 * apart; after that whenever the page is looked at again or the network comes back.
 */

/** Who the handshake says it is; the server compares it with the token (rules §4). */
export type SocketOwner = { readonly userId: string; readonly username: string }

export type ConnectionState = 'connecting' | 'connected' | 'lost'

type Listener = (payload: never) => void

/** The socket outlives its last holder by this, so that going from one screen to the next does not reopen it. */
const lingerMs = 3_000

/** Between two tries while the server can't take us. */
const longestDelayMs = 30_000

const eventListeners = new Map<ServerEventName, Set<Listener>>()
const stateListeners = new Set<() => void>()
const refusedListeners = new Set<() => void>()
/** Each joins its room; all of them do after each connect. */
const joins = new Set<() => void>()

let holders = 0
let ownerId: string | undefined
let closing: ReturnType<typeof setTimeout> | undefined
let library: typeof import('./socket-library.ts') | undefined
let socket: Socket | undefined
let state: ConnectionState = 'connecting'
let stopWaking: (() => void) | undefined
let wakeNow: (() => void) | undefined
/** Why the last try failed, in the library's words; null while there is nothing to tell. */
let problem: string | null = null

export function connectionProblem(): string | null {
  return problem
}

/** Tries again at once, when somebody asks for it. Nothing happens while the connection stands or is being made. */
export function reconnectNow(): void {
  wakeNow?.()
}

export function connectionState(): ConnectionState {
  return state
}

/** Calls back when the connection comes or goes. Returns the function that stops it. */
export function onConnectionChanged(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => stateListeners.delete(listener)
}

/** Calls back when the server refused the handshake: the session or the account is no longer what it was. */
export function onHandshakeRefused(listener: () => void): () => void {
  refusedListeners.add(listener)
  return () => refusedListeners.delete(listener)
}

/** Calls back with each event of this name, decoded into our words. Returns the function that stops it. */
export function onServerEvent<Name extends ServerEventName>(
  name: Name,
  listener: (payload: ServerEvent<Name>) => void,
): () => void {
  const listeners = eventListeners.get(name) ?? new Set()
  eventListeners.set(name, listeners)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Stays in a room from now on, through reconnects, until the returned function leaves it. */
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

/** Sends an event whose acknowledgement says nothing; nothing happens while there is no connection. */
function emit<Name extends ClientEventName>(name: Name, payload: ClientEvent<Name>): void {
  if (library !== undefined && socket?.connected) socket.emit(name, library.writeEvent(name, payload))
}

/**
 * Why an event was not done. UNSENT: nobody knows whether it arrived. UNKNOWN: a refusal that only a newer client has a
 * name for; its sentence shows all the same.
 */
export type Unacknowledged<Name extends ClientEventName = ClientEventName> = {
  readonly ok: false
  readonly code: ClientRefusal<Name> | 'UNKNOWN' | 'UNSENT'
  readonly message: string
  readonly retryAfterMs: number | undefined
}

/** What the server acknowledges an event with. */
export type Acknowledgement<Name extends ClientEventName = ClientEventName> =
  | { readonly ok: true; readonly answer: Readonly<Record<string, unknown>> }
  | Unacknowledged<Name>

/** Nobody waits longer than this for an acknowledgement; the act may have been done all the same. */
const acknowledgementMs = 8_000

/** Sends an event and waits for its acknowledgement, at most 8 s. Never throws. */
export async function askServer<Name extends ClientEventName>(
  name: Name,
  payload: ClientEvent<Name>,
): Promise<Acknowledgement<Name>> {
  const unsent = { ok: false, code: 'UNSENT', message: '', retryAfterMs: undefined } as const
  // This socket still speaks for whoever opened it.
  if (library === undefined || socket?.connected !== true || isSessionOver()) return unsent
  const { readCode } = library
  const sent = socket.timeout(acknowledgementMs).emitWithAck(name, library.writeEvent(name, payload))
  try {
    const answer: unknown = await sent
    const fields = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
    if (fields['ok'] === true) return { ok: true, answer: fields }
    const { code, message, retryAfter } = fields
    return {
      ok: false,
      code: readCode(name, code),
      message: typeof message === 'string' ? message : '',
      retryAfterMs: typeof retryAfter === 'number' ? retryAfter * 1000 : undefined,
    }
  } catch {
    return unsent
  }
}

/** Keeps the socket open for this user until the returned function is called. */
export function holdConnection(owner: SocketOwner): () => void {
  clearTimeout(closing)
  // One that lingers from before somebody else signed in carries the wrong name.
  if (holders === 0 && ownerId !== owner.userId) close()
  ownerId = owner.userId
  holders += 1
  if (holders === 1 && socket === undefined) void open(owner)
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    holders -= 1
    if (holders === 0) closing = setTimeout(close, lingerMs)
  }
}

async function open(owner: SocketOwner): Promise<void> {
  setState('connecting')
  try {
    library = await inTurn(() => import('./socket-library.ts'))
  } catch {
    // The chunk could not be fetched; the next look at the page tries again.
    setState('lost')
    wakeWith(() => void open(owner))
    return
  }
  if (holders === 0 || socket !== undefined || ownerId !== owner.userId) return
  const opened = library.io({
    transports: ['websocket'],
    timeout: SOCKET_TIMEOUT_MS,
    reconnectionAttempts: SOCKET_RECONNECT_ATTEMPTS,
    reconnectionDelay: SOCKET_RECONNECT_MIN_MS,
    reconnectionDelayMax: SOCKET_RECONNECT_MAX_MS,
    // Read at each attempt: the token may have been replaced since.
    auth: (give) => give({ token: readAccessToken() ?? '', ...owner }),
  })
  socket = opened
  let wasConnected = false
  /** Nobody is trying at present: the library has given up, or the server closed or refused us. */
  let isIdle = false
  const reconnect = () => {
    if (socket !== opened || opened.connected) return
    // The library waits up to 5 s before its next try: that try is made now.
    if (!isIdle) opened.disconnect()
    isIdle = false
    setState('connecting')
    opened.connect()
  }

  /** How often in a row the server could not take us. */
  let delays = 0
  /** When the server asked us to come again after it closed the connection; 0 where it did not. */
  let comeAgainMs = 0
  let later: ReturnType<typeof setTimeout> | undefined
  const reconnectAfter = (waitMs: number) => {
    isIdle = true
    clearTimeout(later)
    later = setTimeout(reconnect, waitMs)
  }

  opened.on('connect', () => {
    problem = null
    delays = 0
    setState('connected')
    for (const join of joins) join()
    // What happened before it stood, or while it was gone, was told to nobody here.
    const isAway = wasConnected
    wasConnected = true
    void askAgain(({ meta }) => isAway || meta?.['isUntoldByEvents'] !== true)
  })
  opened.on('disconnect', (reason) => {
    setState('lost')
    // The library comes back by itself from everything but a close by the server.
    if (reason !== 'io server disconnect') return
    reconnectAfter(Math.max(comeAgainMs, SOCKET_RECONNECT_MIN_MS))
    comeAgainMs = 0
  })
  opened.on('connect_error', (error) => {
    problem = error.message
    setState('lost')
    // Inactive means that the server answered and said no; trying the same at once would get the same answer.
    if (opened.active) return
    isIdle = true
    const { statusCode = 0, retryAfter = 0 } =
      (error as { data?: { statusCode?: number; retryAfter?: number } }).data ?? {}
    // Nothing is wrong with the session: the server or its database can't take us at present.
    if (statusCode === 429 || statusCode >= 500) {
      reconnectAfter(Math.max(retryAfter * 1000, delayMs(delays)))
      delays += 1
      return
    }
    for (const listener of [...refusedListeners]) listener()
  })
  opened.io.on('reconnect_failed', () => {
    isIdle = true
  })
  const { readEvent, serverEventNames } = library
  // The close follows: who was cut off stays away for as long as the server says.
  opened.on('cut_off', (wire: unknown) => {
    const cutOff = readEvent('cut_off', wire)
    if (cutOff === undefined) return
    problem = cutOff.message
    comeAgainMs = cutOff.retryAfterS * 1000
  })
  for (const name of serverEventNames) {
    opened.on(name, (wire: unknown) => {
      const payload = readEvent(name, wire)
      // A hint that does not fit the contract is from another version; the rows are still right.
      if (payload === undefined) return
      for (const listener of [...(eventListeners.get(name) ?? [])]) listener(payload as never)
    })
  }
  wakeWith(reconnect)
}

/** The wait before the next try (rules §6): five of 1 to 5 s, then 5 to 30 s, so that not everybody comes at once. */
const delayMs = (tries: number): number =>
  tries < SOCKET_RECONNECT_ATTEMPTS
    ? Math.min((tries + 1) * SOCKET_RECONNECT_MIN_MS, SOCKET_RECONNECT_MAX_MS)
    : SOCKET_RECONNECT_MAX_MS + Math.random() * (longestDelayMs - SOCKET_RECONNECT_MAX_MS)

/** Asks again for what is on screen, each in a task of its own: a slow phone has just drawn that the connection stands. */
async function askAgain(predicate: (query: Query) => boolean): Promise<void> {
  void queryClient.invalidateQueries({ predicate, refetchType: 'none' })
  for (const query of queryClient.getQueryCache().findAll({ type: 'active', predicate })) {
    await nextTask()
    void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true, type: 'active' })
  }
}

/** Calls back whenever the page is looked at again or the network is back. One at a time. */
function wakeWith(wake: () => void): void {
  stopWaking?.()
  wakeNow = wake
  const handle = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) wake()
  }
  globalThis.addEventListener('focus', handle)
  globalThis.addEventListener('online', handle)
  document.addEventListener('visibilitychange', handle)
  stopWaking = () => {
    globalThis.removeEventListener('focus', handle)
    globalThis.removeEventListener('online', handle)
    document.removeEventListener('visibilitychange', handle)
  }
}

function close(): void {
  stopWaking?.()
  stopWaking = undefined
  wakeNow = undefined
  const closed = socket
  socket = undefined
  closed?.disconnect()
}

function setState(next: ConnectionState): void {
  if (state === next) return
  state = next
  for (const listener of [...stateListeners]) listener()
}
