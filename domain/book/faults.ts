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
  /** Another length than asked for, or a hash that leads to another root. */
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
  /** Another commitment, seed or start price than the log, or a day of it missing. */
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
  /** A `money.confirm` without a `money.propose` of the same amount by another admin in the 24 hours before. */
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
  /** Deleted without a `round.delete` at least 10 s before the end. */
  'deleted-unsaid',
  'deleted-ignored',
  'ticks-form',
  'tick-missing',
  'tick-off-path',
  'result',
  /** The log names another decider of the result than the true one. */
  'result-by',
  /** Evidence out of order, for a second that decided nothing, or in a simulated round. */
  'evidence',
  /** The signed quote of a decisive second is missing, or its bytes do not have the hash in `closed`. */
  'evidence-bytes',
] as const

const LINE_FAULTS = [
  'line-form',
  /** A bet's entry without a line, or more `bets` counted than there are. */
  'line-missing',
  /** A line without a bet's entry, twice, or out of the log's order. */
  'line-extra',
  'lines-root',
  'commitment',
  'salt',
  'bet-id-twice',
  'bet-time',
  'bet-entry-time',
  'entry-from',
  'stake',
  /** A bet that the price decides after the announcement. */
  'price-after-announce',
  /** A bet that staff's result decides before the announcement. */
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

/** A promise by the log's key (docs/open-book.md §3). */
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
