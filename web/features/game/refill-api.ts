import { type Refilled, refillEndpoints } from '#contract/refill.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

/** Fetched each time the card appears, since limits and the day change the offer. */
export const refillQuery = {
  ...endpointQuery(['refill'], refillEndpoints.readRefill, {}),
  staleTime: 0,
  gcTime: 0,
}

/** @param idempotencyKey the same for a retry of the same press (rules §3) */
export const takeRefill = (idempotencyKey: string): Promise<Refilled> =>
  callEndpoint(refillEndpoints.refill, { idempotencyKey })
