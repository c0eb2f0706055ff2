import { Banner } from '#web/ui/banner.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'

export type ChangedMeanwhileProps = {
  readonly title?: string
  /** One sentence for each change. With null, nothing is shown. */
  readonly changes: readonly string[] | null
  readonly hint?: string
}

/** Says that the account has changed since the dialog opened, and lists the changes. */
export function ChangedMeanwhile({ title = texts.staleAct, changes, hint }: ChangedMeanwhileProps) {
  if (changes === null) return null
  return (
    <Banner tone="warn" isLive>
      {title}
      <ul className="list-disc pl-4 font-normal tabular-nums">
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {hint !== undefined && <p className="font-normal">{hint}</p>}
    </Banner>
  )
}
