import type { Capability } from '../identity/permissions.ts'

/**
 * Everything that staff have to look at (rules §6.12), the most urgent first. While the books are closed nobody can
 * play or be paid; without a price no bet can be placed; while nothing is signed the open book proves nothing. Then
 * come people who wait: those who wait for an answer this minute before colleagues, and those before people who wait
 * for points. Then matters that have days, and last those that may mean nothing.
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

/** The alerts that the bell and the desktop show to staff; each admin can switch each of them off. */
export const ALERTS = ['request', 'conversation', 'mention', 'proposal', 'alarm'] as const
export type Alert = (typeof ALERTS)[number]

/** The alert that announces each kind; null for a kind that only the overview shows. */
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

/**
 * The capability that an admin needs to get an alert, since only those who can act on it get it; null for alarms, which
 * every admin gets. Reading on the overview needs none of them.
 */
export const ALERT_NEEDS: Readonly<Record<Alert, Capability | null>> = {
  request: 'money',
  conversation: 'care',
  mention: 'care',
  proposal: 'money',
  alarm: null,
}

/**
 * Whether a matter is past the time that its kind has: alarms, people who wait too long, disputes that are due. Only
 * these are red.
 */
export const isOverdue = (kind: AttentionKind): boolean =>
  ALERT_OF[kind] === 'alarm' || kind === 'conversation' || kind === 'dispute'

/** A player's message waits this long for an answer before staff are alerted. */
export const REPLY_DUE_MS = 5 * 60_000
/** A dispute is open for this many days before staff are alerted. */
export const DISPUTE_DUE_DAYS = 3
/** The books are verified each minute. After this long without a verification that found nothing, staff are alerted. */
export const LEDGER_CHECK_DUE_MS = 5 * 60_000
/** A feed that fails for a moment is shown, but nobody is called for it. */
export const FEED_ALARM_AFTER_MS = 30_000
