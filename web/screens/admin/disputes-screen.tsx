import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { adminDisputeTexts as texts } from '#web/features/disputes/admin-dispute-texts.ts'
import { DisputesTable } from '#web/features/disputes/disputes-table.tsx'
import { openDisputesQuery } from '#web/features/disputes/staff-api.ts'
import { useMe } from '#web/features/identity/use-me.ts'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { countText } from '#web/ui/data-table/pager.tsx'
import { AgeText } from '#web/ui/ticking-text.tsx'

const ProposalOf = lazy(() =>
  import('#web/features/proposals/proposal-dialogs.tsx').then((module) => ({ default: module.ProposalOf })),
)

/** /admin/disputes */
export function DisputesScreen() {
  const { id } = useMe()
  return (
    <AdminPage title={texts.title} subtitle={<Waiting />} isFilled>
      <DisputesTable
        meId={id}
        proposalDialog={(proposalId, onClose) => <ProposalOf id={proposalId} meId={id} onClose={onClose} />}
      />
    </AdminPage>
  )
}

function Waiting() {
  const { data } = useQuery(openDisputesQuery)
  if (data === undefined) return <>&nbsp;</>
  if (data.oldestAtMs === null) return texts.nothingWaits
  return (
    <>
      {texts.waiting(countText(data.count, data.isCapped))} · {texts.oldest} <AgeText atMs={data.oldestAtMs} />
    </>
  )
}
