import type { Socket } from 'socket.io-client'
import type { ClientEvent, ClientEventName, ServerEvent, ServerEventName } from '#contract/events.ts'
import {
  SOCKET_RECONNECT_ATTEMPTS,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
  SOCKET_TIMEOUT_MS,
} from '#contract/limits.ts'
import { io, readCode, readEvent, serverEventNames, writeEvent } from './socket-library.ts'

/** Connects and reconnects the socket (rules §6.7). */

export type ConnectionHandlers = {
  readonly readToken: () => string
  /**
   * `reason` says why the last attempt failed or why the server closed the connection, in the library's or the server's
   * words. It is null if neither has happened since the last connect.
   */
  readonly onState: (state: 'connecting' | 'connected' | 'lost', reason: string | null) => void
  readonly onConnected: () => void
  readonly onAway: (isAway: boolean) => void
  /** Called when the server refuses the handshake because the session or the account has changed. */
  readonly onRefused: () => void
  readonly onEvent: <Name extends ServerEventName>(name: Name, payload: ServerEvent<Name>) => void
}

export type Connection = {
  readonly isOpen: () => boolean
  readonly tell: <Name extends ClientEventName>(name: Name, payload: ClientEvent<Name>) => void
  /** Sends an event. Resolves with the acknowledgement as it is on the wire; rejects if none arrives in time. */
  readonly ask: <Name extends ClientEventName>(
    name: Name,
    payload: ClientEvent<Name>,
    timeoutMs: number,
  ) => Promise<unknown>
  readonly readCode: typeof readCode
  readonly reconnect: () => void
  /**
   * Called when a call to the server has succeeded. If the socket is not connected, tries to connect at once, unless an
   * attempt is running or was recent, or the server closed or refused the connection.
   */
  readonly noteAnswer: () => void
  readonly close: () => void
}

const longestDelayMs = 30_000

/** While the socket can't connect, a successful HTTP call starts an attempt, if the last attempt is this long ago. */
const answersApartMs = 5_000

const youngTryMs = 2_000

const randomBetween = (from: number, to: number): number => from + Math.random() * (to - from)

/**
 * Returns the wait before the next attempt. The range grows from 1–2 s to 1–5 s; after the fifth failure it is 5–30 s.
 * Waits are random, so that after an outage not all clients of the server reconnect at the same moment.
 */
const delayMs = (failures: number): number =>
  failures < SOCKET_RECONNECT_ATTEMPTS
    ? randomBetween(
        SOCKET_RECONNECT_MIN_MS,
        Math.min((failures + 2) * SOCKET_RECONNECT_MIN_MS, SOCKET_RECONNECT_MAX_MS),
      )
    : randomBetween(SOCKET_RECONNECT_MAX_MS, longestDelayMs)

export function openConnection(owner: object, handlers: ConnectionHandlers): Connection {
  const socket = io({
    transports: ['websocket'],
    timeout: SOCKET_TIMEOUT_MS,
    reconnectionAttempts: Number.POSITIVE_INFINITY,
    // `delayMs` already returns random delays, so the library adds no randomness of its own.
    randomizationFactor: 0,
    // The library calls this function for each attempt, so that each attempt sends the token that is current then.
    auth: (give) => give({ token: handlers.readToken(), ...owner }),
  })
  const tries = followTries(socket, handlers)
  for (const name of serverEventNames) {
    socket.on(name, (wire: unknown) => {
      const payload = readEvent(name, wire)
      // An event that does not match the contract is from another version of the server. It may be ignored, since the
      // data on screen is also fetched by HTTP.
      if (payload !== undefined) handlers.onEvent(name, payload)
    })
  }
  return {
    isOpen: () => socket.connected,
    tell(name, payload) {
      if (socket.connected) socket.emit(name, writeEvent(name, payload))
    },
    ask: (name, payload, timeoutMs) => socket.timeout(timeoutMs).emitWithAck(name, writeEvent(name, payload)),
    readCode,
    ...tries,
  }
}

function spaceTries({ io: manager }: Socket, onAway: ConnectionHandlers['onAway']) {
  let failures = 0
  /** Sets the library's next delay. Minimum and maximum are equal, or the library would double the delay each time. */
  const space = () => {
    const nextMs = delayMs(failures)
    manager.reconnectionDelay(nextMs)
    manager.reconnectionDelayMax(nextMs)
  }
  space()
  return {
    delayMs: () => delayMs(failures),
    noteSuccess() {
      failures = 0
      space()
      onAway(false)
    },
    noteFailure() {
      failures += 1
      space()
      if (failures >= SOCKET_RECONNECT_ATTEMPTS) onAway(true)
    },
  }
}

// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
function followTries(
  socket: Socket,
  { onState, onConnected, onAway, onRefused }: ConnectionHandlers,
): Pick<Connection, 'reconnect' | 'noteAnswer' | 'close'> {
  let isClosed = false
  /** True while the library does not retry by itself, because the server closed or refused the connection. */
  let isIdle = false
  let isTrying = false
  let triedAtMs = 0
  let problem: string | null = null
  let comeAgainMs = 0
  let later: ReturnType<typeof setTimeout> | undefined

  const noteTry = () => {
    isTrying = true
    triedAtMs = performance.now()
  }
  const sinceTryMs = () => performance.now() - triedAtMs
  const spacing = spaceTries(socket, onAway)
  const reconnect = () => {
    if (isClosed || socket.connected || (isTrying && sinceTryMs() < youngTryMs)) return
    clearTimeout(later)
    // While the library waits for its next attempt, disconnecting ends that wait, so that the attempt starts now.
    if (!isIdle) socket.disconnect()
    isIdle = false
    noteTry()
    onState('connecting', problem)
    socket.connect()
  }
  const reconnectAfter = (waitMs: number) => {
    isIdle = true
    clearTimeout(later)
    later = setTimeout(reconnect, waitMs)
  }

  noteTry()
  socket.io.on('reconnect_attempt', noteTry)
  socket.on('connect', () => {
    problem = null
    isTrying = false
    spacing.noteSuccess()
    onState('connected', null)
    onConnected()
  })
  // The server sends this event just before it closes a connection that has sent too much.
  socket.on('cut_off', (wire: unknown) => {
    const cutOff = readEvent('cut_off', wire)
    if (cutOff === undefined) return
    problem = cutOff.message
    comeAgainMs = cutOff.retryAfterS * 1000
  })
  socket.on('disconnect', (reason) => {
    isTrying = false
    onState('lost', problem)
    // The library reconnects by itself, except after a close by the server.
    if (isClosed || reason !== 'io server disconnect') return
    reconnectAfter(Math.max(comeAgainMs, SOCKET_RECONNECT_MIN_MS))
    comeAgainMs = 0
  })
  socket.on('connect_error', (error) => {
    problem = error.message
    isTrying = false
    onState('lost', problem)
    // While the socket is active, the library retries by itself. Otherwise the server refused the connection, and would
    // refuse an immediate retry again.
    if (socket.active) return spacing.noteFailure()
    isIdle = true
    const { statusCode = 0, retryAfter = 0 } =
      (error as { data?: { statusCode?: number; retryAfter?: number } }).data ?? {}
    // The session is still valid, but the server or its database can't accept connections now.
    if (statusCode === 429 || statusCode >= 500) {
      reconnectAfter(Math.max(retryAfter * 1000, spacing.delayMs()))
      return spacing.noteFailure()
    }
    onAway(false)
    onRefused()
  })

  return {
    reconnect,
    noteAnswer() {
      // Do not interrupt an attempt on a slow connection, and respect a refusal or a delay that the server has set.
      if (!socket.connected && !isTrying && !isIdle && sinceTryMs() >= answersApartMs) reconnect()
    },
    close() {
      isClosed = true
      clearTimeout(later)
      socket.disconnect()
    },
  }
}
