import type { Capability } from '../identity/permissions.ts'

/**
 * What staff have to look at (rules §6.12), the most urgent first: while the books are closed nobody can play or be paid;
 * without a price no bet can be placed; while nothing is signed the open book proves nothing; then people who wait, those
 * who wait for an answer this minute before colleagues and those who wait for points; then what has days; and last what only may mean
 * something.
 */
export const ATTENTION_KINDS = [
  'ledger',
  'feed',
  'book',
  'conversation',
  'mention',
  'request',
  'proposal',
  'dispute',
  'luck',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

/** What staff are told of by the bell and on the desktop; each admin can switch each of them off. */
export const ALERTS = ['request', 'conversation', 'mention', 'proposal', 'alarm'] as const
export type Alert = (typeof ALERTS)[number]

/** What tells of it; null for what only the overview shows. */
export const ALERT_OF: Readonly<Record<AttentionKind, Alert | null>> = {
  ledger: 'alarm',
  feed: 'alarm',
  book: 'alarm',
  conversation: 'conversation',
  mention: 'mention',
  request: 'request',
  proposal: 'proposal',
  dispute: null,
  luck: null,
}

/** Who is told: whoever can act on it. Of an alarm every admin is. Reading needs none of them. */
export const ALERT_NEEDS: Readonly<Record<Alert, Capability | null>> = {
  request: 'money',
  conversation: 'care',
  mention: 'care',
  proposal: 'money',
  alarm: null,
}

/** What is past the time that its kind has: alarms, people who wait too long, disputes that are due. Red is theirs alone. */
export const isOverdue = (kind: AttentionKind): boolean =>
  ALERT_OF[kind] === 'alarm' || kind === 'conversation' || kind === 'dispute'

/** A player's message waits this long for an answer before staff are told. */
export const REPLY_DUE_MS = 5 * 60_000
/** A dispute is open for this many days before staff are told. */
export const DISPUTE_DUE_DAYS = 3
/** The books are verified each minute; after this long without a verification that found nothing staff are told. */
export const LEDGER_CHECK_DUE_MS = 5 * 60_000
/** A feed that fails for a moment is shown, but nobody is called for it. */
export const FEED_ALARM_AFTER_MS = 30_000
