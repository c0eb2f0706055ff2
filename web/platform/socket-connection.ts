import type { Socket } from 'socket.io-client'
import type { ClientEvent, ClientEventName, ServerEvent, ServerEventName } from '#contract/events.ts'
import {
  SOCKET_RECONNECT_ATTEMPTS,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
  SOCKET_TIMEOUT_MS,
} from '#contract/limits.ts'
import { io, readCode, readEvent, serverEventNames, writeEvent } from './socket-library.ts'

export type ConnectionHandlers = {
  /** Returns the token and the user's present name: staff may have renamed the user since the connection opened. */
  readonly readHandshake: () => object
  /**
   * `reason` is the message of the last failed attempt (the library's or the server's) or of a `cut_off` event; null if
   * there was neither since the last connect.
   */
  readonly onState: (state: 'connecting' | 'connected' | 'lost', reason: string | null) => void
  readonly onConnected: () => void
  readonly onAway: (isAway: boolean) => void
  /** Called when the server refuses the handshake with a status other than 429 and 5xx. */
  readonly onRefused: () => void
  readonly onEvent: <Name extends ServerEventName>(name: Name, payload: ServerEvent<Name>) => void
}

export type Connection = ReturnType<typeof openConnection>

const longestDelayMs = 30_000

const answersApartMs = 5_000

const youngTryMs = 2_000

const randomBetween = (from: number, to: number): number => from + Math.random() * (to - from)

/**
 * Returns the wait before the next attempt: 1–2 s, growing to 1–5 s, and 5–30 s from the fifth failure on (rules §6.7).
 * Waits are random, so that after an outage not all clients reconnect at the same moment.
 */
const delayMs = (failures: number): number =>
  failures < SOCKET_RECONNECT_ATTEMPTS
    ? randomBetween(
        SOCKET_RECONNECT_MIN_MS,
        Math.min((failures + 2) * SOCKET_RECONNECT_MIN_MS, SOCKET_RECONNECT_MAX_MS),
      )
    : randomBetween(SOCKET_RECONNECT_MAX_MS, longestDelayMs)

export function openConnection(handlers: ConnectionHandlers) {
  const socket = io({
    transports: ['websocket'],
    timeout: SOCKET_TIMEOUT_MS,
    reconnectionAttempts: Number.POSITIVE_INFINITY,
    randomizationFactor: 0,
    // The library calls this function for each attempt, so that each attempt sends the current token and name.
    auth: (give) => give(handlers.readHandshake()),
  })
  const tries = followTries(socket, handlers)
  for (const name of serverEventNames) {
    socket.on(name, (wire: unknown) => {
      const payload = readEvent(name, wire)
      // An event of another version of the contract is ignored.
      if (payload !== undefined) handlers.onEvent(name, payload)
    })
  }
  return {
    isOpen: () => socket.connected,
    tell: <Name extends ClientEventName>(name: Name, payload: ClientEvent<Name>) => {
      if (socket.connected) socket.emit(name, writeEvent(name, payload))
    },
    /**
     * Sends an event. Resolves with the acknowledgement in its wire form; rejects if none arrives in time. Throws if a
     * text of `payload` is invalid.
     */
    ask: <Name extends ClientEventName>(name: Name, payload: ClientEvent<Name>, timeoutMs: number): Promise<unknown> =>
      socket.timeout(timeoutMs).emitWithAck(name, writeEvent(name, payload)),
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
function followTries(socket: Socket, { onState, onConnected, onAway, onRefused }: ConnectionHandlers) {
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
    // Disconnecting ends the library's wait for its next attempt.
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
  // The server sends this event before it closes a socket that has sent too much (rules §6.7).
  socket.on('cut_off', (wire: unknown) => {
    const cutOff = readEvent('cut_off', wire)
    if (cutOff === undefined) return
    problem = cutOff.message
    comeAgainMs = cutOff.retryAfterS * 1000
  })
  socket.on('disconnect', (reason) => {
    isTrying = false
    onState('lost', problem)
    // The library does not reconnect by itself after a close by the server.
    if (isClosed || reason !== 'io server disconnect') return
    reconnectAfter(Math.max(comeAgainMs, SOCKET_RECONNECT_MIN_MS))
    comeAgainMs = 0
  })
  socket.on('connect_error', (error) => {
    problem = error.message
    isTrying = false
    onState('lost', problem)
    // While the socket is active, the library retries by itself. Otherwise the server refused the handshake.
    if (socket.active) return spacing.noteFailure()
    isIdle = true
    const { statusCode = 0, retryAfter = 0 } =
      (error as { data?: { statusCode?: number; retryAfter?: number } }).data ?? {}
    // The server refused for now, not because of the session.
    if (statusCode === 429 || statusCode >= 500) {
      reconnectAfter(Math.max(retryAfter * 1000, spacing.delayMs()))
      return spacing.noteFailure()
    }
    onAway(false)
    onRefused()
  })

  return {
    reconnect,
    /**
     * Call this function after a successful HTTP call. If the socket is not connected, this starts an attempt, unless
     * one is running or started less than `answersApartMs` ago, or the server closed or refused the connection.
     */
    noteAnswer: () => {
      if (!socket.connected && !isTrying && !isIdle && sinceTryMs() >= answersApartMs) reconnect()
    },
    close: () => {
      isClosed = true
      clearTimeout(later)
      socket.disconnect()
    },
  }
}
