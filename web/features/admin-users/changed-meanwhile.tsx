import { Banner } from '#web/ui/banner.tsx'
import { adminUserTexts as texts } from './admin-user-texts.ts'

/** The fields that somebody else changed on the account while a dialog was open; nothing while `changes` is null. */
export function ChangedMeanwhile({ changes }: { readonly changes: readonly string[] | null }) {
  if (changes === null) return null
  return (
    <Banner tone="warn" isLive>
      {texts.staleAct}
      <ul className="list-disc pl-4 font-normal">
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Banner>
  )
}
