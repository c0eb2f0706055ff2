/*
 * Everything that a checker of the public log can find wrong (docs/open-book.md §2 to §4), each under one name. Every
 * screen or command that shows faults has a sentence for each.
 */

/** By the step of a check to which they belong. */
export const FAULTS_OF = {
  note: [
    'log-key',
    'note-form',
    'note-signature',
    'note-forked',
    /** For 60 s all notes were smaller than one that was seen before. */
    'note-stale',
    'status-page',
    /** Also where the extra part is no salt with an opening. */
    'proof-form',
    'proof-path',
  ],
  entries: [
    'tile-hash',
    'bundle-form',
    'entry-hash',
    'last-not-beat',
    'entry-form',
    'beat-falls',
    /** Also where a later log begins with something else. */
    'restart-place',
    'act-form',
    'four-eyes',
    'bet-reference',
    'dispute-order',
  ],
  rounds: [
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
    'result',
    'result-by',
    /** Evidence out of order, for a second that decided nothing, or in a simulated round. */
    'evidence',
    'evidence-bytes',
    'rules-missing',
  ],
  bets: [
    'receipt-missing',
    'receipt-form',
    'receipt-entry',
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
    'promise-signature',
    'promise-text',
    'promise-path',
    'promise-unkept',
  ],
  prices: [
    'seeds-page',
    'tick-missing',
    'tick-off-path',
    'two-prices',
    'two-ages',
    'seed-twice',
    'seed-unknown',
    'seed-early',
    'seed-commitment',
    'seed-start',
    'seed-overdue',
  ],
} as const
export type CheckStep = keyof typeof FAULTS_OF
export type FaultKind = (typeof FAULTS_OF)[CheckStep][number]
export const FAULT_KINDS: readonly FaultKind[] = Object.values(FAULTS_OF).flat()

export interface Fault {
  readonly kind: FaultKind
  readonly index: number | null
  readonly round: string | null
  /** The value that differs, in the log's units: as it has to be, and as it is. */
  readonly expected?: string | number | null | undefined
  readonly found?: string | number | null | undefined
}
