import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { MINOR_PER_POINT, points } from '#domain/money.ts'
import { minorTyped } from '#domain/typed-number.ts'
import { USERNAME_MAX, usernameSearchKey } from '#domain/identity/credentials.ts'

/** Longest text that is searched for, in UTF-16 units (rules §6.14). */
export const QUESTION_MAX = 64
/** The fewest digits of an id's beginning, and of a bank number's end, that are searched for. */
export const ID_DIGITS_MIN = 6
export const ACCOUNT_DIGITS_MIN = 4

/** What a typed text may mean; null where it cannot be that. */
export interface Question {
  /** Any part of a username, as `usernameSearchKey` writes it. */
  readonly name: string | null
  /** The first and the last id that begin like this. */
  readonly ids: { readonly from: string; readonly to: string } | null
  readonly round: { readonly roundNumber: number; readonly types: readonly RoundType[] } | null
  /** The last digits of a bank number. */
  readonly accountEnd: string | null
}

const UUID_DIGITS = 32
const ROUND = new RegExp(
  String.raw`^(?:phien\s*)?(?:(${ROUND_TYPES.join('|')})[\s·:,-]*)?#?\s*([1-9][\d.,]*)(?:[\s·:,-]*(${ROUND_TYPES.join('|')}))?$`,
)
/** A round's number is less for longer than anybody will play. */
const ROUNDS_MAX = points(1_000_000_000)

const uuidOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

function readIds(text: string): Question['ids'] {
  const digits = text.replaceAll('-', '')
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < ID_DIGITS_MIN || digits.length > UUID_DIGITS) return null
  return { from: uuidOf(digits.padEnd(UUID_DIGITS, '0')), to: uuidOf(digits.padEnd(UUID_DIGITS, 'f')) }
}

function readRound(text: string): Question['round'] {
  const [, before, number = '', after] = ROUND.exec(text) ?? []
  const minor = minorTyped(number, 'whole')
  if (minor === null || minor >= ROUNDS_MAX || (before !== undefined && after !== undefined)) return null
  const type = ROUND_TYPES.find((one) => one === (before ?? after))
  return { roundNumber: Number(minor / MINOR_PER_POINT), types: type === undefined ? ROUND_TYPES : [type] }
}

/** Reads a typed text: accents, case and spaces between letters do not matter. */
export function readQuestion(typed: string): Question {
  const text = usernameSearchKey(typed.slice(0, QUESTION_MAX))
  const joined = text.replaceAll(/\s+/g, '')
  const name = joined.replace(/^@/, '')
  const digits = joined.replaceAll(/[.-]/g, '')
  return {
    name: name.length <= USERNAME_MAX && /^[a-z0-9]+$/.test(name) ? name : null,
    ids: readIds(joined),
    round: readRound(text),
    accountEnd: digits.length >= ACCOUNT_DIGITS_MIN && /^\d+$/.test(digits) ? digits : null,
  }
}
