import * as z from 'zod/mini'
import { ALERTS, ATTENTION_KINDS } from '#domain/attention/attention.ts'
import { FEED_CLOSED_REASONS } from '#domain/market/feed-state.ts'
import { STOP_WHYS } from './book-status.ts'
import { amount, answer, instant, person, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { proposalKind } from './proposals.ts'

/**
 * The reasons of alarms. Ledger: `CLOSED` (a check found a fault), `UNCHECKED` (no check has ended without a fault
 * lately). Price feed: `FEED_CLOSED_REASONS`, `SILENT` (no ticks are written), `CLOCK` (the database's time is not
 * known). Open book: `STOP_WHYS`.
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
 * A request, a conversation or a proposal that waits for staff. `owner` is the player. For a conversation, `moves` and
 * `amountMinor` are null. `amountMinor` is negative if an adjustment takes points away.
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

/**
 * `why`: the reason of an alarm, else null. `sinceMs`: when the alarm or the longest wait began; for the kind `luck`,
 * when players' results were last searched (`lookedAtMs`).
 */
export const attentionItem = answer(() => ({
  kind: z.enum(ATTENTION_KINDS),
  count: z.int(),
  sinceMs: ['since', z.nullable(instant)],
  why: z.nullable(z.enum(ALARM_WHYS)),
  newest: z.array(waiting),
}))
export type AttentionItem = z.output<typeof attentionItem>

/**
 * The last search for players whose results chance hardly explains (rules §6.12). `players`: how many were examined.
 * `flags`: the players that were found, at most 20.
 */
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
