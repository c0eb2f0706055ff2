import { Banner } from '#web/ui/banner.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'

export type ChangedMeanwhileProps = {
  readonly title?: string
  /** One sentence for each change; null if nothing was changed meanwhile. */
  readonly changes: readonly string[] | null
  readonly hint?: string
}

/** Lists what somebody else changed on the account while a dialog was open. */
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
