import * as z from 'zod/mini'
import { SATISFACTION_TEXT_MAX } from '#domain/chat/case.ts'
import { caseTopic, conversation } from './chat.ts'
import { answer, request, text, words } from './codecs.ts'
import { endpoint } from './endpoint.ts'

const satisfaction = words({ good: 'GOOD', bad: 'BAD' })

export const careCaseEndpoints = {
  changeTopic: endpoint('PUT', '/api/v1/chat/conversations/{id}/topic', 'staff:care', {
    body: request(() => ({ topic: z.nullable(caseTopic) })),
    data: conversation,
    refusals: ['CONVERSATION_NOT_FOUND', 'HOLDER_CHANGED', 'NOT_FOUND'],
    summary: 'Say what the last case of an own conversation is about',
  }),
  readCaseQuestion: endpoint('GET', '/api/v1/chat/conversations/{id}/case-question', 'player', {
    data: answer(() => ({
      isAsked: z.boolean(),
      /** Seq of the conversation's last message. The question ends when the player writes a later message. */
      lastSeq: z.int(),
    })),
    refusals: ['CONVERSATION_NOT_FOUND'],
    summary: 'Whether the player of a conversation is asked if customer care helped',
  }),
  rateCase: endpoint('POST', '/api/v1/chat/conversations/{id}/satisfaction', 'player', {
    body: request(() => ({
      satisfaction: z.nullable(satisfaction),
      text: text.check(z.maxLength(SATISFACTION_TEXT_MAX)),
    })),
    refusals: ['CONVERSATION_NOT_FOUND', 'NOT_ASKED'],
    summary: 'Answer once whether customer care helped, or close the question',
  }),
} as const
