import { Banner } from '#web/ui/banner.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'

export type ChangedMeanwhileProps = {
  readonly title?: string
  /** One sentence for each change. If null, nothing is shown. */
  readonly changes: readonly string[] | null
  readonly hint?: string
}

/** Lists the changes of the account since the dialog opened. */
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
