/** More than this many frames a second, for this many seconds, is a flood (rules §6). */
const FRAMES_PER_SECOND = 200
const FLOOD_S = 3
/** Events beyond this number in a second get no answer at all. */
export const EVENTS_ANSWERED_PER_SECOND = FRAMES_PER_SECOND
const READ_PER_SECOND = 1_000
/** A connection that was cut off gets this long to receive the reason and the close; then its TCP connection ends. */
const GOODBYE_MS = 1_000

export type FrameVerdict = 'fine' | 'enough' | 'flood'

/**
 * Returns "enough" once in a second. Three seconds in a row with more than 200 frames each are a flood. Gets a frame's
 * length in bytes and the monotonic time in ms.
 */
export function createFloodMeter(): (length: number, nowMs: number) => FrameVerdict {
  let startedMs = Number.NEGATIVE_INFINITY
  let frames = 0
  let kib = 0
  let hadEnough = false
  let floodedS = 0
  return (length, nowMs) => {
    const lastedMs = nowMs - startedMs
    if (lastedMs >= 1_000) {
      // A pause after a burst belongs to the burst's second: the average over both is the sender's rate.
      floodedS = frames * 1_000 > FRAMES_PER_SECOND * lastedMs ? floodedS + 1 : 0
      startedMs = nowMs
      frames = 0
      kib = 0
      hadEnough = false
    }
    frames++
    kib += length / 1_024
    if (floodedS >= FLOOD_S) return 'flood'
    if (hadEnough || frames + kib <= READ_PER_SECOND) return 'fine'
    hadEnough = true
    return 'enough'
  }
}

export interface ReadableConnection {
  readonly transport: object
}

interface ReadableSocket {
  readonly readyState: number
  pause(): void
  resume(): void
  terminate(): void
  once(event: 'message', listener: () => void): void
}

const socketOf = ({ transport }: ReadableConnection) => (transport as { readonly socket: ReadableSocket }).socket

export function pauseReading(connection: ReadableConnection): void {
  const socket = socketOf(connection)
  socket.pause()
  setTimeout(() => {
    if (socket.readyState === WebSocket.OPEN) socket.resume()
  }, 1_000).unref()
}

/**
 * The library would read, and throw away, everything that comes for half a minute after the server has closed a
 * connection.
 */
export function ignoreRest(connection: ReadableConnection): void {
  socketOf(connection).once('message', () => stopReading(connection))
}

/** A WebSocket's own close waits half a minute for the other side and parses its frames during that time. */
export function stopReading(connection: ReadableConnection): void {
  const socket = socketOf(connection)
  socket.pause()
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}
