import { Link } from '@tanstack/react-router'
import { landingTexts } from './landing-texts.ts'
import { Card } from '#web/ui/card.tsx'
import { ShieldCheck } from '#web/ui/icons/shield-check.tsx'

/** Describes the product and how a round runs, without a promise of returns (rules §1.1). */
export function About() {
  return (
    <Card aria-labelledby="about" className="flex flex-col gap-3">
      <h2 id="about" className="text-base font-semibold">
        {landingTexts.about}
      </h2>
      <p className="text-sm text-ink-2">{landingTexts.aboutLead}</p>
      <ol className="numbered text-sm">
        {landingTexts.aboutSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="flex gap-3 border-t border-line pt-3 text-sm text-ink-2">
        <ShieldCheck aria-hidden size={20} strokeWidth={1.8} className="ml-0.5 shrink-0 text-gold" />
        <span>
          {landingTexts.aboutFair}{' '}
          <Link to="/so-mo" className="font-medium text-gold underline underline-offset-4">
            {landingTexts.aboutBook}
          </Link>
        </span>
      </p>
    </Card>
  )
}
