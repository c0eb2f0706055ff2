import { BASES } from '../game/bet.ts'
import { type Sha256, utf8After } from './bytes.ts'
import { direction } from './entry.ts'
import { count, decode, encode, moment, object, oneOf, orNull, text, type ValueOf } from './shapes.ts'

/** Length of the random salt. Without a salt, anybody could guess a sealed bet's content (docs/open-book.md §3). */
export const SALT_BYTES = 16

/**
 * The fields that a bet's opening and its settled line share, in this order. `at` is the acceptance in Unix ms,
 * `entryFrom` the earliest second whose tick may be the bet's entry price.
 */
export const accepted = {
  direction,
  stake: count,
  basis: oneOf(...BASES),
  script: orNull(oneOf('WIN', 'LOSE')),
  at: moment,
  entryFrom: count,
}

const opening = object({ bet: text, round: text, ...accepted })
export type Opening = ValueOf<typeof opening>

export const encodeOpening = (value: Opening): string => encode(opening, value)

export const parseOpening = (written: string): Opening | null => decode(opening, written)

/** Returns the `c` of a `bet` entry: SHA-256(salt ‖ opening), 32 bytes (docs/open-book.md §3). */
export const commitmentOf = (sha256: Sha256, salt: Uint8Array, opening: string): Uint8Array =>
  sha256(utf8After(salt, opening))
