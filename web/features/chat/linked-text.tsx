import { type MouseEvent, useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { chatTexts } from './chat-texts.ts'
import { isOwnAddress, linkify } from './links.ts'

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
