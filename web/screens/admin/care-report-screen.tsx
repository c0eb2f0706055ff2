import { capabilityWords } from '#contract/capability-words.ts'
import { careReportTexts as texts } from '#web/features/admin-overview/care-report-texts.ts'
import { CareReport } from '#web/features/admin-overview/care-report.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminTexts } from '#web/layout/admin-texts.ts'
import { useMay } from '#web/platform/use-may.ts'
import { EmptyState } from '#web/ui/states.tsx'

export function CareReportScreen() {
  const may = useMay('care')
  return (
    <AdminPage title={adminTexts.careReport} subtitle={texts.subtitle}>
      {may ? <CareReport /> : <EmptyState text={adminTexts.notAllowed(capabilityWords.care)} />}
    </AdminPage>
  )
}
