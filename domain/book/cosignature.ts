import { concatBytes } from './bytes.ts'

/*
 * The bytes that a witness signs (c2sp.org/tlog-cosignature, timestamped Ed25519): the time at which the witness saw
 * the note, and then the note's text. The witness's line in the note holds that time in 8 bytes, followed by the
 * signature.
 */

const TIME_BYTES = 8
const ED25519_BYTES = 64

export interface Cosignature {
  readonly time: number
  readonly signature: Uint8Array
}

export const cosignedText = (noteText: string, timeSeconds: number): string =>
  `cosignature/v1\ntime ${timeSeconds}\n${noteText}`

export function encodeCosignature({ time, signature }: Cosignature): Uint8Array {
  const bytes = new Uint8Array(TIME_BYTES)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, BigInt(time))
  return concatBytes(bytes, signature)
}

export function decodeCosignature(bytes: Uint8Array): Cosignature | null {
  if (bytes.length !== TIME_BYTES + ED25519_BYTES) return null
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset, TIME_BYTES).getBigUint64(0))
  return time > 0 && Number.isSafeInteger(time) ? { time, signature: bytes.subarray(TIME_BYTES) } : null
}
