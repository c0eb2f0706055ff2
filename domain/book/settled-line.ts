import { VOID_REASONS } from '../game/bet.ts'
import { price } from './entry.ts'
import { accepted } from './opening.ts'
import { base64, count, decode, encode, integer, object, oneOf, orNull, text, type ValueOf } from './shapes.ts'

/** One line of a receipt: a settled bet (docs/open-book.md §4). */
const settledLine = object({
  i: count,
  salt: base64(null),
  ...accepted,
  id: text,
  status: oneOf('WIN', 'LOSE', 'VOID'),
  why: orNull(oneOf(...VOID_REASONS)),
  entrySecond: orNull(count),
  entry: orNull(price),
  exit: orNull(price),
  profit: integer,
})
export type SettledLine = ValueOf<typeof settledLine>

export const encodeSettledLine = (line: SettledLine): string => encode(settledLine, line)

export const parseSettledLine = (written: string): SettledLine | null => decode(settledLine, written)
