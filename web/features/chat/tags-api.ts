/** The queries of tags of conversations (docs/rules.md §7.18). They are not in staff-api.ts, so that the list can load first. */
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
 * The admin's own conversations that match the desk's filter, including older ones than the session loads. Answers are
 * not kept: the session takes each one, and an old one may hold conversations that now belong to a colleague.
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

/** Updates a conversation where it is shown outside of the session: in the list of colleagues' conversations and in a sheet. */
export function showElsewhere(conversation: Conversation): void {
  queryClient.setQueriesData({ queryKey: conversationQuery(conversation.id).queryKey }, conversation)
  void refresh(everyConversationKey, tagsKey)
}
