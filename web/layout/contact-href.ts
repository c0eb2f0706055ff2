import { parseUrl } from '#web/platform/parse-url.ts'

/** The schemes that become links in a support contact. Any other text is shown as text (rules §4.4). */
const linked: ReadonlySet<string> = new Set(['https:', 'mailto:', 'tel:'])

/** Returns the contact as a link; null if the operator wrote a text that is not a link, such as a name. */
export function contactLink(contact: string): { readonly href: string; readonly label: string } | null {
  const url = parseUrl(contact.trim())
  if (url === null || !linked.has(url.protocol)) return null
  const label = url.protocol === 'https:' ? contact.trim() : contact.trim().replace(/^\w+:|\?.*$/g, '')
  return label === '' ? null : { href: url.href, label }
}
