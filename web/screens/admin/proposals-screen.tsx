import { useMe } from '#web/features/identity/use-me.ts'
import { openProposalsQuery } from '#web/features/proposals/api.ts'
import { proposalTexts as texts } from '#web/features/proposals/proposal-texts.ts'
import { ProposalsTable } from '#web/features/proposals/proposals-table.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { WaitingLine } from '#web/lists/waiting-line.tsx'
import { dossierOf } from './proposal-dialog.tsx'

export function ProposalsScreen() {
  const { id } = useMe()
  return (
    <AdminPage title={texts.title} subtitle={<WaitingLine query={openProposalsQuery} texts={texts} />} isFilled>
      <ProposalsTable meId={id} dossier={dossierOf} />
    </AdminPage>
  )
}
