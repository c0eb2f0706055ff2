import { concatBytes } from './bytes.ts'

/*
 * The text that a witness signs, and the signature in the witness's line of the note (c2sp.org/tlog-cosignature,
 * timestamped Ed25519). Times are Unix seconds.
 */

const TIME_BYTES = 8
const ED25519_BYTES = 64

export const cosignedText = (noteText: string, timeSeconds: number): string =>
  `cosignature/v1\ntime ${timeSeconds}\n${noteText}`

export function encodeCosignature({ time, signature }: NonNullable<ReturnType<typeof decodeCosignature>>): Uint8Array {
  const bytes = new Uint8Array(TIME_BYTES)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, BigInt(time))
  return concatBytes(bytes, signature)
}

export function decodeCosignature(bytes: Uint8Array) {
  if (bytes.length !== TIME_BYTES + ED25519_BYTES) return null
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset, TIME_BYTES).getBigUint64(0))
  return time > 0 && Number.isSafeInteger(time) ? { time, signature: bytes.subarray(TIME_BYTES) } : null
}
