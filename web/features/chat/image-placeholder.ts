import { thumbHashToDataURL } from 'thumbhash'

/** The blurred placeholder that a thumbhash encodes, as the address of a tiny image; null for an invalid hash. */
export function placeholderOf(thumbhash: string): string | null {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (letter) => letter.codePointAt(0) ?? 0))
  } catch {
    return null
  }
}
