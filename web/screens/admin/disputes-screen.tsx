import { adminDisputeTexts as texts } from '#web/features/disputes/admin-dispute-texts.ts'
import { DisputesTable } from '#web/features/disputes/disputes-table.tsx'
import { openDisputesQuery } from '#web/features/disputes/staff-api.ts'
import { useMe } from '#web/features/identity/use-me.ts'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { WaitingLine } from '#web/lists/waiting-line.tsx'
import { proposalDialogOf } from './proposal-dialog.tsx'

export function DisputesScreen() {
  const { id } = useMe()
  return (
    <AdminPage title={texts.title} subtitle={<WaitingLine query={openDisputesQuery} texts={texts} />} isFilled>
      <DisputesTable meId={id} proposalDialog={proposalDialogOf(id)} />
    </AdminPage>
  )
}
