import { createHmac, timingSafeEqual } from 'node:crypto'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** One act of staff: actor, act, target, values before and after, reason. */
export interface Act {
  /** A user id, or `system`. */
  readonly actor: string
  /** noun.verb, e.g. `user.update`. */
  readonly act: string
  readonly target: string
  readonly before: Json
  readonly after: Json
  readonly reason: string | null
}

/** The signed fields of an act: the whole row except its two hashes. */
export interface ChainedAct extends Act {
  readonly seq: bigint
  /** Microseconds since 1970, the precision of the database. */
  readonly atMicros: bigint
}

export interface ChainedRow extends ChainedAct {
  readonly previousHash: Uint8Array
  readonly hash: Uint8Array
}

/** The end of a chain: number and hash of its last row. */
export interface ChainTip {
  readonly seq: bigint
  readonly hash: Uint8Array
}

export const emptyChain: ChainTip = { seq: 0n, hash: new Uint8Array(32) }

/** The first row whose content or hash is wrong. */
export interface BrokenLink {
  readonly brokenSeq: bigint
  readonly problem: 'missing' | 'changed' | 'unexpected'
}

/** JSON with sorted keys, so that equal values have equal signatures, however a database stored them. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = value as { readonly [name: string]: Json }
  const pairs = Object.keys(fields)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(fields[name] ?? null)}`)
  return `{${pairs.join(',')}}`
}

/** HMAC-SHA256 over an act and the hash of the act before it. */
export function signAct(key: Uint8Array, act: ChainedAct, previousHash: Uint8Array): Uint8Array {
  const row = [String(act.seq), String(act.atMicros), act.actor, act.act, act.target, act.before, act.after, act.reason]
  return createHmac('sha256', key).update(previousHash).update(canonicalJson(row)).digest()
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * Verifies the next rows of a chain, in their order, starting at `from`. Answers the new end of the chain or the first
 * broken row. Call it again for the next chunk; at the end compare with the stored tip by `compareTip`.
 */
export function verifyChain(key: Uint8Array, from: ChainTip, rows: Iterable<ChainedRow>): ChainTip | BrokenLink {
  let tip = from
  for (const row of rows) {
    const seq = tip.seq + 1n
    if (row.seq > seq) return { brokenSeq: seq, problem: 'missing' }
    if (row.seq < seq) return { brokenSeq: row.seq, problem: 'unexpected' }
    if (!isSame(row.previousHash, tip.hash) || !isSame(row.hash, signAct(key, row, tip.hash)))
      return { brokenSeq: seq, problem: 'changed' }
    tip = { seq, hash: row.hash }
  }
  return tip
}

/**
 * Compares the end of a verified chain with the stored tip, since a cut tail leaves every remaining row right. Null
 * when they match.
 */
export function compareTip(verified: ChainTip, stored: ChainTip): BrokenLink | null {
  if (verified.seq < stored.seq) return { brokenSeq: verified.seq + 1n, problem: 'missing' }
  if (verified.seq > stored.seq) return { brokenSeq: stored.seq + 1n, problem: 'unexpected' }
  return isSame(verified.hash, stored.hash) ? null : { brokenSeq: stored.seq, problem: 'changed' }
}
