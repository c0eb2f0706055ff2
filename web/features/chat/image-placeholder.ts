import { thumbHashToDataURL } from 'thumbhash'

/** The blurred picture that a thumbhash stands for, as the address of a tiny image; null when it is none. */
export function placeholderOf(thumbhash: string): string | null {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (letter) => letter.codePointAt(0) ?? 0))
  } catch {
    return null
  }
}
