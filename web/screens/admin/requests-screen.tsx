import { lazy } from 'react'
import { pendingQuery } from '#web/features/admin-requests/api.ts'
import { RequestsTable } from '#web/features/admin-requests/requests-table.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminRequestTexts as texts } from '#web/features/admin-requests/admin-request-texts.ts'
import { WaitingLine } from '#web/lists/waiting-line.tsx'

const ProposalOf = lazy(() =>
  import('#web/features/proposals/proposal-dialogs.tsx').then((module) => ({ default: module.ProposalOf })),
)

const Dossier = lazy(() =>
  import('#web/features/admin-requests/dossier.tsx').then((module) => ({ default: module.Dossier })),
)

/** /admin/transaction */
export function RequestsScreen() {
  const { id } = useMe()
  const waiting = (
    <WaitingLine query={pendingQuery} waiting={texts.waiting} nothing={texts.nothingWaits} oldest={texts.oldest} />
  )
  return (
    <AdminPage title={texts.title} subtitle={waiting} isFilled>
      <RequestsTable
        meId={id}
        proposalDialog={(proposalId, onClose, onDone) => (
          <ProposalOf
            id={proposalId}
            meId={id}
            dossier={(about) => <Dossier {...about} />}
            onClose={onClose}
            onDone={onDone}
          />
        )}
      />
    </AdminPage>
  )
}
