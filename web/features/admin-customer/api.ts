import { infiniteQueryOptions } from '@tanstack/react-query'
import { customerEndpoints, type customerLedgerList, type StaffNote, type TimelinePage } from '#contract/customer.ts'
import type { AskedBy } from '#contract/lists.ts'
import type { LedgerRow } from '#contract/wallet.ts'
import type { TimelineFilter } from '#domain/customer/timeline.ts'
import { callEndpoint, type ListPage } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import type { PageAsk, PageQuery } from '#web/lists/list-pages.ts'

/** Query keys of a customer's page begin with `adminKeys.users`, so that an act on an account refetches them, too. */
const groupOf = (id: string) => [...adminKeys.users, 'customer', id]

/** Balances change with every bet and request, so the page polls. */
const refetchMs = 20_000

export const customerQuery = (id: string) => ({
  ...endpointQuery(groupOf(id), customerEndpoints.readCustomerPage, { params: { id } }),
  refetchInterval: refetchMs,
})

export const ledgerPage = (
  id: string,
  query: PageAsk & AskedBy<typeof customerLedgerList.filters>,
): PageQuery<LedgerRow> => {
  const { sort: _, ...asked } = query
  return {
    ...endpointQuery(groupOf(id), customerEndpoints.listCustomerLedger, { params: { id }, query: asked }),
    refetchInterval: refetchMs,
  }
}

export const banksQuery = (id: string) =>
  endpointQuery(groupOf(id), customerEndpoints.listCustomerBanks, { params: { id } })

export const limitsQuery = (id: string) => ({
  ...endpointQuery(groupOf(id), customerEndpoints.readCustomerLimits, { params: { id } }),
  refetchInterval: refetchMs,
})

export const conversationsQuery = (id: string) => ({
  ...endpointQuery(groupOf(id), customerEndpoints.listCustomerConversations, { params: { id } }),
  refetchInterval: refetchMs,
})

export const timelineQuery = (id: string, only: TimelineFilter | null) =>
  infiniteQueryOptions({
    queryKey: [...groupOf(id), 'timeline', only],
    queryFn: ({ signal, pageParam }): Promise<TimelinePage> =>
      callEndpoint(customerEndpoints.listCustomerTimeline, {
        params: { id },
        query: { ...(only !== null && { only }), ...(pageParam !== null && { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? (entries.at(-1)?.cursor ?? null) : null),
  })

const notesPerPage = 20

export const notesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...groupOf(id), 'notes'],
    queryFn: ({ signal, pageParam }): Promise<ListPage<StaffNote[]>> =>
      callEndpoint(customerEndpoints.listCustomerNotes, {
        params: { id },
        query: { page: pageParam, limit: notesPerPage },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.hasMore ? meta.page + 1 : null),
    refetchInterval: refetchMs,
  })

/** @param noteId a retry of the same note sends the same id, so that the note is stored once */
export const addNote = (id: string, noteId: string, text: string): Promise<StaffNote> =>
  callEndpoint(customerEndpoints.addCustomerNote, { params: { id }, body: { noteId, text } })
