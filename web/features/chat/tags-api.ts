/** The query for tags, and what is refetched with it (docs/rules.md §7.18). */
import { chatTagEndpoints } from '#contract/chat-tags.ts'
import type { Conversation } from '#domain/chat/conversation.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { conversationQuery, everyConversationKey } from './staff-api.ts'

const tagsKey = ['chat', 'tags'] as const

export const tagsQuery = { ...endpointQuery(tagsKey, chatTagEndpoints.listTags, {}), staleTime: 60_000 }

/** Updates an open sheet. One that shows a conversation which was merged goes on with the new conversation. */
export function showInSheet(conversation: Conversation): void {
  for (const id of [conversation.id, ...(conversation.mergedFrom ?? [])])
    queryClient.setQueriesData({ queryKey: conversationQuery(id).queryKey }, conversation)
}

/** Refetches the list of all conversations and the tag counts. */
export const refreshElsewhere = (): void => void refresh(everyConversationKey, tagsKey)
