/** More than this many frames a second, for this many seconds, is a flood (rules §6). */
const FRAMES_PER_SECOND = 200
const FLOOD_S = 3
/** Events beyond this many in a second get no answer at all. */
export const EVENTS_ANSWERED_PER_SECOND = FRAMES_PER_SECOND
/** A cut-off connection gets this long to take the reason and the close; then its TCP connection ends. */
const GOODBYE_MS = 1_000

/**
 * Makes the function that is called for each frame of one connection, with the monotonic time in ms, and answers true
 * once three seconds in a row each brought more than 200.
 */
export function createFloodMeter(): (nowMs: number) => boolean {
  let startedMs = Number.NEGATIVE_INFINITY
  let frames = 0
  let floodedS = 0
  return (nowMs) => {
    const lastedMs = nowMs - startedMs
    if (lastedMs >= 1_000) {
      // A pause that follows a burst belongs to its second: an average over both is what was sent.
      floodedS = frames * 1_000 > FRAMES_PER_SECOND * lastedMs ? floodedS + 1 : 0
      startedMs = nowMs
      frames = 0
    }
    frames++
    return floodedS >= FLOOD_S
  }
}

/** What is known here of a connection of engine.io over a WebSocket. */
export interface ReadableConnection {
  readonly transport: object
}

/**
 * Reads nothing more from a connection that is being closed, and ends it soon: a WebSocket's own close waits half a
 * minute for the other side, whose frames are parsed meanwhile.
 */
export function stopReading({ transport }: ReadableConnection): void {
  const { socket } = transport as { readonly socket: { pause(): void; terminate(): void } }
  socket.pause()
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}
