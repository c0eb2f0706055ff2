import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

export interface Act {
  /** The id of a user, or `system`. */
  readonly actor: string
  readonly act: string
  readonly target: string
  readonly before: Json
  readonly after: Json
  readonly reason: string | null
}

export interface ChainedAct extends Act {
  readonly seq: bigint
  readonly atMicros: bigint
}

export interface ChainedRow extends ChainedAct {
  readonly previousHash: Uint8Array
  readonly hash: Uint8Array
}

export interface ChainTip {
  readonly seq: bigint
  readonly hash: Uint8Array
}

export const emptyChain: ChainTip = { seq: 0n, hash: new Uint8Array(32) }

export type Problem = 'missing' | 'changed' | 'unexpected'

export interface BrokenRows {
  readonly firstSeq: bigint
  readonly lastSeq: bigint
  readonly problem: Problem
}

/** Formats the broken rows for an operator, such as `row 7 (changed), rows 9 to 12 (missing)`. */
export const brokenText = (broken: readonly BrokenRows[]): string =>
  broken
    .map(({ firstSeq, lastSeq, problem }) =>
      firstSeq === lastSeq ? `row ${firstSeq} (${problem})` : `rows ${firstSeq} to ${lastSeq} (${problem})`,
    )
    .join(', ')

/** Returns JSON with sorted keys. The database (jsonb) does not keep their order, so no signature may depend on it. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = value as { readonly [name: string]: Json }
  const pairs = Object.keys(fields)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(fields[name] ?? null)}`)
  return `{${pairs.join(',')}}`
}

const actJson = ({ seq, atMicros, actor, act, target, before, after, reason }: ChainedAct): string =>
  canonicalJson([String(seq), String(atMicros), actor, act, target, before, after, reason])

export const signAct = (key: Uint8Array, act: ChainedAct, previousHash: Uint8Array): Uint8Array =>
  createHmac('sha256', key).update(previousHash).update(actJson(act)).digest()

export const isSigned = (key: Uint8Array, row: ChainedRow): boolean =>
  isSame(row.hash, signAct(key, row, row.previousHash))

export const rowDigest = (row: ChainedRow): string =>
  createHash('sha256').update(row.previousHash).update(row.hash).update(actJson(row)).digest('hex')

export const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * Checks a chain row by row, and goes on after a broken row.
 * @param isKnown returns whether an operator has acknowledged this row with its present content (acknowledge.ts)
 */
export function followChain(key: Uint8Array, from: ChainTip, isKnown: (row: ChainedRow) => boolean) {
  let tip = from
  /** False after a row noted as `changed`: that row's hash may be wrong, so the next row need not link to it. */
  let isTipRight = true
  let right = 0n
  const broken: BrokenRows[] = []
  const note = (firstSeq: bigint, lastSeq: bigint, problem: Problem): void => {
    const last = broken.at(-1)
    if (last?.problem === problem && last.lastSeq + 1n === firstSeq) broken[broken.length - 1] = { ...last, lastSeq }
    else broken.push({ firstSeq, lastSeq, problem })
  }
  return {
    /** @param isReplaced true if an earlier check saw another row with this `seq`: this row then counts as broken */
    take(row: ChainedRow, isReplaced: boolean): void {
      const seq = tip.seq + 1n
      if (row.seq < seq) return note(row.seq, row.seq, 'unexpected')
      if (row.seq > seq) note(seq, row.seq - 1n, 'missing')
      const isLinked = row.seq > seq || !isTipRight || isSame(row.previousHash, tip.hash)
      const mayStand = isLinked && !isReplaced
      const isRight = mayStand && isSigned(key, row)
      if (isRight) right++
      isTipRight = isRight || (mayStand && isKnown(row))
      if (!isTipRight) note(row.seq, row.seq, 'changed')
      tip = { seq: row.seq, hash: row.hash }
    },
    /** Compares the last row with a stored tip, which shows whether the newest rows were deleted. */
    end(stored: ChainTip): { readonly broken: readonly BrokenRows[]; readonly right: bigint } {
      if (tip.seq < stored.seq) note(tip.seq + 1n, stored.seq, 'missing')
      else if (tip.seq > stored.seq) note(stored.seq + 1n, tip.seq, 'unexpected')
      else if (isTipRight && !isSame(tip.hash, stored.hash)) note(stored.seq, stored.seq, 'changed')
      return { broken, right }
    },
  }
}
