import * as z from 'zod/mini'
import { CAPACITY_MAX, type Duty } from '#domain/chat/queue.ts'
import { answer, request } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** The signed-in admin's duty. An admin with `capacity` open conversations is given no more (rules §7.13). */
const duty: z.ZodMiniType<Duty> = answer(() => ({ isOnDuty: ['onDuty', z.boolean()], capacity: z.int() }))

/** Kept out of contract/chat.ts, because every player loads that file and only staff make these calls. */
export const careDutyEndpoints = {
  readDuty: endpoint('GET', '/api/v1/chat/duty', 'staff:care', {
    data: duty,
    summary: 'Whether one is on duty at the queue',
  }),
  setDuty: endpoint('PUT', '/api/v1/chat/duty', 'staff:care', {
    body: request(() => ({
      isOnDuty: ['onDuty', z.boolean()],
      capacity: z.int().check(z.minimum(1), z.maximum(CAPACITY_MAX)),
    })),
    data: duty,
    summary: 'Go on duty or off it: who is on duty is given conversations of the queue',
  }),
  noteActive: endpoint('POST', '/api/v1/chat/duty/activity', 'staff:care', {
    data: duty,
    summary: 'Say that one on duty is there; without it one is away after a while',
  }),
} as const
