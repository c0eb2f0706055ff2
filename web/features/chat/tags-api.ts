/** The queries for tags and for the desk's filter by tag or topic (docs/rules.md §7.18). */
import { chatEndpoints } from '#contract/chat.ts'
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { conversationsPerPage } from './api.ts'
import { askedBy, conversationQuery, everyConversationKey } from './staff-api.ts'

const tagsKey = ['chat', 'tags'] as const

export const tagsQuery = { ...endpointQuery(tagsKey, chatTagEndpoints.listTags, {}), staleTime: 60_000 }

/**
 * Fetches the admin's own conversations that match the desk's filter, also those too old for the chat session to load.
 * Not cached: the chat session stores these conversations, and in a cached answer the holder may be wrong by now.
 */
export const filteredQuery = (filter: string) => ({
  ...endpointQuery(
    ['chat', 'filtered'],
    chatEndpoints.listConversations,
    { query: { ...askedBy(filter), limit: conversationsPerPage } },
    ({ rows }) => rows,
  ),
  gcTime: 0,
})

/** Updates what is not in the session: the list of all holders' conversations, a sheet of this one, and tag counts. */
export function showElsewhere(conversation: Conversation): void {
  queryClient.setQueriesData({ queryKey: conversationQuery(conversation.id).queryKey }, conversation)
  void refresh(everyConversationKey, tagsKey)
}
