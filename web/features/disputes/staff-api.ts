import { queryOptions } from '@tanstack/react-query'
import { type Dispute, disputeEndpoints } from '#contract/disputes.ts'
import type { DisputeStatus } from '#domain/disputes/dispute.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import type { PageAsk, PageQuery } from '#web/ui/data-table/use-admin-list.ts'

export type DisputeListQuery = PageAsk & {
  readonly username?: string
  readonly status?: DisputeStatus
  readonly from?: number
  readonly to?: number
}

/** Disputes of everybody. */
export const disputesPage = (query: DisputeListQuery): PageQuery<Dispute> => ({
  queryKey: [...adminKeys.disputes, 'page', query],
  queryFn: ({ signal }) => callEndpoint(disputeEndpoints.listDisputes, { query, signal }),
})

export type OpenDisputes = { readonly count: number; readonly isCapped: boolean; readonly oldestAtMs: number | null }

/** If a socket hint is lost, this interval makes up for it. */
const recountMs = 60_000

/** How many disputes wait for an answer, and since when the oldest. */
export const openDisputesQuery = queryOptions({
  queryKey: [...adminKeys.disputes, 'open'],
  queryFn: async ({ signal }): Promise<OpenDisputes> => {
    const query = { status: 'open', sort: 'openedAt', limit: 1 } as const
    const { rows, meta } = await callEndpoint(disputeEndpoints.listDisputes, { query, signal })
    return { count: meta.total, isCapped: meta.totalCapped === true, oldestAtMs: rows[0]?.openedAtMs ?? null }
  },
  refetchInterval: recountMs,
})

export type Answer = {
  readonly verdict: 'upheld' | 'rejected'
  readonly text: string
  readonly correctionMinor: bigint | null
}

export const answerDispute = (id: string, answer: Answer): Promise<Dispute> =>
  callEndpoint(disputeEndpoints.answerDispute, { params: { id }, body: answer })
