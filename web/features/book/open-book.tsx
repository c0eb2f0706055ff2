import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { bookTexts as texts } from './book-texts.ts'
import { Folded } from './folded.tsx'

/** What the book is for, in words that need no cryptography. */
export function Claim() {
  return (
    <Card aria-labelledby="book-claim" className="flex flex-col gap-3">
      <h2 id="book-claim" className="flex items-start gap-2 text-xl leading-tight font-semibold tracking-tight">
        <ShieldCheck aria-hidden size={24} strokeWidth={1.8} className="mt-0.5 shrink-0 text-gold" />
        {texts.claim}
      </h2>
      <ol className="numbered text-sm">
        {texts.why.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
      <Link to="/kiem-chung" className={classNames(buttonClass({ isWide: true }), 'print:hidden')}>
        {texts.toChecker}
      </Link>
      <Folded title={texts.technical}>
        {texts.technicalLines.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Folded>
    </Card>
  )
}

/** How to check without this page, for programmers. */
export function WithoutUs() {
  return (
    <Card aria-labelledby="book-without" className="flex flex-col gap-3">
      <h2 id="book-without" className="text-base font-semibold">
        {texts.without}
      </h2>
      <p className="text-sm text-ink-2">{texts.withoutLead}</p>
      <pre
        role="group"
        aria-label={texts.without}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-s bg-surface-2 p-3 text-xs leading-relaxed print:whitespace-pre-wrap"
      >
        <code>{texts.code(globalThis.location.origin)}</code>
      </pre>
      <p className="text-sm text-ink-2">{texts.withoutGo}</p>
    </Card>
  )
}

/** Everything that the book can't show (docs/open-book.md §8). */
export function Limits() {
  return (
    <Card aria-labelledby="book-limits" className="flex flex-col gap-3">
      <h2 id="book-limits" className="text-base font-semibold">
        {texts.limits}
      </h2>
      <p className="text-sm text-ink-2">{texts.limitsLead}</p>
      <ul className="flex list-disc flex-col gap-2 pl-4.5 text-sm marker:text-gold">
        {texts.admissions.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Card>
  )
}
