import { HelpList } from '#web/features/help/help-list.tsx'
import { helpTexts } from '#web/features/help/help-texts.ts'
import { BackLink } from '#web/layout/back-link.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { PlayMoneyLine } from '#web/ui/play-money-line.tsx'

/** Questions and answers, for visitors and players alike. */
export function HelpScreen() {
  return (
    <Screen title={screenTitles.help} before={<BackLink fallback="/" />}>
      <p className="text-sm text-ink-2">{helpTexts.lead}</p>
      <HelpList />
      <PlayMoneyLine />
    </Screen>
  )
}
