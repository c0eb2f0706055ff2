import { OverviewCards } from '#web/features/admin-overview/overview-cards.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminOverviewTexts as texts } from '#web/features/admin-overview/admin-overview-texts.ts'

/** /admin */
export function OverviewScreen() {
  return (
    <AdminPage title={texts.title}>
      <OverviewCards />
    </AdminPage>
  )
}
