import { queryOptions } from '@tanstack/react-query'
import { type Refilled, refillEndpoints, type RefillOffer } from '#contract/refill.ts'
import { callEndpoint } from '#web/platform/api.ts'

/** What a refill would give now. Asked each time the card appears, since limits and the day change it. */
export const refillQuery = queryOptions({
  queryKey: ['refill'],
  queryFn: ({ signal }): Promise<RefillOffer> => callEndpoint(refillEndpoints.readRefill, { signal }),
  staleTime: 0,
  gcTime: 0,
})

/** @param idempotencyKey the same for a retry of the same press (rules §3) */
export const takeRefill = (idempotencyKey: string): Promise<Refilled> =>
  callEndpoint(refillEndpoints.refill, { idempotencyKey })
