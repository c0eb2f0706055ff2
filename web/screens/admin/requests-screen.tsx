import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { pendingQuery } from '#web/features/admin-requests/api.ts'
import { RequestsTable } from '#web/features/admin-requests/requests-table.tsx'
import { useMe } from '#web/features/identity/use-me.ts'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { adminRequestTexts as texts } from '#web/features/admin-requests/admin-request-texts.ts'
import { countText } from '#web/ui/data-table/pager.tsx'
import { AgeText } from '#web/ui/ticking-text.tsx'

const ProposalOf = lazy(() =>
  import('#web/features/proposals/proposal-dialogs.tsx').then((module) => ({ default: module.ProposalOf })),
)

const Dossier = lazy(() =>
  import('#web/features/admin-requests/dossier.tsx').then((module) => ({ default: module.Dossier })),
)

/** /admin/transaction */
export function RequestsScreen() {
  const { id } = useMe()
  return (
    <AdminPage title={texts.title} subtitle={<Waiting />} isFilled>
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

function Waiting() {
  const { data } = useQuery(pendingQuery)
  if (data === undefined) return <>&nbsp;</>
  if (data.oldestAtMs === null) return texts.nothingWaits
  return (
    <>
      {texts.waiting(countText(data.count, data.isCapped))} · {texts.oldest} <AgeText atMs={data.oldestAtMs} />
    </>
  )
}
