import * as z from 'zod/mini'
import { ALERTS, ATTENTION_KINDS } from '#domain/attention/attention.ts'
import { FEED_CLOSED_REASONS } from '#domain/market/feed-state.ts'
import { STOP_WHYS } from './book-status.ts'
import { amount, answer, instant, person, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { proposalKind } from './proposals.ts'

/**
 * Why an alarm is on. Of the ledger: `CLOSED`, a check found a fault; `UNCHECKED`, no check has ended well lately. Of
 * the price feed: the `FEED_CLOSED_REASONS`; `SILENT`, no second gets a row, with or without a price; `CLOCK`, the
 * database's time is not known. Of the open book: the `STOP_WHYS`, which include `SILENT` as well.
 */
export const ALARM_WHYS = [
  ...(['CLOSED', 'UNCHECKED'] as const),
  ...FEED_CLOSED_REASONS,
  ...(['SILENT', 'CLOCK'] as const),
  ...STOP_WHYS.filter((why) => why !== 'SILENT'),
] as const
export type AlarmWhy = (typeof ALARM_WHYS)[number]

export const NAMED_MAX = 20

/**
 * A person or matter that waits for staff; `owner` is the player. A conversation has neither `moves` nor `amountMinor`.
 * `amountMinor` is negative for an adjustment that takes points away.
 */
export const waiting = answer(() => ({
  id: ['_id', text],
  owner: ['author', person],
  atMs: ['since', instant],
  moves: ['type', z.nullable(proposalKind)],
  amountMinor: ['money', z.nullable(amount)],
  proposedById: ['proposedBy', z.nullable(text)],
}))
export type Waiting = z.output<typeof waiting>

/** Only an alarm has a `why`, and its `count` is 1. `sinceMs` is the start of the longest wait; `newest` has the newest 20. */
export const attentionItem = answer(() => ({
  kind: z.enum(ATTENTION_KINDS),
  count: z.int(),
  sinceMs: ['since', z.nullable(instant)],
  why: z.nullable(z.enum(ALARM_WHYS)),
  newest: z.array(waiting),
}))
export type AttentionItem = z.output<typeof attentionItem>

/** Players whose results chance alone hardly explains (rules §6.12): the least likely results first, at most 20 players. */
const luck = answer(() => ({
  lookedAtMs: ['lookedAt', z.nullable(instant)],
  players: z.int(),
  flags: z.array(answer(() => ({ player: ['userId', person], won: z.int(), decided: z.int() }))),
}))

const alertList = z.array(z.enum(ALERTS))

export const attention = answer(() => ({
  items: z.array(attentionItem),
  luck,
  muted: alertList,
  serverTimeMs: ['serverTime', instant],
}))
export type Attention = z.output<typeof attention>

export const attentionEndpoints = {
  attention: endpoint('GET', '/api/v1/attention', 'staff', {
    data: attention,
    summary: 'What staff have to look at, the most urgent first, and what the signed-in admin is told of',
  }),
  setMuted: endpoint('PUT', '/api/v1/attention/muted', 'staff', {
    body: request(() => ({ muted: alertList.check(z.maxLength(ALERTS.length)) })),
    data: answer(() => ({ muted: alertList })),
    summary: 'Choose what the bell and the desktop do not tell oneself',
  }),
} as const
