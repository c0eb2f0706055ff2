import { BASES, type Basis } from '../game/bet.ts'
import { type Sha256, utf8After } from './bytes.ts'
import type { BookDirection } from './entry.ts'
import { isCount, isDirection, isObject, isText, oneOf, orNull, parseJson } from './parse-entry.ts'

/** Random bytes before an opening, so that nobody can guess what a sealed bet says (docs/open-book.md §3). */
export const SALT_BYTES = 16

/** What a sealed bet says. Published with its salt when its round has ended; its owner knows both at once. */
export interface Opening {
  /** Ids of bet and round. */
  readonly bet: string
  readonly round: string
  readonly direction: BookDirection
  /** Minor units. */
  readonly stake: number
  readonly basis: Basis
  readonly script: 'WIN' | 'LOSE' | null
  /** Acceptance, Unix ms. */
  readonly at: number
  /** Earliest Unix second of the entry. */
  readonly entryFrom: number
}

/** The opening's exact text: its keys in this order, without spaces. */
export const encodeOpening = ({ bet, round, direction, stake, basis, script, at, entryFrom }: Opening): string =>
  JSON.stringify({ bet, round, direction, stake, basis, script, at, entryFrom })

/** c = SHA-256(salt ‖ opening): the 32 bytes that stand in the log before the outcome exists. */
export const commitmentOf = (sha256: Sha256, salt: Uint8Array, opening: string): Uint8Array =>
  sha256(utf8After(salt, opening))

const isOpening = isObject({
  bet: isText,
  round: isText,
  direction: isDirection,
  stake: isCount,
  basis: oneOf(...BASES),
  script: orNull(oneOf('WIN', 'LOSE')),
  at: isCount,
  entryFrom: isCount,
})

/** Null for anything but the one spelling of an opening. */
export function parseOpening(text: string): Opening | null {
  const parsed = parseJson(text)
  if (!isOpening(parsed)) return null
  const opening = parsed as Opening
  return encodeOpening(opening) === text ? opening : null
}
