import { thumbHashToDataURL } from 'thumbhash'

/** Decodes a thumbhash to the blurred placeholder of an image, as a data URL. Returns null if the hash is invalid. */
export function placeholderOf(thumbhash: string): string | null {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (letter) => letter.codePointAt(0) ?? 0))
  } catch {
    return null
  }
}
