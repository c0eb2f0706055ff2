import { AttentionCard } from '#web/features/admin-attention/attention-card.tsx'
import { OverviewCards } from '#web/features/admin-overview/overview-cards.tsx'
import { OverviewFigures } from '#web/features/admin-overview/overview-figures.tsx'
import { useRehearsalNotice } from '#web/features/admin-system/rehearsal-notice.ts'
import { useIsReadOnly } from '#web/platform/use-may.ts'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminOverviewTexts as texts } from '#web/features/admin-overview/admin-overview-texts.ts'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#web/platform/formats.ts'
import { overviewQuery } from '#web/features/admin-overview/api.ts'

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

/** Returns a notice for `AttentionCard` if second factors are off or an admin has none (rules §4.10), else null. */
function useSecondFactorNotice() {
  const state = useQuery(overviewQuery).data?.secondFactor
  if (state === undefined || (state.mode !== 'off' && state.adminsWithout === 0)) return null
  return {
    title: texts.noSecondFactor,
    detail: state.mode === 'off' ? texts.secondFactorOff : texts.adminsWithout(formatCount(state.adminsWithout)),
    to: '/admin/security',
    open: texts.toSecurity,
  } as const
}
