import { useQuery } from '@tanstack/react-query'
import { DISPUTE_DUE_DAYS } from '#domain/attention/attention.ts'
import { pendingQuery } from '#web/features/admin-requests/api.ts'
import { openDisputesQuery } from '#web/features/disputes/staff-api.ts'
import { openProposalsQuery } from '#web/features/proposals/api.ts'
import type { WaitingLineProps } from '#web/lists/waiting-line.tsx'
import { serverNowMs } from '#web/platform/server-time.ts'
import { formatCount } from '#web/platform/formats.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { adminTexts } from './admin-texts.ts'

type CountProps = {
  readonly query: WaitingLineProps['query']
  readonly label: (count: string) => string
  readonly isRed?: (oldestAtMs: number | null) => boolean
}

function Count({ query, label, isRed }: CountProps) {
  const { data } = useQuery(query)
  if (data === undefined) return null
  return (
    <CountBadge count={data.count} label={label(formatCount(data.count))} isRed={isRed?.(data.oldestAtMs) === true} />
  )
}

/** Returns true if the oldest dispute is overdue (rules §6.12). */
const isOverdueDispute = (openedAtMs: number | null) =>
  openedAtMs !== null && serverNowMs() - openedAtMs >= DISPUTE_DUE_DAYS * 86_400_000

/** The counts in the sidebar. By spec §2.6 the count of requests is red. */
export const sidebarCounts = {
  requests: <Count query={pendingQuery} label={adminTexts.pendingBadge} isRed={() => true} />,
  proposals: <Count query={openProposalsQuery} label={adminTexts.proposalsBadge} />,
  disputes: <Count query={openDisputesQuery} label={adminTexts.disputesBadge} isRed={isOverdueDispute} />,
} as const
