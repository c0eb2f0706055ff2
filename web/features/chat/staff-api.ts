/** What staff alone ask for, apart from api.ts: a player's chat loads none of it. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { chatEndpoints } from '#contract/chat.ts'
import type { ChatMessage, Conversation } from '#domain/chat/conversation.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { chatApi, conversationsPerPage } from './api.ts'

/** Everybody's conversations whose player's name holds the text; those that others hold can be claimed. */
export const everyConversationQuery = (username: string) =>
  queryOptions({
    queryKey: ['chat', 'all', username],
    queryFn: async ({ signal }): Promise<Conversation[]> => {
      const query = { scope: 'all', limit: conversationsPerPage, ...(username !== '' && { username }) } as const
      const { rows } = await callEndpoint(chatEndpoints.listConversations, { query, signal })
      return rows
    },
  })

/** What a colleague's conversation says, the newest page first; every look is in the audit log (rules §7). */
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

/** Messages of own conversations that hold the text, with accents or without. */
export const foundMessagesQuery = (text: string) =>
  queryOptions({
    queryKey: ['chat', 'search', text],
    queryFn: ({ signal }): Promise<ChatMessage[]> =>
      callEndpoint(chatEndpoints.searchMessages, { query: { text, limit: 20 }, signal }),
    enabled: text.length > 1,
  })

/** Claims a conversation, or hands an own one over; compared with the holder that was seen. */
export const changeHolder = (id: string, fromId: string, toId: string): Promise<Conversation> =>
  callEndpoint(chatEndpoints.changeHolder, { params: { id }, body: { fromId, toId } })
