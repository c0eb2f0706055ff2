/*
 * Everything that a checker of the public log can find wrong (docs/open-book.md §2 to §4), each under one name. Every
 * screen or command that shows faults has a sentence for each.
 */

const TRANSPORT_FAULTS = [
  'log-key',
  'note-form',
  'note-signature',
  'note-forked',
  /** For 60 s all notes were smaller than one that was seen before. */
  'note-stale',
  'tile-hash',
  'bundle-form',
  'entry-hash',
  /** Also where the extra part is no salt with an opening. */
  'proof-form',
  'proof-path',
  'last-not-beat',
  'receipt-missing',
  'receipt-form',
  'receipt-entry',
  'seeds-page',
  'status-page',
] as const

const ENTRY_FAULTS = [
  'entry-form',
  'beat-falls',
  /** Also where a later log begins with something else. */
  'restart-place',
  'rules-missing',
  'seed-twice',
  'seed-unknown',
  'seed-early',
  'seed-commitment',
  'seed-start',
  'seed-overdue',
  'act-form',
  'four-eyes',
  'bet-reference',
  'dispute-order',
  'two-prices',
  'two-ages',
] as const

const ROUND_FAULTS = [
  'round-twice',
  /** An entry of a round that has no `round` entry before it, or that is closed already. */
  'round-unknown',
  'off-calendar',
  'round-time',
  'attempt',
  'round-before-seed',
  'announce-twice',
  'announce-late',
  /** Announced for a round whose result or end stands before it, or that staff deleted. */
  'announce-order',
  /** `closed` does not open the announcement, or opens one that there was not. */
  'announce-opening',
  'result-twice',
  'result-missing',
  'result-of-deleted',
  'bet-after-result',
  'bet-after-delete',
  'closed-twice',
  'closed-early',
  'overdue',
  'deleted-unsaid',
  'deleted-ignored',
  'ticks-form',
  'tick-missing',
  'tick-off-path',
  'result',
  'result-by',
  /** Evidence out of order, for a second that decided nothing, or in a simulated round. */
  'evidence',
  'evidence-bytes',
] as const

const LINE_FAULTS = [
  'line-form',
  'line-missing',
  'line-extra',
  'lines-root',
  'commitment',
  'salt',
  'bet-id-twice',
  'bet-time',
  'bet-entry-time',
  'entry-from',
  'stake',
  'price-after-announce',
  'admin-before-announce',
  'script',
  'status',
  'void-reason',
  'entry-second',
  'entry-price',
  'exit-price',
  'profit',
  'totals',
] as const

const PROMISE_FAULTS = ['promise-signature', 'promise-text', 'promise-path', 'promise-unkept'] as const

export const FAULT_KINDS = [
  ...TRANSPORT_FAULTS,
  ...ENTRY_FAULTS,
  ...ROUND_FAULTS,
  ...LINE_FAULTS,
  ...PROMISE_FAULTS,
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  readonly kind: FaultKind
  readonly index: number | null
  readonly round: string | null
  /** The value that differs, in the log's units: as it has to be, and as it is. */
  readonly expected?: string | number | null
  readonly found?: string | number | null
}
