import * as z from 'zod/mini'
import type { PushKind } from '#domain/push/push.ts'
import { answer, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** The text of a push and the address that it opens. web/service-worker.js reads exactly these fields. */
export interface PushMessage {
  readonly title: string
  readonly body: string
  readonly path: string
  /** A new notification replaces a shown one that has the same tag. */
  readonly tag: string
}

const message = (tag: PushKind, body: string, path: string): PushMessage => ({ title: 'Kim Phiên', body, path, tag })

/** The texts of pushes, the same for everybody (rules §6.9). */
export const pushMessages: Readonly<Record<PushKind, PushMessage>> = {
  'request-decided': message('request-decided', 'Một yêu cầu của bạn đã được xử lý.', '/transaction'),
  'care-replied': message('care-replied', 'Chăm sóc khách hàng đã trả lời bạn.', '/support'),
  'points-adjusted': message('points-adjusted', 'Điểm của bạn vừa được điều chỉnh.', '/account/ledger'),
}

const timeOfDay = z.codec(text.check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)), z.int(), {
  decode: (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)),
  encode: (minute) => [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'),
})

const preferences = {
  kinds: answer(() => ({
    'request-decided': ['requestDecided', z.boolean()],
    'care-replied': ['careReplied', z.boolean()],
    'points-adjusted': ['pointsAdjusted', z.boolean()],
  })),
  quiet: ['quietHours', z.nullable(answer(() => ({ fromMinute: ['from', timeOfDay], toMinute: ['to', timeOfDay] })))],
  mayOffer: z.boolean(),
} as const

const pushState = answer(() => ({
  ...preferences,
  publicKey: text,
  endpoint: z.nullable(text),
}))
export type PushState = z.output<typeof pushState>

const subscription = {
  endpoint: text.check(z.maxLength(2_000)),
  p256dh: text.check(z.maxLength(200)),
  authSecret: ['auth', text.check(z.maxLength(100))],
} as const

export const pushEndpoints = {
  readPush: endpoint('GET', '/api/v1/push', 'player', {
    data: pushState,
    summary: 'Own preferences for pushes, and whether this session gets any',
  }),
  setPush: endpoint('PUT', '/api/v1/push', 'player', {
    body: request(() => preferences),
    data: pushState,
    refusals: ['QUIET_HOURS_EMPTY'],
    summary: 'Change which pushes are sent, and when none is',
  }),
  subscribe: endpoint('PUT', '/api/v1/push/subscription', 'player', {
    body: request(() => subscription),
    data: pushState,
    refusals: ['PUSH_ENDPOINT_INVALID'],
    summary: 'Send pushes to the browser of this session',
  }),
  unsubscribe: endpoint('DELETE', '/api/v1/push/subscription', 'player', {
    data: pushState,
    summary: 'Send no more pushes to the browser of this session',
  }),
  /**
   * Called by a service worker, which has no token, after the browser replaced a subscription. Without the old
   * subscription's secret, nothing changes, but the answer is the same as after a change (rules §6.9).
   */
  renewSubscription: endpoint('POST', '/api/v1/push/renewal', 'public', {
    body: request(() => ({
      ...subscription,
      oldEndpoint: text.check(z.maxLength(2_000)),
      oldAuthSecret: ['oldAuth', text.check(z.maxLength(100))],
    })),
    refusals: ['PUSH_ENDPOINT_INVALID'],
    summary: 'Replace a subscription that the browser replaced',
  }),
} as const
