import * as z from 'zod/mini'
import { ALERTS, ATTENTION_KINDS } from '#domain/attention/attention.ts'
import { FEED_CLOSED_REASONS } from '#domain/market/feed-state.ts'
import { STOP_WHYS } from './book-status.ts'
import { amount, answer, instant, person, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { proposalKind } from './proposals.ts'

/**
 * Why an alarm is on. For the books, `CLOSED`: a check found something and money acts are refused; `UNCHECKED`: no
 * check has ended well lately. For the feed, the reasons why live rounds take no bets, with `SILENT`: no second is
 * priced or noted, and `CLOCK`: the time of the database is not known. For the open book, the reasons of its own
 * status.
 */
export const ALARM_WHYS = [
  ...(['CLOSED', 'UNCHECKED'] as const),
  ...FEED_CLOSED_REASONS,
  ...(['SILENT', 'CLOCK'] as const),
  ...STOP_WHYS.filter((why) => why !== 'SILENT'),
] as const
export type AlarmWhy = (typeof ALARM_WHYS)[number]

/** At most this many of those who wait are listed, the newest first. */
export const NAMED_MAX = 20

/** One request, conversation or proposal among those that wait. */
export const waiting = answer(() => ({
  id: ['_id', text],
  /** The player of the request or conversation. */
  owner: ['author', person],
  atMs: ['since', instant],
  /** For a request or proposal: its kind and amount; negative where an adjustment takes points away. */
  moves: ['type', z.nullable(proposalKind)],
  amountMinor: ['money', z.nullable(amount)],
  /** The admin who proposed it; null for anything but a proposal. */
  proposedById: ['proposedBy', z.nullable(text)],
}))
export type Waiting = z.output<typeof waiting>

/** Something that staff have to look at, and since when; for several, since when the oldest has waited. */
export const attentionItem = answer(() => ({
  kind: z.enum(ATTENTION_KINDS),
  /** 1 for an alarm. */
  count: z.int(),
  sinceMs: ['since', z.nullable(instant)],
  /** Only for alarms. */
  why: z.nullable(z.enum(ALARM_WHYS)),
  /** For requests, conversations and proposals: the newest 20. */
  newest: z.array(waiting),
}))
export type AttentionItem = z.output<typeof attentionItem>

/** Players whose bets did not go as chance alone has them go (rules §6.12). A flag changes nothing. */
const luck = answer(() => ({
  /** When this server last looked; null until it has. */
  lookedAtMs: ['lookedAt', z.nullable(instant)],
  /** How many players were compared: those with enough bets that the price decided. */
  players: z.int(),
  /** The least likely first; of more than 20 the rest is counted in the item alone. */
  flags: z.array(answer(() => ({ player: ['userId', person], won: z.int(), decided: z.int() }))),
}))

const alertList = z.array(z.enum(ALERTS))

export const attention = answer(() => ({
  /** The most urgent first. */
  items: z.array(attentionItem),
  luck,
  /** The alerts that the signed-in admin has switched off. */
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
