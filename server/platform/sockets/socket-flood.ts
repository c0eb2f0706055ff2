/** More than FRAMES_PER_SECOND frames per second, for FLOOD_S seconds in a row, are a flood (rules §6.7). */
const FRAMES_PER_SECOND = 200
const FLOOD_S = 3
/** Events beyond this number in one second get no answer at all. */
export const EVENTS_ANSWERED_PER_SECOND = FRAMES_PER_SECOND
const READ_PER_SECOND = 1_000
/** A client that is cut off has this time to receive the reason and to close, before its connection is ended. */
const GOODBYE_MS = 1_000

export type FrameVerdict = 'fine' | 'enough' | 'flood'

/**
 * Returns a function that judges a frame by its length and the monotonic time in ms. The verdict is `enough`, at most
 * once a second, when the frames and KiB of that second add up to more than READ_PER_SECOND.
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
      // A pause after a burst belongs to the second of the burst: the rate is the average over both.
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

/** Stops reading a closed connection at its next message. Otherwise, `ws` would parse messages for half a minute. */
export function ignoreRest(connection: ReadableConnection): void {
  socketOf(connection).once('message', () => stopReading(connection))
}

/** Ends a connection within GOODBYE_MS. While closing, a WebSocket would go on parsing frames for half a minute. */
export function stopReading(connection: ReadableConnection): void {
  const socket = socketOf(connection)
  socket.pause()
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}
