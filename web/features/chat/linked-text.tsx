import { type MouseEvent, useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { chatTexts } from './chat-texts.ts'
import { parseUrl } from '#web/platform/parse-url.ts'

/** Shows a message's text with its links. Before a link to another site opens, a dialog shows its full address. */
export function LinkedText({ text }: { readonly text: string }) {
  const [asked, setAsked] = useState<string>()
  const parts = linkify(text)
  const askFirst = (event: MouseEvent, href: string) => {
    // The right mouse button opens a menu, not the link.
    if (event.button > 1 || isOwnAddress(href, globalThis.location.origin)) return
    event.preventDefault()
    setAsked(href)
  }
  return (
    <>
      {parts.map(({ text: shown, href }, index) =>
        href === undefined ? (
          shown
        ) : (
          <a
            // The index can be the key, because a link has no state of its own.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            key={index}
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            onClick={(event) => askFirst(event, href)}
            onAuxClick={(event) => askFirst(event, href)}
            className="[overflow-wrap:anywhere] underline underline-offset-4"
          >
            {shown}
          </a>
        ),
      )}
      {asked !== undefined && (
        <ConfirmDialog
          isOpen
          title={chatTexts.leaveTitle}
          description={chatTexts.leaveText}
          confirmLabel={chatTexts.leave}
          cancelLabel={chatTexts.stay}
          onConfirm={() => {
            globalThis.open(asked, '_blank', 'noopener,noreferrer')
            setAsked(undefined)
          }}
          onCancel={() => setAsked(undefined)}
        >
          <p dir="ltr" translate="no" className="text-sm font-medium [overflow-wrap:anywhere]">
            {asked}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

type TextPart = { readonly text: string; readonly href?: string }

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
