/** What the panel beside a conversation asks for, apart from staff-api.ts: it comes when the panel is opened. */
import { queryOptions } from '@tanstack/react-query'
import { type CashRequest, cashierEndpoints } from '#contract/cashier.ts'
import { chatEndpoints, type Customer } from '#contract/chat.ts'
import { type Bet, gameEndpoints } from '#contract/game.ts'
import { callEndpoint, type ListPage } from '#web/platform/api.ts'

/** Opening the panel is in the audit log, so it is asked for once and not again at every look. */
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
      // The list is searched by a part of the name, so others' bets may be among them.
      const page: ListPage<Bet[]> = await callEndpoint(gameEndpoints.listBets, {
        query: { username, limit: 50 },
        signal,
      })
      return page.rows.filter(({ owner }) => owner.id === id).slice(0, shownOfCustomer)
    },
  })
