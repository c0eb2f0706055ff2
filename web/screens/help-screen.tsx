import { Link } from '@tanstack/react-router'
import { HelpList } from '#web/features/help/help-list.tsx'
import { helpTexts } from '#web/features/help/help-texts.ts'
import { BackLink } from '#web/layout/back-link.tsx'
import { Screen } from '#web/layout/screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'
import { PlayMoneyLine } from '#web/parts/play-money-line.tsx'

export function HelpScreen() {
  return (
    <Screen title={screenTitles.help} before={<BackLink fallback="/" />}>
      <p className="text-sm text-ink-2">{helpTexts.lead}</p>
      <Link to="/so-mo" className="flex min-h-target items-center self-start text-sm font-medium text-gold">
        {helpTexts.toBook}
      </Link>
      <HelpList />
      <PlayMoneyLine />
    </Screen>
  )
}
