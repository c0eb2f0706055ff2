/** The calls of the panel beside a conversation, separate from staff-api.ts: they load when the panel is opened. */
import { chatEndpoints } from '#contract/chat.ts'
import { staffGameEndpoints } from '#contract/staff-game.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

/** Each call is recorded in the audit log, so the panel asks once, and again after an act of its own. */
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
    // The search matches a part of the name, so the answer may contain other players' bets.
    ({ rows }) => rows.filter(({ owner }) => owner.id === id).slice(0, shownOfCustomer),
  )
