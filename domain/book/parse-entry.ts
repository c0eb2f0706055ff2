import { ROUND_TYPES } from '../game/calendar.ts'
import { PRICE_MAX } from '../market/prices.ts'
import { QUOTE_WINDOW_MS } from '../market/tick.ts'
import { fromBase64, fromHex } from './bytes.ts'
import {
  BOOK_ACTS,
  encodeEntry,
  encodeFields,
  type Entry,
  ENTRY_KINDS,
  type EntryFields,
  type EntryKind,
} from './entry.ts'

/*
 * Entries and settled lines as a checker reads them: strictly. What was parsed is written again and has to be the same
 * text, so that every fact has one spelling (docs/open-book.md §2).
 */

/** Whether a value that JSON.parse gave is of a kind. */
export type Shape = (value: unknown) => boolean

/** U+0020 to U+007E without `"` and `\`. */
const PLAIN = /^[ !#-[\]-~]*$/

export const isText: Shape = (value) => typeof value === 'string' && value !== '' && PLAIN.test(value)
export const isBoolean: Shape = (value) => typeof value === 'boolean'
export const isInteger: Shape = (value) => Number.isSafeInteger(value)
/** A count, an index, a time. */
export const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0
export const isPrice: Shape = (value) => isCount(value) && (value as number) > 0 && (value as number) <= PRICE_MAX
const isAge: Shape = (value) => isCount(value) && (value as number) < QUOTE_WINDOW_MS
export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value)
export const oneOf =
  (...values: readonly unknown[]): Shape =>
  (value) =>
    values.includes(value)
/** Base64 of exactly so many bytes, or of any number. */
export const isBase64 =
  (length: number | null): Shape =>
  (value) => {
    if (typeof value !== 'string') return false
    if (length !== null && value.length !== Math.ceil(length / 3) * 4) return false
    const bytes = fromBase64(value)
    return bytes !== null && (length === null || bytes.length === length)
  }
const arrayOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape)
const tuple =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    Array.isArray(value) && value.length === shapes.length && shapes.every((shape, at) => shape(value[at]))
/** An object whose named fields have these shapes; the comparison of texts finds any other field. */
export const isObject =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isRecord(value) && Object.entries(shapes).every(([key, shape]) => shape(value[key]))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const HASH_SHAPE = isBase64(32)
export const isDirection = oneOf('UP', 'DOWN')
/** A price and its age, or neither. */
const isPriced = (price: unknown, age: unknown): boolean => (price === null) === (age === null)

const SHAPES: { readonly [Kind in EntryKind]: Readonly<Record<keyof EntryFields[Kind], Shape>> } = {
  rules: {
    product: oneOf('kim-phien'),
    rates: isObject(Object.fromEntries(ROUND_TYPES.map((type) => [type, isCount]))),
    lockMs: isObject({ simulated: isCount, live: isCount }),
    text: (value) => typeof value === 'string' && fromHex(value)?.length === 32,
  },
  seed: { day: isCount, commitment: HASH_SHAPE },
  'seed-open': { day: isCount, seed: HASH_SHAPE, startPrice: isPrice },
  round: {
    round: isText,
    type: oneOf(...ROUND_TYPES),
    n: isCount,
    attempt: isCount,
    opens: isCount,
    locks: isCount,
    closes: isCount,
    source: isText,
  },
  bet: { round: isText, c: HASH_SHAPE },
  announce: { round: isText, c: HASH_SHAPE },
  result: {
    round: isText,
    ticks: arrayOf(orNull(isPrice)),
    ages: orNull(arrayOf(orNull(isAge))),
    result: orNull(isDirection),
    by: oneOf('PRICE', 'ADMIN'),
  },
  closed: {
    round: isText,
    deleted: isBoolean,
    announce: orNull(isObject({ direction: isDirection, nonce: isBase64(16) })),
    evidence: arrayOf(tuple(isCount, HASH_SHAPE)),
    bets: isCount,
    won: isCount,
    lost: isCount,
    voided: isCount,
    staked: isCount,
    profit: isInteger,
    root: HASH_SHAPE,
  },
  beat: {
    ticks: arrayOf(
      (value) =>
        tuple(isText, isCount, orNull(isPrice), orNull(isAge))(value) &&
        isPriced((value as unknown[])[2], (value as unknown[])[3]),
    ),
  },
  act: {
    act: oneOf(...BOOK_ACTS),
    actor: orNull(isBase64(9)),
    round: orNull(isText),
    bet: orNull(isCount),
    amount: orNull(isInteger),
    c: orNull(HASH_SHAPE),
  },
  feed: {
    source: isText,
    state: oneOf('closed', 'open'),
    why: oneOf('STALE', 'AHEAD', 'JUMP', 'UNPRICED', 'CLOCK', 'MARKET', 'OK'),
  },
  dispute: { bet: isCount, state: oneOf('opened', 'upheld', 'rejected'), c: HASH_SHAPE },
  restart: { previous: isBase64(null), why: oneOf('RESTORED', 'KEY_LOST', 'KEY_EXPOSED') },
}

const HEAD = /^\{"k":"([a-z][a-z0-9-]*)","v":([1-9][0-9]{0,8}),"at":(0|[1-9][0-9]{0,15})[,}]/

/** What a line of the log says. `not-understood`: of a later version, or of a kind that this reader does not know. */
export type ParsedEntry =
  | { readonly is: 'entry'; readonly entry: Entry }
  | { readonly is: 'not-understood' | 'malformed' }

/** Reads one line of the log. Anything but the one spelling of an entry of its kind is malformed. */
export function parseEntry(line: string): ParsedEntry {
  const head = HEAD.exec(line)
  const parsed = parseJson(line)
  if (head === null || !isRecord(parsed)) return { is: 'malformed' }
  const [, kind = '', version] = head
  const known = ENTRY_KINDS.find((name) => name === kind)
  if (known === undefined || version !== '1') return { is: 'not-understood' }
  const { k, at } = parsed
  if (k !== known || !isCount(at) || !isObject(SHAPES[known])(parsed)) return { is: 'malformed' }
  const entry = parsed as unknown as Entry
  const again = encodeEntry(known, entry.at, encodeFields(known, entry))
  return again === line ? { is: 'entry', entry } : { is: 'malformed' }
}

/** Null for what is no JSON, and for JSON's null. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
