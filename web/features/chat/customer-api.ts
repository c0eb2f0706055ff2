/** Queries about a customer. They are not in staff-api.ts, so that they load only when they are needed. */
import { chatEndpoints } from '#contract/chat.ts'
import { staffGameEndpoints } from '#contract/staff-game.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

/** The audit log records each call, so the age of the data alone causes no new call. */
export const customerQuery = (conversationId: string) => ({
  ...endpointQuery(['chat'], chatEndpoints.readCustomer, { params: { id: conversationId } }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

const shownOfCustomer = 5

export const customerBetsQuery = (userId: string) =>
  endpointQuery(
    ['chat', userId],
    staffGameEndpoints.listBets,
    { query: { userId, limit: shownOfCustomer } },
    ({ rows }) => rows,
  )
