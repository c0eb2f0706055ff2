import { pipeline, type Readable, Transform } from 'node:stream'

/**
 * A stream's reader has to take at least this many bytes a second, looked at once in this time, and finish within this
 * time in all.
 */
const LEAST_BYTES_A_S = 8_192
const LOOK_EVERY_MS = 10_000
const WITHIN_MS = 10 * 60_000

/**
 * Hands a stream on to one reader, and breaks it off when the reader takes less than it should while more is there, so
 * that the resources of the stream are free for others (rules §6.3).
 */
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
    // Nothing waits to be taken where the source is slower than the reader.
    const isWaiting = out.readableLength > 0
    if (isWaiting && taken - before < (leastBytesAS * lookEveryMs) / 1000) breakOff()
    before = taken
  }, lookEveryMs)
  const end = setTimeout(breakOff, withinMs)
  // The end of either stream, for any reason, is the end of both.
  pipeline(source, out, () => {
    clearInterval(look)
    clearTimeout(end)
  })
  return out
}
