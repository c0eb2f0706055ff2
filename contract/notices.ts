import * as z from 'zod/mini'
import { BASES } from '#domain/game/bet.ts'
import { requestKind, requestStatus } from './cashier.ts'
import { amount, answer, askedInstant, instant, query, queryInt, request, text } from './codecs.ts'
import { disputeStatus } from './disputes.ts'
import { endpoint } from './endpoint.ts'
import { betDecision, roundFacts } from './game.ts'
import { PAGE_LIMIT_MAX } from './limits.ts'

/** The kinds of notices (rules §6.10). `device`: a new device of an admin. `factor`: a changed factor. */
export const NOTICE_KINDS = [
  'bet',
  'request',
  'care',
  'adjustment',
  'dispute',
  'round',
  'limit',
  'device',
  'factor',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const NOTICE_DAYS = 90
export const UNREAD_COUNTED_TO = 100
export const NOTICES_PER_PAGE = 20

/** One notice. Of the nine fields from `bet` to `factor`, only the one that belongs to `kind` is set. */
export const notice = answer(() => ({
  id: ['_id', text],
  kind: z.enum(NOTICE_KINDS),
  atMs: ['at', instant],
  isRead: z.boolean(),
  bet: z.nullable(
    answer(() => ({
      id: ['_id', text],
      ...roundFacts,
      ...betDecision,
      profitMinor: ['profit', amount],
    })),
  ),
  request: z.nullable(
    answer(() => ({
      id: ['_id', text],
      kind: ['type', requestKind],
      status: requestStatus,
      amountMinor: ['money', amount],
      decidedBy: text,
      rejectionReason: z.nullable(text),
    })),
  ),
  care: z.nullable(answer(() => ({ conversationId: text, sender: text, unreadCount: z.int() }))),
  adjustment: z.nullable(
    answer(() => ({
      deltaMinor: ['walletDelta', amount],
      balanceAfterMinor: ['balanceAfter', amount],
      actor: text,
      note: z.nullable(text),
    })),
  ),
  dispute: z.optional(
    z.nullable(
      answer(() => ({
        betId: text,
        ...roundFacts,
        status: disputeStatus,
        answer: text,
        correctionMinor: ['correction', z.nullable(amount)],
      })),
    ),
  ),
  round: z.nullable(answer(() => ({ betId: text, ...roundFacts, basis: z.enum(BASES) }))),
  limit: z.nullable(z.enum(['stake', 'loss'])),
  device: z.optional(z.nullable(answer(() => ({ ip: z.nullable(text) })))),
  factor: z.optional(
    z.nullable(
      answer(() => ({
        change: z.enum(['added', 'removed', 'reset', 'undone', 'codes']),
        name: z.nullable(text),
      })),
    ),
  ),
}))
export type Notice = z.output<typeof notice>

/** The end of a page: the instant in Unix ms and the id of the page's last notice. */
const cursor = text.check(z.regex(/^\d{1,13}_[a-z]+:[\w:.-]{1,100}$/))

const noticesPage = answer(() => ({
  notices: ['notifications', z.array(notice)],
  next: z.nullable(text),
  /** Number of unread notices of all kinds, counted to 100. */
  unread: z.int(),
  /** No notice up to this instant can be missing, so a client may mark notices as read up to it. */
  completeToMs: ['completeTo', instant],
}))
export type NoticesPage = z.output<typeof noticesPage>

export const noticeEndpoints = {
  notices: endpoint('GET', '/api/v1/user/notifications', 'own-data', {
    query: query(() => ({
      kind: z.optional(z.enum(NOTICE_KINDS)),
      after: z.optional(cursor),
      limit: z.optional(queryInt.check(z.refine((limit) => limit >= 1 && limit <= PAGE_LIMIT_MAX))),
    })),
    data: noticesPage,
    summary: 'Own notices of the last 90 days, newest first, and how many are unread',
  }),
  readNotices: endpoint('POST', '/api/v1/user/notifications/read', 'player', {
    body: request(() => ({ upToMs: ['upTo', askedInstant] })),
    data: answer(() => ({ unread: z.int() })),
    summary: 'Mark own notices as read up to the completeTo of an answer',
  }),
} as const
