import { DAY_SECONDS, type PathHash } from '../market/simulated-path.ts'
import { concatBytes, type Sha256 } from './bytes.ts'

export function pathHash(sha256: Sha256, seed: Uint8Array): PathHash {
  const message = concatBytes(seed, new Uint8Array(4))
  const view = new DataView(message.buffer)
  return (position) => {
    view.setUint32(seed.length, position)
    return sha256(message)
  }
}

export const DAY_MS = DAY_SECONDS * 1000

/** Returns the days, numbered from 1970-01-01 on, whose paths price a round: two if the round ends at midnight. */
export const daysOf = ({ opens, closes }: { readonly opens: number; readonly closes: number }): number[] => {
  const [first, last] = [Math.floor(opens / DAY_MS), Math.floor(closes / DAY_MS)]
  return first === last ? [first] : [first, last]
}
