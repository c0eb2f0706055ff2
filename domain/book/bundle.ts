/* Bundles of entries (c2sp.org/tlog-tiles): each entry follows its length, which is two bytes, big-endian. */

const LENGTH_BYTES = 2
const MOST_BYTES = 0xff_ff

export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bundle = new Uint8Array(entries.reduce((length, entry) => length + LENGTH_BYTES + entry.length, 0))
  let at = 0
  for (const entry of entries) {
    if (entry.length > MOST_BYTES) throw new RangeError(`an entry of ${entry.length} bytes`)
    bundle.set([entry.length >> 8, entry.length & 0xff], at)
    bundle.set(entry, at + LENGTH_BYTES)
    at += LENGTH_BYTES + entry.length
  }
  return bundle
}

export function decodeBundle(bytes: Uint8Array): Uint8Array[] | null {
  const entries: Uint8Array[] = []
  let at = 0
  while (at < bytes.length) {
    const [high, low] = [bytes[at], bytes[at + 1]]
    if (high === undefined || low === undefined) return null
    const end = at + LENGTH_BYTES + high * 256 + low
    if (end > bytes.length) return null
    entries.push(bytes.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return entries
}
