import { pipeline, type Readable, Transform } from 'node:stream'

/** The fewest bytes a second that a client must take. */
const LEAST_BYTES_A_S = 8_192
const LOOK_EVERY_MS = 10_000
const WITHIN_MS = 10 * 60_000

/** Ends a stream that lasts too long, or whose client takes too few bytes although more are ready (rules §6.3). */
export function readInTime(
  source: Readable,
  { leastBytesAS = LEAST_BYTES_A_S, lookEveryMs = LOOK_EVERY_MS, withinMs = WITHIN_MS } = {},
): Readable {
  let taken = 0
  const out = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      taken += chunk.length
      done(null, chunk)
    },
  })
  const breakOff = (): void => void out.destroy(new Error('The client reads too slowly'))
  let before = 0
  const look = setInterval(() => {
    // If no data is ready, the source is slower than the client.
    const isWaiting = out.readableLength > 0
    if (isWaiting && taken - before < (leastBytesAS * lookEveryMs) / 1000) breakOff()
    before = taken
  }, lookEveryMs)
  const end = setTimeout(breakOff, withinMs)
  pipeline(source, out, () => {
    clearInterval(look)
    clearTimeout(end)
  })
  return out
}
