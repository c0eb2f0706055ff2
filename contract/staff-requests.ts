import * as z from 'zod/mini'
import { requestKind, requestList, requestStatus } from './cashier.ts'
import { amount, answer, query } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { filterQuery } from './lists.ts'

/** Sums over the newest 10,000 requests that match a filter (rules §6.1). */
const requestTotals = answer(() => ({
  groups: z.array(
    answer(() => ({
      kind: ['type', requestKind],
      status: requestStatus,
      requests: z.int(),
      amountMinor: ['money', amount],
    })),
  ),
  isCapped: z.boolean(),
}))
export type RequestTotals = z.output<typeof requestTotals>

/** Kept out of contract/cashier.ts, because players load that file and only staff make these calls. */
export const staffRequestEndpoints = {
  sumRequests: endpoint('GET', '/api/v1/transaction/totals', 'staff', {
    query: query(() => filterQuery(requestList.filters)),
    data: requestTotals,
    summary: 'Number and points of the requests of a filter, by kind and status',
  }),
} as const
