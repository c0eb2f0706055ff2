/* Conversions of bytes for domain/, which may use neither Buffer nor TextEncoder. */

/** Computes SHA-256. The server and the browser each pass an implementation of their own. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/** Encodes text as UTF-8. The text must have no surrogates, and so no characters above U+FFFF. */
export function toUtf8(text: string): Uint8Array {
  const ascii = new Uint8Array(text.length)
  let same = 0
  for (let code = text.charCodeAt(0); code < 0x80; code = text.charCodeAt(same)) ascii[same++] = code
  if (same === text.length) return ascii
  const bytes = [...ascii.subarray(0, same)]
  for (let at = same; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) bytes.push(code)
    else if (code < 0x8_00) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f))
    else bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
  }
  return Uint8Array.from(bytes)
}

export function utf8After(bytes: Uint8Array, text: string): Uint8Array {
  const all = new Uint8Array(bytes.length + text.length)
  all.set(bytes)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) return concatBytes(bytes, toUtf8(text))
    all[bytes.length + at] = code
  }
  return all
}

export function fromAscii(bytes: Uint8Array): string | null {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const part = bytes.subarray(at, at + CHUNK)
    for (let next = 0; next < part.length; next++) if ((part[next] ?? 0) > 0x7f) return null
    text += Reflect.apply(String.fromCharCode, null, part)
  }
  return text
}

/** Returns the text of UTF-8 bytes; null when the bytes are no UTF-8, or hold a character above U+FFFF. */
export function fromUtf8(bytes: Uint8Array): string | null {
  const ascii = fromAscii(bytes)
  if (ascii !== null) return ascii
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : 3
    let code = length === 1 ? first : first & (length === 2 ? 0x1f : 0x0f)
    for (let next = at + 1; next < at + length; next++) code = (code << 6) | ((bytes[next] ?? 0) & 0x3f)
    text += String.fromCharCode(code)
    at += length
  }
  // If the bytes are not UTF-8, encoding the decoded text again gives other bytes.
  return !/[\ud800-\udfff]/.test(text) && equalBytes(toUtf8(text), bytes) ? text : null
}

/** The largest number of arguments that one call passes: JavaScript engines limit their number. */
const CHUNK = 8_192

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const PAIRS = Array.from({ length: 4096 }, (_, bits) => `${ALPHABET[bits >> 6]}${ALPHABET[bits & 63]}`)

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const left = bytes.length - at
    text += PAIRS[bits >> 12]
    if (left > 2) text += PAIRS[bits & 0xfff]
    else text += left > 1 ? `${ALPHABET[(bits >> 6) & 63]}=` : '=='
  }
  return text
}

export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null
  const pads = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - pads)
  let [bits, held, out] = [0, 0, 0]
  for (let at = 0; at < text.length - pads; at++) {
    const value = ALPHABET.indexOf(text.charAt(at))
    if (value < 0) return null
    bits = (bits << 6) | value
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[out++] = (bits >> held) & 0xff
      bits &= (1 << held) - 1
    }
  }
  return bits === 0 ? bytes : null
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export function fromHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) return null
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))
}
