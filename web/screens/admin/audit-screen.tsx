import { AuditTable } from '#web/features/admin-audit/audit-table.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminAuditTexts as texts } from '#web/features/admin-audit/admin-audit-texts.ts'

export function AuditScreen() {
  return (
    <AdminPage title={texts.title} subtitle={texts.subtitle} isFilled>
      <AuditTable />
    </AdminPage>
  )
}
