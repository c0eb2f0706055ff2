import * as z from 'zod/mini'
import { conversation } from './chat.ts'
import { id, request } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** Kept out of contract/chat.ts, because every player loads that file and only staff make these calls. */
export const chatMergeEndpoints = {
  listOfCustomer: endpoint('GET', '/api/v1/chat/conversations/{id}/customer/conversations', 'staff:care', {
    data: z.array(conversation),
    refusals: ['CONVERSATION_NOT_FOUND'],
    summary: 'All conversations of the same player that hold a message, the latest first, at most 50',
  }),
  mergeConversations: endpoint('POST', '/api/v1/chat/conversations/{id}/merge', 'staff:care', {
    body: request(() => ({ otherId: ['conversationId', id] })),
    data: conversation,
    refusals: ['CONVERSATION_NOT_FOUND', 'HOLDER_CHANGED', 'MERGE_OTHER_PLAYER', 'MERGE_HELD'],
    summary: 'Make one conversation of an own one and another of the same player',
  }),
} as const
