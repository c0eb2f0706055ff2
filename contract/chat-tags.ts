import * as z from 'zod/mini'
import { TAGS_MAX } from '#domain/chat/tags.ts'
import { conversation } from './chat.ts'
import { request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

const givenTags = z.array(text.check(z.maxLength(200))).check(z.maxLength(TAGS_MAX))

/** Kept out of contract/chat.ts, because every player loads that file and only staff make these calls. */
export const chatTagEndpoints = {
  changeTags: endpoint('PUT', '/api/v1/chat/conversations/{id}/tags', 'staff:care', {
    body: request(() => ({ add: givenTags, remove: givenTags })),
    data: conversation,
    refusals: ['CONVERSATION_NOT_FOUND', 'TAG_INVALID', 'TOO_MANY_TAGS'],
    summary: 'Add tags to a conversation, whoever holds it, and take tags away',
  }),
  listTags: endpoint('GET', '/api/v1/chat/tags', 'staff:care', {
    data: z.array(z.object({ tag: text, conversations: z.int() })),
    summary: 'The tags in use, the most frequent first, with how many conversations have each',
  }),
} as const
