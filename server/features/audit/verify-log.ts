import type { Database } from '#server/platform/database/db.ts'
import { type BrokenRows, type ChainTip, type ChainedRow, emptyChain, followChain, rowDigest } from './chain.ts'
import { auditKey } from './key.ts'
import { type KnownRow, readKnownRows } from './known-rows.ts'
import { readActs } from './read-acts.ts'
import { readAnchors } from './read-anchors.ts'

export interface AuditReport {
  /** Number of rows whose signature and link to the row before are valid; detached rows are not counted. */
  readonly verified: bigint
  readonly detachedThrough: bigint
  readonly broken: readonly BrokenRows[]
  /** Acknowledged rows that differ from what was signed, including detached ones. */
  readonly known: readonly KnownRow[]
}

const CHUNK = 1_000
/** The lowest bigint. Reading starts here, so that a row inserted with a number below 1 is found. */
const BEFORE_ALL = -(2n ** 63n)

/**
 * Verifies the audit log within one snapshot of the database. The hash chain starts at the newest signed anchor up to
 * which all rows are detached (anchor-log.ts), or at the first row.
 * @param known the last row of the log when this machine looked before (tip-file.ts). The log must still have this row,
 *   unless it is detached.
 */
export async function verifyAuditLog(db: Database, known: ChainTip | null = null): Promise<AuditReport> {
  const { hashes: _, ...report } = await verifyWith(db, known, null)
  return report
}

interface Verified extends AuditReport {
  readonly hashes: ReadonlyMap<bigint, Uint8Array>
}

/** @param wanted number of a row whose hash is returned in `hashes`; null if no hash is needed */
export async function verifyWith(db: Database, known: ChainTip | null, wanted: bigint | null): Promise<Verified> {
  return db.tx(
    async (tx) => {
      const { rows } = await tx.query<{ seq: bigint; hash: Uint8Array; first: bigint | null }>(
        'select seq, hash, (select min(seq) from audit_log) as first from audit_tip',
      )
      const stored = rows[0]
      const hashes = new Map<bigint, Uint8Array>()
      const lost = (seq: bigint, problem: 'missing' | 'changed', detachedThrough: bigint): Verified => ({
        ...{ verified: 0n, detachedThrough, broken: [{ firstSeq: seq, lastSeq: seq, problem }], known: [], hashes },
      })
      if (stored === undefined) return lost(1n, 'missing', 0n)
      const { signed, forged } = await readAnchors(tx)
      // An anchor is stored before its rows are detached. While these rows exist, they are verified as well.
      const start: ChainTip = signed.findLast(({ seq }) => stored.first === null || seq < stored.first) ?? emptyChain
      if (forged !== null) return lost(forged.seq, 'changed', start.seq)
      const acknowledged = await readKnownRows(tx)
      const met = acknowledged.filter(({ seq }) => seq <= start.seq)
      const isKnown = (row: ChainedRow): boolean => {
        const named = acknowledged.filter(({ seq }) => seq === row.seq)
        const found = named.length === 0 ? undefined : named.find(({ digest }) => digest === rowDigest(row))
        if (found !== undefined) met.push(found)
        return found !== undefined
      }
      const chain = followChain(auditKey(), start, isKnown)
      let last: Pick<ChainedRow, 'seq' | 'atMicros'> = { seq: BEFORE_ALL, atMicros: 0n }
      for (;;) {
        // Two rows may have the same number if one was forged. They are ordered by time as well, so that both are read.
        const chunk = await readActs(
          tx,
          `(seq, at) > ($1, timestamptz 'epoch' + $2::bigint * interval '1 microsecond') order by seq, at limit $3`,
          [last.seq, last.atMicros, CHUNK],
        )
        for (const row of chunk) {
          // A row that was rewritten and signed anew with the key is valid, but differs from the tip seen earlier.
          chain.take(row, known?.seq === row.seq && Buffer.compare(row.hash, known.hash) !== 0)
          if (row.seq === wanted) hashes.set(row.seq, row.hash)
          last = row
        }
        if (chunk.length > 0) continue
        const isCut = known !== null && known.seq > stored.seq && known.seq > last.seq
        const { broken, right } = chain.end(isCut ? known : stored)
        const firstOf = new Map(met.toReversed().map((one) => [one.seq, one]))
        return {
          ...{ verified: right, detachedThrough: start.seq, broken, hashes },
          known: [...firstOf.values()].toSorted((a, b) => Number(a.seq - b.seq)),
        }
      }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}
