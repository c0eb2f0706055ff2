/** More than this many frames a second, for this many seconds, is a flood (rules §6). */
const FRAMES_PER_SECOND = 200
const FLOOD_S = 3
/** Events beyond this many in a second get no answer at all. */
export const EVENTS_ANSWERED_PER_SECOND = FRAMES_PER_SECOND
/**
 * What is read of one connection in a second at most, in frames and KiB together; the rest waits in the sender's own
 * network buffers. Decoding a flood for its 3 s would take this process from everybody else.
 */
const READ_PER_SECOND = 1_000
/** A cut-off connection gets this long to take the reason and the close; then its TCP connection ends. */
const GOODBYE_MS = 1_000

/** What follows from a frame: nothing, no more reading for a second, or the end of the connection. */
export type FrameVerdict = 'fine' | 'enough' | 'flood'

/**
 * Makes the function that is called for each frame of one connection, with its length in bytes and the monotonic time
 * in ms. "Enough" is said once in a second. It is a flood once three seconds in a row each brought more than 200.
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
      // A pause that follows a burst belongs to its second: an average over both is what was sent.
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

/** What is known here of a connection of engine.io over a WebSocket. */
export interface ReadableConnection {
  readonly transport: object
}

interface ReadableSocket {
  readonly readyState: number
  pause(): void
  resume(): void
  terminate(): void
}

const socketOf = ({ transport }: ReadableConnection) => (transport as { readonly socket: ReadableSocket }).socket

/** Reads nothing from a connection for a second, unless it is being closed then. */
export function pauseReading(connection: ReadableConnection): void {
  const socket = socketOf(connection)
  socket.pause()
  setTimeout(() => {
    if (socket.readyState === WebSocket.OPEN) socket.resume()
  }, 1_000).unref()
}

/**
 * Reads nothing more from a connection that is being closed, and ends it soon: a WebSocket's own close waits half a
 * minute for the other side, whose frames are parsed meanwhile.
 */
export function stopReading(connection: ReadableConnection): void {
  const socket = socketOf(connection)
  socket.pause()
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}
