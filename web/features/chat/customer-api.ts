/** The calls of the panel beside a conversation, separate from staff-api.ts: they load when the panel is opened. */
import { queryOptions } from '@tanstack/react-query'
import { type CashRequest, cashierEndpoints } from '#contract/cashier.ts'
import { chatEndpoints, type Customer } from '#contract/chat.ts'
import { type Bet } from '#contract/game.ts'
import { staffGameEndpoints } from '#contract/staff-game.ts'
import { callEndpoint, type ListPage } from '#web/platform/api.ts'

/** Each call is recorded in the audit log, so the panel asks once and does not refetch. */
export const customerQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ['chat', 'customer', conversationId],
    queryFn: ({ signal }): Promise<Customer> =>
      callEndpoint(chatEndpoints.readCustomer, { params: { id: conversationId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

const shownOfCustomer = 5

export const customerRequestsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['chat', 'requests', userId],
    queryFn: async ({ signal }): Promise<CashRequest[]> => {
      const query = { userId, limit: shownOfCustomer }
      return (await callEndpoint(cashierEndpoints.listRequests, { query, signal })).rows
    },
  })

export const customerBetsQuery = ({ id, username }: { readonly id: string; readonly username: string }) =>
  queryOptions({
    queryKey: ['chat', 'bets', id],
    queryFn: async ({ signal }): Promise<Bet[]> => {
      // The search matches a part of the name, so the answer may contain other players' bets.
      const page: ListPage<Bet[]> = await callEndpoint(staffGameEndpoints.listBets, {
        query: { username, limit: 50 },
        signal,
      })
      return page.rows.filter(({ owner }) => owner.id === id).slice(0, shownOfCustomer)
    },
  })
