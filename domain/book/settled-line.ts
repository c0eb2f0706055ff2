import { BASES, type Basis, VOID_REASONS, type VoidReason } from '../game/bet.ts'
import type { BookDirection } from './entry.ts'
import {
  isBase64,
  isCount,
  isDirection,
  isInteger,
  isObject,
  isPrice,
  isText,
  oneOf,
  orNull,
  parseJson,
} from './parse-entry.ts'

/** A settled bet as a receipt tells it (docs/open-book.md §4). */
export interface SettledLine {
  /** Index of the bet's entry in the log. */
  readonly i: number
  /** Base64. */
  readonly salt: string
  readonly direction: BookDirection
  /** Minor units. */
  readonly stake: number
  readonly basis: Basis
  readonly script: 'WIN' | 'LOSE' | null
  /** Acceptance, Unix ms. */
  readonly at: number
  readonly entryFrom: number
  /** The bet's id. */
  readonly id: string
  readonly status: 'WIN' | 'LOSE' | 'VOID'
  readonly why: VoidReason | null
  /** Unix second and prices in thousandths of a dollar. */
  readonly entrySecond: number | null
  readonly entry: number | null
  readonly exit: number | null
  /** Minor units, the player's. */
  readonly profit: number
}

/** The exact text that is hashed as a leaf of `closed.root`: its keys in this order, without spaces. */
export const encodeSettledLine = (line: SettledLine): string => {
  const { i, salt, direction, stake, basis, script, at, entryFrom, id, status, why, entrySecond, entry, exit, profit } =
    line
  return JSON.stringify({
    i,
    salt,
    direction,
    stake,
    basis,
    script,
    at,
    entryFrom,
    id,
    status,
    why,
    entrySecond,
    entry,
    exit,
    profit,
  })
}

const isLine = isObject({
  i: isCount,
  salt: isBase64(null),
  direction: isDirection,
  stake: isCount,
  basis: oneOf(...BASES),
  script: orNull(oneOf('WIN', 'LOSE')),
  at: isCount,
  entryFrom: isCount,
  id: isText,
  status: oneOf('WIN', 'LOSE', 'VOID'),
  why: orNull(oneOf(...VOID_REASONS)),
  entrySecond: orNull(isCount),
  entry: orNull(isPrice),
  exit: orNull(isPrice),
  profit: isInteger,
})

/** Null for anything but the one spelling of a settled line. */
export function parseSettledLine(text: string): SettledLine | null {
  const parsed = parseJson(text)
  if (!isLine(parsed)) return null
  const line = parsed as SettledLine
  return encodeSettledLine(line) === text ? line : null
}
