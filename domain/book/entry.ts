import { ROUND_TYPES } from '../game/calendar.ts'
import { PRICE_MAX } from '../market/prices.ts'
import { QUOTE_WINDOW_MS } from '../market/tick.ts'
import { fromHex } from './bytes.ts'
import {
  arrayOf,
  base64,
  boolean,
  count,
  day,
  encode,
  integer,
  moment,
  object,
  oneOf,
  orNull,
  type Shape,
  shape,
  text,
  tuple,
  type ValueOf,
} from './shapes.ts'

/*
 * The entries of the public log: lines of JSON whose keys have the names and the order of docs/open-book.md §2. Times
 * are Unix milliseconds unless called seconds, prices thousandths of a dollar, amounts hundredths of a point. Bytes are
 * padded standard base64, except the hash of the rules' text, which is hex.
 */

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

export const direction = oneOf('UP', 'DOWN')
export type BookDirection = ValueOf<typeof direction>

export const price = shape<number>(
  (value) => count.is(value) && (value as number) > 0 && (value as number) <= PRICE_MAX,
)
const age = shape<number>((value) => count.is(value) && (value as number) < QUOTE_WINDOW_MS)
const hash = base64(32)
const hexHash = shape<string>((value) => typeof value === 'string' && fromHex(value)?.length === 32)

/** A live tick in a beat. `age`: ms from the quote's time to the second. Without a price, `age` is null as well. */
export type BeatTick = readonly [source: string, second: number, price: number | null, age: number | null]
const anyTick = tuple(text, count, orNull(price), orNull(age))
const beatTick = shape<BeatTick>(
  (value) => anyTick.is(value) && ((value as BeatTick)[2] === null) === ((value as BeatTick)[3] === null),
)

const entries = {
  rules: object({
    product: oneOf('kim-phien'),
    rates: object({ '30s': count, '60s': count, '90s': count, '120s': count }),
    lockMs: object({ simulated: count, live: count }),
    text: hexHash,
  }),
  seed: object({ day, commitment: hash }),
  'seed-open': object({ day, seed: hash, startPrice: price }),
  round: object({
    round: text,
    type: oneOf(...ROUND_TYPES),
    n: count,
    attempt: count,
    opens: moment,
    locks: moment,
    closes: moment,
    source: text,
  }),
  bet: object({ round: text, c: hash }),
  announce: object({ round: text, c: hash }),
  result: object({
    round: text,
    /** `ticks`: a price or null for each second, both ends included. `ages`: null for a simulated round. */
    ticks: arrayOf(orNull(price)),
    ages: orNull(arrayOf(orNull(age))),
    result: orNull(direction),
    by: oneOf('PRICE', 'ADMIN'),
  }),
  closed: object({
    round: text,
    deleted: boolean,
    announce: orNull(object({ direction, nonce: base64(16) })),
    /** The seconds with evidence, ascending, each with the SHA-256 of the bytes that the provider signed for it. */
    evidence: arrayOf(tuple(count, hash)),
    bets: count,
    won: count,
    lost: count,
    voided: count,
    /** Sums over the bets decided by price, voided ones included. `profit` is the players' profit. */
    staked: count,
    profit: integer,
    root: hash,
  }),
  beat: object({ ticks: arrayOf(beatTick) }),
  act: object({
    act: oneOf(...BOOK_ACTS),
    /** A pseudonym of the acting person; null for the system. */
    actor: orNull(base64(9)),
    round: orNull(text),
    bet: orNull(count),
    amount: orNull(integer),
    c: orNull(hash),
  }),
  feed: object({
    source: text,
    state: oneOf('closed', 'open'),
    why: oneOf('STALE', 'AHEAD', 'JUMP', 'UNPRICED', 'CLOCK', 'MARKET', 'OK'),
  }),
  dispute: object({ bet: count, state: oneOf('opened', 'upheld', 'rejected'), c: hash }),
  restart: object({ previous: base64(null), why: oneOf('RESTORED', 'KEY_LOST', 'KEY_EXPOSED') }),
}

export type EntryKind = keyof typeof entries
export type EntryFields = { readonly [Kind in EntryKind]: ValueOf<(typeof entries)[Kind]> }
export type FeedWhy = EntryFields['feed']['why']
export type DisputeState = EntryFields['dispute']['state']
export type RestartWhy = EntryFields['restart']['why']

export const ENTRY_SHAPES: { readonly [Kind in EntryKind]: Shape<EntryFields[Kind]> } = entries
export const ENTRY_KINDS = Object.keys(entries) as readonly EntryKind[]

export type EntryOf<Kind extends EntryKind> = {
  readonly k: Kind
  readonly v: 1
  readonly at: number
} & EntryFields[Kind]
export type Entry = { [Kind in EntryKind]: EntryOf<Kind> }[EntryKind]

/**
 * Returns the part of an entry's line that follows its field `at`: `,"round":"…",…}`. The table book_queue stores this
 * part in one column, and the entry's kind and time in two others.
 */
export const encodeFields = <Kind extends EntryKind>(kind: Kind, fields: EntryFields[Kind]): string =>
  `,${encode(ENTRY_SHAPES[kind], fields).slice(1)}`

/** Returns the whole line, in ASCII and without a newline: the content of a leaf of the log. */
export const encodeEntry = (kind: EntryKind, atMs: number, encodedFields: string): string =>
  `{"k":"${kind}","v":1,"at":${atMs}${encodedFields}`
