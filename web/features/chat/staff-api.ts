/** Calls that only staff make, separate from api.ts so that a player's chat does not load them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { chatEndpoints } from '#contract/chat.ts'
import type { ChatMessage, Conversation } from '#domain/chat/conversation.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { chatApi, conversationsPerPage } from './api.ts'

/** All conversations whose player's name contains the text; conversations of colleagues can be claimed. */
export const everyConversationQuery = (username: string) =>
  queryOptions({
    queryKey: ['chat', 'all', username],
    queryFn: async ({ signal }): Promise<Conversation[]> => {
      const query = { scope: 'all', limit: conversationsPerPage, ...(username !== '' && { username }) } as const
      const { rows } = await callEndpoint(chatEndpoints.listConversations, { query, signal })
      return rows
    },
  })

/** One conversation, whoever holds it: staff may read and claim every one. */
export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['chat', 'one', id],
    queryFn: ({ signal }): Promise<Conversation> =>
      callEndpoint(chatEndpoints.getConversation, { params: { id }, signal }),
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
export const foundMessagesQuery = (text: string) =>
  queryOptions({
    queryKey: ['chat', 'search', text],
    queryFn: ({ signal }): Promise<ChatMessage[]> =>
      callEndpoint(chatEndpoints.searchMessages, { query: { text, limit: 20 }, signal }),
    enabled: text.length > 1,
  })

/** Claims a conversation, or hands over an own one; the server compares the holder on screen with the current one. */
export const changeHolder = (id: string, fromId: string, toId: string): Promise<Conversation> =>
  callEndpoint(chatEndpoints.changeHolder, { params: { id }, body: { fromId, toId } })

/** The own conversation with a customer, made if there is none. */
export const openConversationWith = (participantId: string): Promise<Conversation> =>
  callEndpoint(chatEndpoints.openConversation, { body: { participantId } })
