/*
 * Everything that a checker of the public log can find wrong (docs/open-book.md §2 to §4), each under one name. Every
 * screen or command that shows faults has a sentence for each.
 */

/** Faults on the way here, or in the notes that the log signs. */
const TRANSPORT_FAULTS = [
  /** The log's key is not the one that was known, or is not written as a verifier key. */
  'log-key',
  /** Not a note with a checkpoint of this log in its only allowed spelling. */
  'note-form',
  /** No signature by the log's key. */
  'note-signature',
  /** Two notes of which neither tree begins with the other. */
  'note-forked',
  /** For 60 s all notes were smaller than one that was seen before. */
  'note-stale',
  /** A tile has another length than asked for, or a hash that leads to another root. */
  'tile-hash',
  /** A bundle is cut, or holds more or fewer entries than asked for. */
  'bundle-form',
  /** An entry of a bundle does not have the hash that the tree has at its place. */
  'entry-hash',
  /** A proof file that is not written as tlog-proof says, or whose extra part is no salt with an opening. */
  'proof-form',
  /** The path of a proof does not lead from its entry to the root that the log signed. */
  'proof-path',
  /** The log's last entry is no `beat`. */
  'last-not-beat',
  /** The public receipt of a round, or a page of its lines, is missing. */
  'receipt-missing',
  /** A receipt or a page of its lines is not written as docs/open-book.md §4 says. */
  'receipt-form',
  /** A receipt shows other entries for the round than the log. */
  'receipt-entry',
  /** The host's list of seeds shows another commitment, seed or start price than the log, or lacks a day of it. */
  'seeds-page',
  /** The host's state of the log shows another log, key, size or time than the signed note. */
  'status-page',
] as const

/** The form and the order of entries. */
const ENTRY_FAULTS = [
  /** Not an entry of its kind in its only allowed spelling. */
  'entry-form',
  /** A time earlier than that of the beat before. */
  'beat-falls',
  /** A `restart` that is not the first entry, or a later log that begins with something else. */
  'restart-place',
  /** A round without any `rules` before it. */
  'rules-missing',
  /** A second `seed` for a day, or a second opening. */
  'seed-twice',
  /** A `seed-open` without the day's `seed`. */
  'seed-unknown',
  /** A seed opened before its day was over. */
  'seed-early',
  /** A seed that does not hash to its commitment. */
  'seed-commitment',
  /** A day's path does not start at the last price of the day before. */
  'seed-start',
  /** A seed not opened although its day has been over for long. */
  'seed-overdue',
  /** An `act` lacks the round, the bet or the amount that its kind is about. */
  'act-form',
  /** A `money.confirm` without a `money.propose` of the same amount by another admin in the 24 hours before. */
  'four-eyes',
  /** An `act` or a `dispute` names an index at which no bet stands. */
  'bet-reference',
  /** A dispute that is decided without being open, or opened while it is open. */
  'dispute-order',
  /** Two prices for one second of one source. */
  'two-prices',
  /** Two ages for the price of one second of one source. */
  'two-ages',
] as const

const ROUND_FAULTS = [
  /** A second `round` with one id, or for one window and attempt. */
  'round-twice',
  /** An entry of a round that has no `round` entry before it, or that is closed already. */
  'round-unknown',
  /** A window, or a time to lock, that is not the calendar's. */
  'off-calendar',
  /** A round entered before its window began, or after its end. */
  'round-time',
  /** A further attempt at a window whose attempt before was not deleted. */
  'attempt',
  /** A simulated round before its day's `seed`. */
  'round-before-seed',
  'announce-twice',
  /** Announced with less than 10 s left, or before the round. */
  'announce-late',
  /** Announced for a round whose result or end stands before it, or that staff deleted. */
  'announce-order',
  /** `closed` does not open the announcement, or opens one that there was not. */
  'announce-opening',
  'result-twice',
  'result-missing',
  'result-of-deleted',
  /** A bet after its round's result. */
  'bet-after-result',
  /** A bet after staff deleted its round. */
  'bet-after-delete',
  'closed-twice',
  /** `closed` before the round's end. */
  'closed-early',
  /** No `closed` although the log went on for 60 s after the round's end. */
  'overdue',
  /** Deleted without a `round.delete` at least 10 s before the end. */
  'deleted-unsaid',
  /** Staff deleted the round, and it was settled nevertheless. */
  'deleted-ignored',
  /** Prices not one for each second, or ages that do not fit them. */
  'ticks-form',
  /** A simulated second without a price. */
  'tick-missing',
  /** A simulated price off the path of its day's seed. */
  'tick-off-path',
  /** The round's direction does not follow from its prices, or from the announcement. */
  'result',
  /** The log names another decider of the result than the true one. */
  'result-by',
  /** Evidence out of order, for a second that decided nothing, or in a simulated round. */
  'evidence',
  /** The signed quote of a decisive second is missing, or its bytes do not have the hash in `closed`. */
  'evidence-bytes',
] as const

/** Faults of the settled bets of one round. */
const LINE_FAULTS = [
  /** Not a settled line in its only allowed spelling. */
  'line-form',
  /** A bet's entry without a line, or more `bets` counted than there are. */
  'line-missing',
  /** A line without a bet's entry, twice, or out of the log's order. */
  'line-extra',
  /** The lines' root is not the one in `closed`. */
  'lines-root',
  /** Salt and opening do not hash to the sealed commitment. */
  'commitment',
  /** A salt that does not have 16 bytes. */
  'salt',
  /** Two bets of a round with one id. */
  'bet-id-twice',
  /** Accepted outside the time in which the round takes bets. */
  'bet-time',
  /** The entry's time is not the one of its opening. */
  'bet-entry-time',
  /** The earliest second of the entry is not the one after acceptance. */
  'entry-from',
  /** A stake that the rules forbid. */
  'stake',
  /** A bet that the price decides after the announcement. */
  'price-after-announce',
  /** A bet that staff's result decides before the announcement. */
  'admin-before-announce',
  /** A script without a scripted bet, or a scripted bet without one. */
  'script',
  'status',
  /** The reason for which a bet was voided is wrong. */
  'void-reason',
  'entry-second',
  'entry-price',
  'exit-price',
  'profit',
  /** Counts or sums of `closed` that are not those of its lines. */
  'totals',
] as const

/** A promise by the log's key (docs/open-book.md §3). */
const PROMISE_FAULTS = [
  /** Not signed by the log's key under the name for promises. */
  'promise-signature',
  'promise-text',
  /** The path does not lead from the bet's commitment to the root that was signed. */
  'promise-path',
  /** No entry although the log went on for 60 s after the promise. */
  'promise-unkept',
] as const

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
  /** Index of the entry in the log; null where it is about none. */
  readonly index: number | null
  readonly round: string | null
  /** The value that differs: as it has to be, and as it is. Numbers are in the log's units. */
  readonly expected?: string | number | null
  readonly found?: string | number | null
}
