import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useMe } from '#web/features/identity/use-me.ts'
import { openProposalsQuery } from '#web/features/proposals/api.ts'
import { proposalTexts as texts } from '#web/features/proposals/proposal-texts.ts'
import { ProposalsTable } from '#web/features/proposals/proposals-table.tsx'
import { AdminPage } from '#web/layout/admin-page.tsx'
import { countText } from '#web/ui/data-table/pager.tsx'

const Dossier = lazy(() =>
  import('#web/features/admin-requests/dossier.tsx').then((module) => ({ default: module.Dossier })),
)

/** /admin/proposals */
export function ProposalsScreen() {
  const { id } = useMe()
  return (
    <AdminPage title={texts.title} subtitle={<Waiting />} isFilled>
      <ProposalsTable meId={id} dossier={(about) => <Dossier {...about} />} />
    </AdminPage>
  )
}

function Waiting() {
  const { data } = useQuery(openProposalsQuery)
  if (data === undefined) return <>&nbsp;</>
  return data.count === 0 ? texts.nothingWaits : texts.waiting(countText(data.count, data.isCapped))
}
