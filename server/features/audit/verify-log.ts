import type { Database, Queryable, Row } from '#server/platform/db.ts'
import {
  type BrokenLink,
  type ChainTip,
  type ChainedRow,
  compareTip,
  emptyChain,
  type Json,
  verifyChain,
} from './chain.ts'
import { auditKey } from './key.ts'
import { readAnchors } from './read-anchors.ts'

export interface AuditReport {
  /** Number of rows verified as correct, counted from the first that is not detached. */
  readonly verified: bigint
  /** Number of the last row that was detached; 0 where none was. */
  readonly detachedThrough: bigint
  readonly broken: BrokenLink | null
}

interface LogRow extends Row {
  seq: bigint
  at_micros: bigint
  actor: string
  act: string
  target: string
  before: Json
  after: Json
  reason: string | null
  previous_hash: Uint8Array
  hash: Uint8Array
}

const CHUNK = 1_000
/** Below every possible number, so that a row inserted before the first one is read and found. */
const BEFORE_ALL = -(2n ** 63n)

/**
 * Verifies the log with its key, in chunks of one snapshot: from its first row, or from the last one that was detached,
 * which the key signed then (anchor-log.ts).
 * @param known a tip that this machine saw earlier (tip-file.ts): the log must still hold that row, and may have grown
 */
export async function verifyAuditLog(db: Database, known: ChainTip | null = null): Promise<AuditReport> {
  const { verified, detachedThrough, broken } = await verifyWith(db, known, null)
  return { verified, detachedThrough, broken }
}

interface Verified extends AuditReport {
  /** The hash of the row that was asked for. */
  readonly hashes: ReadonlyMap<bigint, Uint8Array>
}

/** @param wanted number of a row whose hash is answered as it was verified */
export async function verifyWith(db: Database, known: ChainTip | null, wanted: bigint | null): Promise<Verified> {
  return db.tx(
    async (tx) => {
      const { rows } = await tx.query<{ seq: bigint; hash: Uint8Array; first: bigint | null }>(
        'select seq, hash, (select min(seq) from audit_log) as first from audit_tip',
      )
      const stored = rows[0]
      const hashes = new Map<bigint, Uint8Array>()
      if (stored === undefined)
        return { verified: 0n, detachedThrough: 0n, broken: { brokenSeq: 1n, problem: 'missing' }, hashes }
      const { signed, forged } = await readAnchors(tx)
      // Rows before an anchor are there until their detaching is done: they count as well.
      const start: ChainTip = signed.findLast(({ seq }) => stored.first === null || seq < stored.first) ?? emptyChain
      const reported = (verifiedThrough: bigint, broken: BrokenLink | null): Verified => ({
        verified: verifiedThrough - start.seq,
        detachedThrough: start.seq,
        broken,
        hashes,
      })
      if (forged !== null) return reported(start.seq, { brokenSeq: forged.seq, problem: 'changed' })
      let tip = start
      let afterSeq = BEFORE_ALL
      for (;;) {
        const chunk = await readChunk(tx, afterSeq)
        if (chunk.length === 0) {
          const isCut = known !== null && tip.seq < known.seq
          return reported(tip.seq, isCut ? { brokenSeq: tip.seq + 1n, problem: 'missing' } : compareTip(tip, stored))
        }
        const next = verifyChain(auditKey(), tip, chunk)
        if ('problem' in next) return reported(next.brokenSeq - 1n, next)
        // Rows rewritten with the key itself would verify. Comparing with the tip seen earlier finds them.
        const seen = known === null ? undefined : chunk.find(({ seq }) => seq === known.seq)
        if (known !== null && seen !== undefined && Buffer.compare(seen.hash, known.hash) !== 0)
          return reported(known.seq - 1n, { brokenSeq: known.seq, problem: 'changed' })
        const asked = wanted === null ? undefined : chunk.find(({ seq }) => seq === wanted)
        if (asked !== undefined) hashes.set(asked.seq, asked.hash)
        tip = next
        afterSeq = tip.seq
      }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

async function readChunk(db: Queryable, afterSeq: bigint): Promise<ChainedRow[]> {
  const { rows } = await db.query<LogRow>(
    `select seq, (extract(epoch from at) * 1000000)::bigint as at_micros, actor, act, target, before, after, reason, previous_hash, hash from audit_log
      where seq > $1 order by seq limit $2`,
    [afterSeq, CHUNK],
  )
  return rows.map((row) => ({
    seq: row.seq,
    atMicros: row.at_micros,
    actor: row.actor,
    act: row.act,
    target: row.target,
    before: row.before,
    after: row.after,
    reason: row.reason,
    previousHash: row.previous_hash,
    hash: row.hash,
  }))
}
