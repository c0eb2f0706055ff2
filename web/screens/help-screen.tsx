import { Link } from '@tanstack/react-router'
import { HelpList } from '#web/features/help/help-list.tsx'
import { helpTexts } from '#web/features/help/help-texts.ts'
import { SubScreen } from '#web/layout/sub-screen.tsx'
import { screenTitles } from '#web/platform/texts.ts'

export function HelpScreen() {
  return (
    <SubScreen title={screenTitles.help} back="/">
      <p className="text-sm text-ink-2">{helpTexts.lead}</p>
      <Link to="/so-mo" className="flex min-h-target items-center self-start text-sm font-medium text-gold">
        {helpTexts.toBook}
      </Link>
      <HelpList />
    </SubScreen>
  )
}
