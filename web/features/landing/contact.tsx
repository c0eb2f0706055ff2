import { Link } from '@tanstack/react-router'
import { landingTexts } from './landing-texts.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'

export type ContactProps = {
  /** A part of the public configuration. Undefined until the configuration is loaded, null if loading failed. */
  readonly contact: { readonly teamName: string; readonly supportContact: string } | null | undefined
}

/** The support contact of the landing page (rules §4.4). */
export function Contact({ contact }: ContactProps) {
  return (
    <Card aria-labelledby="contact" className="flex flex-col gap-3">
      <h2 id="contact" className="text-base font-semibold">
        {landingTexts.contact}
      </h2>
      {contact === undefined && <SkeletonGroup shapes={['h-12']} />}
      {contact === null && <p className="text-sm text-ink-2">{landingTexts.contactUnknown}</p>}
      {contact != null && (
        <>
          <p className="text-sm text-ink-2">{landingTexts.contactTeam(contact.teamName)}</p>
          <p className="text-sm">
            <span className="text-ink-3">{landingTexts.contactPerson}: </span>
            <span className="font-medium [overflow-wrap:anywhere]">{contact.supportContact}</span>
          </p>
        </>
      )}
      <Link to="/support" className={buttonClass({ variant: 'outline' })}>
        {landingTexts.contactAction}
      </Link>
      <Link to="/tro-giup" className={buttonClass({ variant: 'ghost' })}>
        {landingTexts.contactHelp}
      </Link>
    </Card>
  )
}
