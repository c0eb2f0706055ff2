import { fromBase64, toBase64 } from './bytes.ts'
import { parseDecimal } from './checkpoint.ts'
import { HASH_BYTES } from './merkle.ts'

/** A proof that a leaf is in a signed tree (c2sp.org/tlog-proof). */
export interface Proof {
  readonly extra: Uint8Array | null
  readonly index: number
  readonly path: readonly Uint8Array[]
  readonly checkpoint: string
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1'

export const formatProof = ({ extra, index, path, checkpoint }: Proof): string =>
  [
    FIRST_LINE,
    ...(extra === null ? [] : [`extra ${toBase64(extra)}`]),
    `index ${index}`,
    ...path.map(toBase64),
    '',
    checkpoint,
  ].join('\n')

export function parseProof(text: string): Proof | null {
  const split = text.indexOf('\n\n')
  if (split < 0) return null
  const [first, ...lines] = text.slice(0, split).split('\n')
  const extra = lines[0]?.startsWith('extra ') === true ? fromBase64(lines.shift()?.slice('extra '.length) ?? '') : null
  const hasExtra = text.startsWith(`${FIRST_LINE}\nextra `)
  const [indexLine = '', ...hashes] = lines
  const index = indexLine.startsWith('index ') ? parseDecimal(indexLine.slice('index '.length)) : null
  const path = hashes.map(fromBase64).filter((hash) => hash?.length === HASH_BYTES)
  if (first !== FIRST_LINE || index === null || (hasExtra && extra === null) || path.length !== hashes.length)
    return null
  return { extra, index, path: path as Uint8Array[], checkpoint: text.slice(split + 2) }
}
