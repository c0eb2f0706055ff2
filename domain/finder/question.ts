import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { type Minor, MINOR_PER_POINT, points } from '#domain/money.ts'
import { minorTyped } from '#domain/typed-number.ts'
import { USERNAME_MAX } from '#domain/identity/credentials.ts'
import { foldForSearch } from '#domain/search-text.ts'

/** Longest search text in UTF-16 units (rules §6.14). */
export const QUESTION_MAX = 64
export const ID_DIGITS_MIN = 6
export const ACCOUNT_DIGITS_MIN = 4
export const ROUND_DIGITS_MIN = 3
export const ROUND_DIGITS_MAX = 9

/** The possible meanings of a typed text. A field is null if the text cannot have that meaning. */
export interface Question {
  readonly name: string | null
  readonly ids: { readonly from: string; readonly to: string } | null
  readonly round: {
    /**
     * `roundNumber`: null if the text is no valid round number. `part`: the first or last digits of a round number, or
     * null.
     */
    readonly roundNumber: number | null
    readonly part: string | null
    readonly types: readonly RoundType[]
  } | null
  readonly amountMinor: Minor | null
  readonly accountEnd: string | null
}

const UUID_DIGITS = 32
const TYPES = ROUND_TYPES.join('|')
const ROUND = new RegExp(String.raw`^(?:phien\s*)?(?:(${TYPES})[\s·:,-]*)?#?\s*(\d[\d.,]*)(?:[\s·:,-]*(${TYPES}))?$`)
const GROUPED = /^\d{1,3}(?:([.,])(?:\d{3}\1)*\d{0,3})?$/
const ROUNDS_MAX = points(10 ** ROUND_DIGITS_MAX)

const uuidOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

function readIds(text: string): Question['ids'] {
  const digits = text.replaceAll('-', '')
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < ID_DIGITS_MIN || digits.length > UUID_DIGITS) return null
  return { from: uuidOf(digits.padEnd(UUID_DIGITS, '0')), to: uuidOf(digits.padEnd(UUID_DIGITS, 'f')) }
}

function readRound(text: string): Question['round'] {
  const [, before, number = '', after] = ROUND.exec(text) ?? []
  if (number === '' || (before !== undefined && after !== undefined)) return null
  const minor = number.startsWith('0') ? null : minorTyped(number, 'whole')
  const roundNumber = minor === null || minor >= ROUNDS_MAX ? null : Number(minor / MINOR_PER_POINT)
  const digits = GROUPED.test(number) ? number.replaceAll(/[.,]/g, '') : number
  const isPart = /^\d+$/.test(digits) && digits.length >= ROUND_DIGITS_MIN && digits.length <= ROUND_DIGITS_MAX
  if (roundNumber === null && !isPart) return null
  const type = ROUND_TYPES.find((one) => one === (before ?? after))
  return { roundNumber, part: isPart ? digits : null, types: type === undefined ? ROUND_TYPES : [type] }
}

export function readQuestion(typed: string): Question {
  const text = foldForSearch(typed.slice(0, QUESTION_MAX))
  const joined = text.replaceAll(/\s+/g, '')
  const name = joined.replace(/^@/, '')
  const digits = joined.replaceAll(/[.-]/g, '')
  const minor = minorTyped(typed, 'cents')
  return {
    name: name.length <= USERNAME_MAX && /^[a-z0-9]+$/.test(name) ? name : null,
    ids: readIds(joined),
    round: readRound(text),
    amountMinor: minor === 0n ? null : minor,
    accountEnd: digits.length >= ACCOUNT_DIGITS_MIN && /^\d+$/.test(digits) ? digits : null,
  }
}
