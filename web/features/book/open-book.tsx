import { bookTexts as texts } from './book-texts.ts'
import { Fold } from '#web/ui/fold.tsx'
import { Folded } from './folded.tsx'

export function Reasons() {
  return (
    <Fold title={texts.whyTitle}>
      <ol className="numbered text-sm">
        {texts.why.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
      <Folded title={texts.technical}>
        {texts.technicalLines.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Folded>
    </Fold>
  )
}

export function WithoutUs() {
  return (
    <Fold title={texts.without}>
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
    </Fold>
  )
}

/** Lists what the book can't prove (docs/open-book.md §8). */
export function Limits() {
  return (
    <Fold title={texts.limits}>
      <p className="text-sm text-ink-2">{texts.limitsLead}</p>
      <ul className="flex list-disc flex-col gap-2 pl-4.5 text-sm marker:text-gold">
        {texts.admissions.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Fold>
  )
}
