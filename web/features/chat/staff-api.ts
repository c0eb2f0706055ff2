/** Calls that only staff make, separate from api.ts so that a player's chat does not load them. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { chatEndpoints } from '#contract/chat.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { chatApi, conversationsPerPage } from './api.ts'

export const everyConversationKey = ['chat', 'all'] as const

/** All conversations whose player's name contains the text; conversations of colleagues can be claimed. */
export const everyConversationQuery = (username: string) =>
  endpointQuery(
    everyConversationKey,
    chatEndpoints.listConversations,
    { query: { scope: 'all', limit: conversationsPerPage, ...(username !== '' && { username }) } },
    ({ rows }) => rows,
  )

/** One conversation, whoever holds it: staff may read and claim every one. */
export const conversationQuery = (id: string) => ({
  ...endpointQuery(['chat'], chatEndpoints.getConversation, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
})

/** The messages of a colleague's conversation, newest page first; every look is in the audit log (rules §7). */
export const othersMessagesQuery = (conversationId: string) =>
  infiniteQueryOptions({
    queryKey: ['chat', 'others', conversationId],
    queryFn: ({ pageParam }: { readonly pageParam: number | undefined }) =>
      chatApi.loadMessages(conversationId, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ messages, hasMore }) => (hasMore ? messages[0]?.seq : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Messages in own conversations that contain the text, with or without accents. */
export const foundMessagesQuery = (text: string) => ({
  ...endpointQuery(['chat'], chatEndpoints.searchMessages, { query: { text, limit: 20 } }),
  enabled: text.length > 1,
})

/** Claims a conversation, or hands over an own one; the server compares the holder on screen with the current one. */
export const changeHolder = (id: string, fromId: string, toId: string): Promise<Conversation> =>
  callEndpoint(chatEndpoints.changeHolder, { params: { id }, body: { fromId, toId } })

/** The own conversation with a customer, made if there is none. */
export const openConversationWith = (participantId: string): Promise<Conversation> =>
  callEndpoint(chatEndpoints.openConversation, { body: { participantId } })
