import { useQuery } from '@tanstack/react-query'
import { pendingQuery } from '#web/features/admin-requests/api.ts'
import { openDisputesQuery } from '#web/features/disputes/staff-api.ts'
import { openProposalsQuery } from '#web/features/proposals/api.ts'
import type { WaitingLineProps } from '#web/lists/waiting-line.tsx'
import { formatCount } from '#web/platform/formats.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { adminTexts } from './admin-texts.ts'

type CountProps = { readonly query: WaitingLineProps['query']; readonly label: (count: string) => string }

/** The live number of rows that wait; "99+" beyond 99 and nothing at 0 (spec §2, §9). */
function Count({ query, label }: CountProps) {
  const { data } = useQuery(query)
  return data === undefined ? null : <CountBadge count={data.count} label={label(formatCount(data.count))} />
}

/** The counts in the sidebar, by the list that they count. */
export const sidebarCounts = {
  requests: <Count query={pendingQuery} label={adminTexts.pendingBadge} />,
  proposals: <Count query={openProposalsQuery} label={adminTexts.proposalsBadge} />,
  disputes: <Count query={openDisputesQuery} label={adminTexts.disputesBadge} />,
} as const
