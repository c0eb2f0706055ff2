/** Tags of conversations (docs/rules.md §7.18); apart from staff-api.ts, since a list is shown before it has them. */
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
 * The own conversations by a filter of the desk, also those that are older than the ones that the session loads. The
 * session takes each answer, and an earlier one may name what a colleague holds by now, so none is kept.
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

/** Shows the new state where a conversation is drawn outside of the session: colleagues' lists, a sheet. */
export function showElsewhere(conversation: Conversation): void {
  queryClient.setQueriesData({ queryKey: conversationQuery(conversation.id).queryKey }, conversation)
  void refresh(everyConversationKey, tagsKey)
}
