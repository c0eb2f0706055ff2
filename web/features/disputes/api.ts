import { useEffect } from 'react'
import { type Dispute, disputeEndpoints } from '#contract/disputes.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { onServerEvent } from '#web/platform/socket.ts'

export type { Dispute } from '#contract/disputes.ts'

const disputesKey = ['disputes'] as const

/** One dispute, readable by its owner and by staff. */
export const disputeQuery = (disputeId: string) => ({
  ...endpointQuery(disputesKey, disputeEndpoints.readDispute, { params: { id: disputeId } }),
  staleTime: 30_000,
})

/** The dispute about one of the player's own bets; null if the bet has no dispute. */
export const betDisputeQuery = (betId: string) =>
  endpointQuery(disputesKey, disputeEndpoints.readBetDispute, { params: { id: betId } })

export async function openDispute(betId: string, text: string): Promise<Dispute> {
  const dispute = await callEndpoint(disputeEndpoints.openDispute, { params: { id: betId }, body: { text } })
  showDispute(dispute)
  return dispute
}

/** Puts a dispute from the server into both queries for a single dispute: by the dispute's id and by the bet's id. */
export function showDispute(dispute: Dispute): void {
  queryClient.setQueryData(disputeQuery(dispute.id).queryKey, dispute)
  queryClient.setQueryData(betDisputeQuery(dispute.bet.id).queryKey, dispute)
}

/** Refetches each single dispute on screen (not the list for staff) after a dispute was opened or answered. */
export function useDisputeHints(): void {
  useEffect(() => onServerEvent('dispute_changed', () => void refresh(disputesKey)), [])
}
