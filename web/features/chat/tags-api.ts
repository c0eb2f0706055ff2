/** The queries for tags, and for staff's list of conversations by tag or topic (docs/rules.md §7.18). */
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
 * Fetches the admin's own conversations that match the filter, also those too old for the loaded list. The answer is
 * not cached, since a conversation in it may get another holder at any time.
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

/** Updates an open sheet. One that shows a conversation which was merged goes on with the new conversation. */
export function showInSheet(conversation: Conversation): void {
  for (const id of [conversation.id, ...(conversation.mergedFrom ?? [])])
    queryClient.setQueriesData({ queryKey: conversationQuery(id).queryKey }, conversation)
}

/** Refetches the list of all conversations and the tag counts. */
export const refreshElsewhere = (): void => void refresh(everyConversationKey, tagsKey)
