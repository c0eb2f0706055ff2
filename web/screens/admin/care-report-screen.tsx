import { careReportTexts as texts } from '#web/features/admin-overview/care-report-texts.ts'
import { CareReport } from '#web/features/admin-overview/care-report.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { screenTitles } from '#web/platform/texts.ts'

export function CareReportScreen() {
  return (
    <AdminPage title={screenTitles.adminCareReport} subtitle={texts.subtitle} needs="care">
      <CareReport />
    </AdminPage>
  )
}
