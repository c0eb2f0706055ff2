import type { Me } from '#contract/identity.ts'
import { useLogOut } from '#web/features/account/use-log-out.tsx'
import { useSupportContact } from '#web/features/identity/public-config.ts'
import { Button } from '#web/ui/button.tsx'
import { Lock } from '#web/ui/icons/lock.tsx'
import { commonTexts } from '#web/platform/texts.ts'
import { pausedAccountTexts } from './paused-account-texts.ts'
import { Screen } from './screen.tsx'
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

/** The screen of a frozen account (spec §2.3), with the support contact (rules §4.4). */
export function PausedAccount({ me }: { readonly me: Me }) {
  const contact = useSupportContact()
  const logOut = useLogOut(me.id)
  return (
    <div className="flex min-h-dvh flex-col">
      <Screen title={pausedAccountTexts.title} isTitleHidden className="items-center justify-center text-center">
        <Lock aria-hidden size={40} strokeWidth={1.4} className="text-down" />
        <p aria-hidden className="text-lg font-semibold">
          {pausedAccountTexts.title}
        </p>
        <p className="text-sm text-ink-3">{pausedAccountTexts.signedInAs(me.username)}</p>
        <p className="max-w-[42ch] text-ink-2">{pausedAccountTexts.message}</p>
        {contact !== undefined && <SupportContact contact={contact} />}
        <div className="mt-1 flex flex-wrap justify-center gap-2.5">
          <Button onClick={() => globalThis.location.reload()}>{commonTexts.reload}</Button>
          <Button variant="outline" isBusy={logOut.isLeaving} onClick={logOut.start}>
            {pausedAccountTexts.logOut}
          </Button>
        </div>
        <p className="max-w-[42ch] text-xs text-ink-3">{pausedAccountTexts.footerHint}</p>
      </Screen>
      {logOut.question}
    </div>
  )
}

function SupportContact({ contact }: { readonly contact: string }) {
  const link = contactLink(contact)
  if (link === null) return <p className="max-w-full font-medium [overflow-wrap:anywhere]">{contact}</p>
  return (
    <a
      href={link.href}
      rel="noopener noreferrer"
      {...(link.href.startsWith('https:') && { target: '_blank' })}
      className="inline-flex min-h-target max-w-full items-center font-medium [overflow-wrap:anywhere] text-gold underline underline-offset-4"
    >
      {link.label}
    </a>
  )
}
