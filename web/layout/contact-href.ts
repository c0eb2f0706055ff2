import { parseUrl } from '#web/platform/parse-url.ts'

/** A support contact with one of these URL schemes becomes a link (rules §4.4). */
const linked: ReadonlySet<string> = new Set(['https:', 'mailto:', 'tel:'])

/** Returns the contact as a link; null if the contact is another text, such as a name. */
export function contactLink(contact: string): { readonly href: string; readonly label: string } | null {
  const url = parseUrl(contact.trim())
  if (url === null || !linked.has(url.protocol)) return null
  const label = url.protocol === 'https:' ? contact.trim() : contact.trim().replace(/^\w+:|\?.*$/g, '')
  return label === '' ? null : { href: url.href, label }
}
