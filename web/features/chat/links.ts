import { parseUrl } from '#web/platform/parse-url.ts'

export type TextPart = { readonly text: string; readonly href?: string }

/** Matches an address that begins with `http://` or `https://`. Other text does not become a link. */
const address = /\bhttps?:\/\/[^\s<>"'`\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/giu
/** Matches a last character that usually belongs to the sentence and not to the address. */
const trailing = /[.,;:!?…*_~)\]}»”’]$/u
const openerOf: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
const count = (text: string, sign: string) => text.split(sign).length - 1

/** Removes the sentence's punctuation from an address's end. Keeps a closing bracket that is opened in the address. */
function trimmed(found: string): string {
  let text = found
  for (;;) {
    const last = trailing.exec(text)?.[0]
    if (last === undefined) return text
    const opener = openerOf[last]
    if (opener !== undefined && count(text, opener) >= count(text, last)) return text
    text = text.slice(0, -last.length)
  }
}

/** Splits a text into parts, some of them http and https links. All parts together are the unchanged text. */
export function linkify(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const shown = trimmed(found)
    const href = parseUrl(shown)?.href
    if (href === undefined) continue
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push({ text: shown, href })
    end = index + shown.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}

export const isOwnAddress = (href: string, origin: string): boolean => new URL(href).origin === origin
