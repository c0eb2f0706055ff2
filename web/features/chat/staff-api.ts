/** Calls that only staff make. They are not in api.ts, so that a player's chat does not load them. */
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'
import { chatEndpoints } from '#contract/chat.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import { CASE_TOPICS } from '#domain/chat/desk.ts'
import { callEndpoint, type CallInput } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { conversationsPerPage, messagesPerPage } from './api.ts'
import type { DeskTab } from './desk.ts'

export const everyConversationKey = ['chat', 'all'] as const

/** Converts a filter of the desk, `tag:…` or `topic:…`, to the query of the list. An empty filter matches all. */
function askedBy(filter: string) {
  const topic = CASE_TOPICS.find((one) => filter === `topic:${one}`)
  return filter.startsWith('tag:') ? { tag: filter.slice('tag:'.length) } : topic === undefined ? {} : { topic }
}

type Listed = CallInput<typeof chatEndpoints.listConversations>['query']

export const readConversations = (asked: Listed, after: string | undefined, signal: AbortSignal) =>
  callEndpoint(chatEndpoints.listConversations, {
    query: { ...asked, limit: conversationsPerPage, ...(after !== undefined && { after }) },
    signal,
  })

type Take = (page: readonly Conversation[]) => void

const listQuery = (group: QueryKey, asked: Listed, take?: Take) =>
  infiniteQueryOptions({
    queryKey: [...group, asked],
    queryFn: async ({ signal, pageParam }) => {
      const page = await readConversations(asked, pageParam, signal)
      take?.(page.rows)
      return page
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next,
  })

/** Fetches the latest conversations of all holders. They match `filter`, and the player's name contains `username`. */
export const everyConversationQuery = (username: string, filter: string) =>
  listQuery(everyConversationKey, { scope: 'all', ...(username !== '' && { username }), ...askedBy(filter) })

export type ListTab = Exclude<DeskTab, 'others'>

export const askedIn = (tab: ListTab) =>
  tab === 'waiting' ? ({ waiting: 'true' } as const) : ({ state: tab === 'mine' ? 'open' : tab } as const)

/**
 * Fetches the conversations of a tab that match `filter`, also those too old for the loaded list. `take` gets each page
 * once, when it arrives: a conversation in it may get another holder at any time.
 */
export const tabQuery = (tab: ListTab, filter: string, take: Take) =>
  listQuery(['chat', 'tab'], { ...askedIn(tab), ...askedBy(filter) }, take)

/** A sheet asks by the id that named its conversation, which is not its present id once it was merged. */
export const conversationKey = ['chat', 'one'] as const

export const conversationQuery = (id: string) => ({
  ...endpointQuery(conversationKey, chatEndpoints.getConversation, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
})

type Beside = { readonly beforeSeq?: number; readonly afterSeq?: number }

/** The first page has up to 9 messages after the sought one, since `beforeSeq` is exclusive. */
const afterSought = 10

/** Fetches a colleague's conversation around `soughtSeq`, or its newest messages. The audit log records each page. */
export function othersMessagesQuery({ id, lastSeq }: Conversation, soughtSeq: number | null) {
  const initialPageParam: Beside = soughtSeq === null ? {} : { beforeSeq: soughtSeq + afterSought }
  return infiniteQueryOptions({
    queryKey: ['chat', 'others', id, soughtSeq],
    queryFn: async ({ pageParam }: { readonly pageParam: Beside }) => {
      const query = { limit: messagesPerPage, ...pageParam }
      const { rows, meta } = await callEndpoint(chatEndpoints.listMessages, { params: { id }, query })
      return { messages: rows.toReversed(), hasMore: meta.hasMore }
    },
    initialPageParam,
    getNextPageParam: ({ messages: [oldest], hasMore }) =>
      hasMore && oldest !== undefined ? { beforeSeq: oldest.seq } : undefined,
    getPreviousPageParam: ({ messages }) => {
      const newestSeq = messages.at(-1)?.seq ?? lastSeq
      return newestSeq < lastSeq ? { afterSeq: newestSeq } : undefined
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Claims or hands over a conversation if `fromId` still holds it. The text `note` is stored as a note. */
export const changeHolder = (id: string, fromId: string, toId: string, note?: string): Promise<Conversation> =>
  callEndpoint(chatEndpoints.changeHolder, {
    params: { id },
    body: { fromId, toId, ...(note !== undefined && { note }) },
  })

export const openConversationWith = (participantId: string): Promise<Conversation> =>
  callEndpoint(chatEndpoints.openConversation, { body: { participantId } })
