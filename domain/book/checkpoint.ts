import { fromBase64, toBase64 } from './bytes.ts'
import { HASH_BYTES } from './merkle.ts'

export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`

export const originOf = (note: string): string => note.split('\n', 1)[0] ?? ''

/** Parses a checkpoint with its extension lines (c2sp.org/tlog-checkpoint); null if the text is malformed. */
export function parseCheckpoint(text: string): (Checkpoint & { readonly extensions: readonly string[] }) | null {
  const lines = text.split('\n')
  const [origin = '', sizeText = '', rootText = '', ...extensions] = lines.slice(0, -1)
  const size = parseDecimal(sizeText)
  const root = fromBase64(rootText)
  if (lines.at(-1) !== '' || origin === '' || size === null || root?.length !== HASH_BYTES) return null
  return extensions.includes('') ? null : { origin, size, root, extensions }
}

/** Reads a whole number below 2^53 without leading zeroes; null for every other text. */
export function parseDecimal(text: string): number | null {
  const value = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}
