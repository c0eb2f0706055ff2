import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  type CustomerBank,
  type CustomerConversation,
  customerEndpoints,
  type CustomerPage,
  type StaffNote,
  type TimelinePage,
} from '#contract/customer.ts'
import type { PlayerLimitsView } from '#contract/player-limits.ts'
import type { LedgerRow } from '#contract/wallet.ts'
import type { TimelineFilter } from '#domain/customer/timeline.ts'
import type { TransferReason } from '#domain/ledger/transfers.ts'
import { callEndpoint, type ListPage } from '#web/platform/api.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import type { PageAsk, PageQuery } from '#web/ui/data-table/use-admin-list.ts'

/** Under the key of users: an act on an account reads its page again, as it does the list's rows. */
const keyOf = (id: string, part: string) => [...adminKeys.users, 'customer', id, part] as const

/** Balances move with every bet and request. */
const refetchMs = 20_000

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id, 'page'),
    queryFn: ({ signal }): Promise<CustomerPage> =>
      callEndpoint(customerEndpoints.readCustomerPage, { params: { id }, signal }),
    refetchInterval: refetchMs,
  })

export type LedgerAsked = {
  readonly reason?: TransferReason
  /** Unix ms: booked in [from, to). */
  readonly from?: number
  readonly to?: number
}

export const ledgerPage = (id: string, query: PageAsk & LedgerAsked): PageQuery<LedgerRow> => {
  const { sort: _, ...asked } = query
  return {
    queryKey: [...keyOf(id, 'ledger'), query],
    queryFn: ({ signal }) =>
      callEndpoint(customerEndpoints.listCustomerLedger, { params: { id }, query: asked, signal }),
    refetchInterval: refetchMs,
  }
}

export const banksQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id, 'banks'),
    queryFn: ({ signal }): Promise<CustomerBank[]> =>
      callEndpoint(customerEndpoints.listCustomerBanks, { params: { id }, signal }),
  })

export const limitsQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id, 'limits'),
    queryFn: ({ signal }): Promise<PlayerLimitsView> =>
      callEndpoint(customerEndpoints.readCustomerLimits, { params: { id }, signal }),
    refetchInterval: refetchMs,
  })

export const conversationsQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id, 'conversations'),
    queryFn: ({ signal }): Promise<CustomerConversation[]> =>
      callEndpoint(customerEndpoints.listCustomerConversations, { params: { id }, signal }),
    refetchInterval: refetchMs,
  })

export const timelineQuery = (id: string, only: TimelineFilter | null) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(id, 'timeline'), only],
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
    queryKey: keyOf(id, 'notes'),
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

/** @param noteId the same for a retry of the same note: it is stored once */
export const addNote = (id: string, noteId: string, text: string): Promise<StaffNote> =>
  callEndpoint(customerEndpoints.addCustomerNote, { params: { id }, body: { noteId, text } })
