import { careReportTexts as texts } from '#web/features/admin-overview/care-report-texts.ts'
import { CareReport } from '#web/features/admin-overview/care-report.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminTexts } from '#web/layout/admin-texts.ts'

export function CareReportScreen() {
  return (
    <AdminPage title={adminTexts.careReport} subtitle={texts.subtitle} needs="care">
      <CareReport />
    </AdminPage>
  )
}
