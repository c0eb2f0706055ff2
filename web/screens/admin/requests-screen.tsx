import { pendingQuery } from '#web/features/admin-requests/api.ts'
import { RequestsTable } from '#web/features/admin-requests/requests-table.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminRequestTexts as texts } from '#web/features/admin-requests/admin-request-texts.ts'
import { WaitingLine } from '#web/lists/waiting-line.tsx'
import { proposalDialogOf } from './proposal-dialog.tsx'

export function RequestsScreen() {
  const { id } = useMe()
  return (
    <AdminPage title={texts.title} subtitle={<WaitingLine query={pendingQuery} texts={texts} />} isFilled>
      <RequestsTable meId={id} proposalDialog={proposalDialogOf(id)} />
    </AdminPage>
  )
}
