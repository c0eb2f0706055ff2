import * as z from 'zod/mini'
import { caseTopic } from './chat.ts'
import { answer, instant, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** The text for players while customer care is closed; `opensAtMs` is null if no day is open (rules §7.17). */
const away = answer(() => ({ text, opensAtMs: ['opensAt', z.nullable(instant)] }))
export type Away = z.output<typeof away>

/** Kept out of contract/chat.ts, which every screen of a player loads. */
export const replyTimeEndpoints = {
  readReplyTime: endpoint('GET', '/api/v1/chat/reply-time', 'player', {
    data: answer(() => ({
      usualMs: z.nullable(z.int()),
      byTopic: z.optional(z.array(answer(() => ({ topic: caseTopic, usualMs: z.int() })))),
      away: z.optional(away),
    })),
    summary: 'How long players usually waited for a reply of customer care, and when it opens again',
  }),
} as const
