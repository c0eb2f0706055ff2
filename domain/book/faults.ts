/* The faults that a check of the public log can find, by the step of the check (docs/open-book.md §2 to §4). */

export const FAULTS_OF = {
  note: [
    'log-key',
    'note-form',
    'note-signature',
    'note-forked',
    /** The host keeps serving a note with fewer entries than a note seen before. */
    'note-stale',
    'status-page',
    /** The proof is malformed, or its extra part is not a salt followed by an opening. */
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
    /** A `restart` is not the first entry of its log, or a log's first entry does not hold the older log's note. */
    'restart-place',
    'act-form',
    'four-eyes',
    'bet-reference',
    'dispute-order',
  ],
  rounds: [
    'round-twice',
    /** An entry whose round has no earlier `round` entry, or has a `closed` entry over 256 closed rounds earlier. */
    'round-unknown',
    'off-calendar',
    'round-time',
    'attempt',
    'round-before-seed',
    'announce-twice',
    'announce-late',
    /** The announcement follows the round's `result`, `closed` or deletion. */
    'announce-order',
    /** `closed` does not open the round's announcement, or opens one that does not exist. */
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
    /** Evidence is out of order, is of a simulated round, or is for a second that has no price or decided nothing. */
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

export interface Fault {
  readonly kind: FaultKind
  readonly index: number | null
  readonly round: string | null
  /** The right value, and the one that was found, both in the units of the log. */
  readonly expected?: string | number | null | undefined
  readonly found?: string | number | null | undefined
}
