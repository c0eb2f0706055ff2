import { chatEndpoints } from '#contract/chat.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

/**
 * Searches the messages of all conversations, with or without accents (docs/rules.md §7.5). The audit log records each
 * call, so an answer is not fetched again because of its age or a new connection. The finder makes the same query. If
 * the finder then opens the desk, the desk reuses the answer.
 */
export const foundMessagesQuery = (text: string) => ({
  ...endpointQuery(['chat'], chatEndpoints.searchMessages, { query: { text, limit: 20 } }),
  enabled: text.length > 1,
  staleTime: 'static' as const,
  gcTime: 10_000,
})
