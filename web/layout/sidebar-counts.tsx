import { useQuery } from '@tanstack/react-query'
import { pendingQuery } from '#web/features/admin-requests/api.ts'
import { openDisputesQuery } from '#web/features/disputes/staff-api.ts'
import { openProposalsQuery } from '#web/features/proposals/api.ts'
import { formatCount } from '#web/platform/formats.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { adminTexts } from './admin-texts.ts'

/** The live number of requests in status IN_PROGRESS; "99+" beyond 99 and nothing at 0 (spec §2, §9). */
function RequestCount() {
  const { data } = useQuery(pendingQuery)
  return data === undefined ? null : (
    <CountBadge count={data.count} label={adminTexts.pendingBadge(formatCount(data.count))} />
  )
}

/** The live number of proposals that wait for a second person. */
function ProposalCount() {
  const { data } = useQuery(openProposalsQuery)
  return data === undefined ? null : (
    <CountBadge count={data.count} label={adminTexts.proposalsBadge(formatCount(data.count))} />
  )
}

/** The live number of disputes that wait for an answer. */
function DisputeCount() {
  const { data } = useQuery(openDisputesQuery)
  return data === undefined ? null : (
    <CountBadge count={data.count} label={adminTexts.disputesBadge(formatCount(data.count))} />
  )
}

/** The counts in the sidebar, by the list that they count. */
export const sidebarCounts = {
  requests: <RequestCount />,
  proposals: <ProposalCount />,
  disputes: <DisputeCount />,
} as const
