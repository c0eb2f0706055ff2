import { AttentionCard } from '#web/features/admin-attention/attention-card.tsx'
import { OverviewCards } from '#web/features/admin-overview/overview-cards.tsx'
import { OverviewFigures } from '#web/features/admin-overview/overview-figures.tsx'
import { useSecondFactorNotice } from '#web/features/admin-overview/second-factor.ts'
import { useRehearsalNotice } from '#web/features/admin-system/rehearsal-notice.ts'
import { useIsReadOnly } from '#web/platform/use-may.ts'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminOverviewTexts as texts } from '#web/features/admin-overview/admin-overview-texts.ts'

export function OverviewScreen() {
  return (
    <AdminPage title={texts.title}>
      {useIsReadOnly() && <Banner tone="info">{adminTexts.readOnlyText}</Banner>}
      <AttentionCard also={[useRehearsalNotice(), useSecondFactorNotice()]} />
      <OverviewCards />
      <OverviewFigures />
    </AdminPage>
  )
}
