/** More than this many frames a second, for this many seconds, is a flood (rules §6). */
const FRAMES_PER_SECOND = 200
const FLOOD_S = 3
/** Events beyond this number in a second get no answer at all. */
export const EVENTS_ANSWERED_PER_SECOND = FRAMES_PER_SECOND
/**
 * The most that is read from one connection in a second, counted in frames and KiB together; the rest waits in the
 * sender's network buffers. Decoding a flood for its 3 s would block this process for everybody else.
 */
const READ_PER_SECOND = 1_000
/** A connection that was cut off gets this long to receive the reason and the close; then its TCP connection ends. */
const GOODBYE_MS = 1_000

/** The reaction to a frame: none, a pause in reading until the second is over, or the end of the connection. */
export type FrameVerdict = 'fine' | 'enough' | 'flood'

/**
 * Creates the function that is called for each frame of one connection, with its length in bytes and the monotonic time
 * in ms. It returns "enough" once in a second. Three seconds in a row with more than 200 frames each are a flood.
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

/** The parts used here of an engine.io connection over a WebSocket. */
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

/** Stops reading from a connection for a second; a connection that is being closed stays stopped. */
export function pauseReading(connection: ReadableConnection): void {
  const socket = socketOf(connection)
  socket.pause()
  setTimeout(() => {
    if (socket.readyState === WebSocket.OPEN) socket.resume()
  }, 1_000).unref()
}

/**
 * Ends a connection that the server has closed as soon as the client sends something else than its own close. The
 * library would read, and throw away, everything that comes for half a minute, as fast as it comes.
 */
export function ignoreRest(connection: ReadableConnection): void {
  socketOf(connection).once('message', () => stopReading(connection))
}

/**
 * Stops reading from a connection that is being closed, and ends it soon. A WebSocket's own close waits half a minute
 * for the other side and parses its frames during that time.
 */
export function stopReading(connection: ReadableConnection): void {
  const socket = socketOf(connection)
  socket.pause()
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}
