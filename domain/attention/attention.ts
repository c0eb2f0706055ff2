import type { Capability } from '../identity/permissions.ts'

/** The matters that staff have to look at, the most urgent first (rules §6.12). */
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

export const ALERTS = ['request', 'conversation', 'mention', 'proposal', 'alarm'] as const
export type Alert = (typeof ALERTS)[number]

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

/** The capability that an admin needs to act on an alert, and so to get it. Null: every admin may get the alert. */
export const ALERT_NEEDS: Readonly<Record<Alert, Capability | null>> = {
  request: 'money',
  conversation: 'care',
  mention: 'care',
  proposal: 'money',
  alarm: null,
}

export const isOverdue = (kind: AttentionKind): boolean =>
  ALERT_OF[kind] === 'alarm' || kind === 'conversation' || kind === 'dispute'

export const REPLY_DUE_MS = 5 * 60_000
export const DISPUTE_DUE_DAYS = 3
/** Staff are alerted if no check of the ledger has ended without a fault for this long (rules §6.12). */
export const LEDGER_CHECK_DUE_MS = 5 * 60_000
export const FEED_ALARM_AFTER_MS = 30_000
