import { chatEndpoints } from '#contract/chat.ts'
import { finderEndpoints } from '#contract/finder.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export type { Found, FoundUser } from '#contract/finder.ts'

/** The answers may change, but not while somebody types. */
const foundStaleMs = 10_000

export const findQuery = (q: string) => ({
  ...endpointQuery(['admin'], finderEndpoints.find, { query: { q } }),
  staleTime: foundStaleMs,
})

/** The same query as the desk's, which takes over the answer: each search is recorded in the audit log (rules §7.5). */
export const foundMessagesQuery = (text: string) => ({
  ...endpointQuery(['chat'], chatEndpoints.searchMessages, { query: { text, limit: 20 } }),
  staleTime: foundStaleMs,
})
