import { type RoundType } from '../game/calendar.ts'

/*
 * The entries of the public log, byte by byte (docs/open-book.md §2). An entry is one line of JSON whose keys stand in
 * a fixed order; names and spellings are the published ones. Times are Unix milliseconds unless called seconds, prices
 * thousandths of a dollar, amounts hundredths of a point, bytes padded standard base64.
 */

export type BookDirection = 'UP' | 'DOWN'
export type FeedWhy = 'STALE' | 'AHEAD' | 'JUMP' | 'UNPRICED' | 'CLOCK' | 'MARKET' | 'OK'
export type DisputeState = 'opened' | 'upheld' | 'rejected'
export type RestartWhy = 'RESTORED' | 'KEY_LOST' | 'KEY_EXPOSED'

/** Acts of staff and operators that the book names; the list is closed. */
export const BOOK_ACTS = [
  'round.delete',
  'round.force-create',
  'balance.adjust',
  'script.set',
  'script.clear',
  'ledger.clear',
  'money.propose',
  'money.confirm',
  'money.withdraw',
  'staff.grant',
] as const
export type BookAct = (typeof BOOK_ACTS)[number]

/** A live tick as a beat tells it: source, Unix second, price and age in ms; both null where no quote priced it. */
export type BeatTick = readonly [source: string, second: number, price: number | null, age: number | null]

/** What each kind of entry says beyond its kind, its version and its time. */
export interface EntryFields {
  readonly rules: {
    readonly product: 'kim-phien'
    /** Whole per cent of the stake. */
    readonly rates: Readonly<Record<RoundType, number>>
    readonly lockMs: { readonly simulated: number; readonly live: number }
    /** SHA-256 of the rules' text, in hex. */
    readonly text: string
  }
  /** `day`: days since 1970-01-01. */
  readonly seed: { readonly day: number; readonly commitment: string }
  readonly 'seed-open': { readonly day: number; readonly seed: string; readonly startPrice: number }
  readonly round: {
    readonly round: string
    readonly type: RoundType
    /** The number that people see: the window's index + 1. */
    readonly n: number
    readonly attempt: number
    readonly opens: number
    readonly locks: number
    readonly closes: number
    readonly source: string
  }
  readonly bet: { readonly round: string; readonly c: string }
  readonly announce: { readonly round: string; readonly c: string }
  readonly result: {
    readonly round: string
    /** One for each second from the opening to the end, both included. */
    readonly ticks: ReadonlyArray<number | null>
    /** Null in a simulated round, whose ticks have no age. */
    readonly ages: ReadonlyArray<number | null> | null
    readonly result: BookDirection | null
    readonly by: 'PRICE' | 'ADMIN'
  }
  readonly closed: {
    readonly round: string
    readonly deleted: boolean
    readonly announce: { readonly direction: BookDirection; readonly nonce: string } | null
    /** Second and SHA-256 of the provider's signed bytes; ascending. */
    readonly evidence: ReadonlyArray<readonly [second: number, hash: string]>
    readonly bets: number
    readonly won: number
    readonly lost: number
    readonly voided: number
    /** Sums over the bets decided by price, voids included; the profit is the players'. */
    readonly staked: number
    readonly profit: number
    /** Merkle root over the settled lines, in log order. */
    readonly root: string
  }
  readonly beat: { readonly ticks: readonly BeatTick[] }
  readonly act: {
    readonly act: BookAct
    /** A pseudonym; null for the system. */
    readonly actor: string | null
    readonly round: string | null
    /** Index of a bet's entry. */
    readonly bet: number | null
    readonly amount: number | null
    readonly c: string | null
  }
  readonly feed: { readonly source: string; readonly state: 'closed' | 'open'; readonly why: FeedWhy }
  readonly dispute: { readonly bet: number; readonly state: DisputeState; readonly c: string }
  readonly restart: { readonly previous: string; readonly why: RestartWhy }
}

export type EntryKind = keyof EntryFields

/** An entry of one kind, as it was parsed. */
export type EntryOf<Kind extends EntryKind> = {
  readonly k: Kind
  readonly v: 1
  readonly at: number
} & EntryFields[Kind]
export type Entry = { [Kind in EntryKind]: EntryOf<Kind> }[EntryKind]

/** The fields of each kind, in the order in which they are written; nested objects too. */
const ORDERED: { readonly [Kind in EntryKind]: (fields: EntryFields[Kind]) => EntryFields[Kind] } = {
  rules: ({ product, rates, lockMs, text }) => ({
    product,
    rates: { '30s': rates['30s'], '60s': rates['60s'], '90s': rates['90s'], '120s': rates['120s'] },
    lockMs: { simulated: lockMs.simulated, live: lockMs.live },
    text,
  }),
  seed: ({ day, commitment }) => ({ day, commitment }),
  'seed-open': ({ day, seed, startPrice }) => ({ day, seed, startPrice }),
  round: ({ round, type, n, attempt, opens, locks, closes, source }) => ({
    round,
    type,
    n,
    attempt,
    opens,
    locks,
    closes,
    source,
  }),
  bet: ({ round, c }) => ({ round, c }),
  announce: ({ round, c }) => ({ round, c }),
  result: ({ round, ticks, ages, result, by }) => ({ round, ticks, ages, result, by }),
  closed: ({ round, deleted, announce, evidence, bets, won, lost, voided, staked, profit, root }) => ({
    round,
    deleted,
    announce: announce === null ? null : { direction: announce.direction, nonce: announce.nonce },
    evidence,
    bets,
    won,
    lost,
    voided,
    staked,
    profit,
    root,
  }),
  beat: ({ ticks }) => ({ ticks }),
  act: ({ act, actor, round, bet, amount, c }) => ({ act, actor, round, bet, amount, c }),
  feed: ({ source, state, why }) => ({ source, state, why }),
  dispute: ({ bet, state, c }) => ({ bet, state, c }),
  restart: ({ previous, why }) => ({ previous, why }),
}

export const ENTRY_KINDS = Object.keys(ORDERED) as readonly EntryKind[]

/**
 * The part of an entry after its time: `,"round":"…",…}`. What is queued is kind, time and this text, since the time of
 * some acts is known to the statement alone that writes them.
 */
export const encodeFields = <Kind extends EntryKind>(kind: Kind, fields: EntryFields[Kind]): string =>
  `,${JSON.stringify(ORDERED[kind](fields)).slice(1)}`

/** The whole line, ASCII, without a newline: what is hashed as a leaf of the log. */
export const encodeEntry = (kind: EntryKind, atMs: number, encodedFields: string): string =>
  `{"k":"${kind}","v":1,"at":${atMs}${encodedFields}`
