/** The calls of the customer panel. They are not in staff-api.ts, so that they load only when they are needed. */
import { chatEndpoints } from '#contract/chat.ts'
import { staffGameEndpoints } from '#contract/staff-game.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

/** The audit log records each call, so the panel fetches only when it opens and after an act in the panel. */
export const customerQuery = (conversationId: string) => ({
  ...endpointQuery(['chat'], chatEndpoints.readCustomer, { params: { id: conversationId } }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

const shownOfCustomer = 5

export const customerBetsQuery = ({ id, username }: { readonly id: string; readonly username: string }) =>
  endpointQuery(
    ['chat', id],
    staffGameEndpoints.listBets,
    { query: { username, limit: 50 } },
    // The search matches the beginnings of names, so the answer may contain other players' bets.
    ({ rows }) => rows.filter(({ owner }) => owner.id === id).slice(0, shownOfCustomer),
  )
