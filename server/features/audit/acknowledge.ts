import * as z from 'zod/mini'
import { text } from '#contract/codecs.ts'
import type { Database } from '#server/platform/database/db.ts'
import { type ChainedRow, emptyChain, isSame, rowDigest, signAct } from './chain.ts'
import { auditKey } from './key.ts'
import { recordKnownRow } from './known-rows.ts'
import { readActs } from './read-acts.ts'
import { readAnchors } from './read-anchors.ts'
import { verifyAuditLog } from './verify-log.ts'

/** An operator's acknowledgement of an audit row whose content differs from what was signed (rules §3.12). */
export const acknowledgement = z.object({
  row: text.check(z.regex(/^\d{1,18}$/)),
  why: text.check(z.trim(), z.minLength(1), z.maxLength(500)),
  withoutProof: z.boolean(),
})
export type Acknowledgement = z.output<typeof acknowledgement>

export const ACKNOWLEDGE_OPTIONS = {
  acknowledge: { type: 'string' },
  why: { type: 'string' },
  'without-proof': { type: 'boolean' },
} as const

export function readAcknowledgement(values: {
  readonly acknowledge?: string
  readonly why?: string
  readonly 'without-proof'?: boolean
}): Acknowledgement | null {
  const { acknowledge: row, why, 'without-proof': withoutProof = false } = values
  if (row === undefined && why === undefined && !withoutProof) return null
  const read = acknowledgement.safeParse({ row, why, withoutProof })
  if (read.success) return read.data
  throw new Error('--acknowledge NUMBER --why "a sentence of at most 500 letters" [--without-proof]')
}

export type AcknowledgeReport =
  | { readonly is: 'acknowledged'; readonly bySeq: string; readonly half: string | null }
  | { readonly is: 'refused'; readonly reason: string }

/**
 * Acknowledges an audit row whose content differs from what was signed. The act that records this has a digest of all
 * the row's fields, so that a further change is found. Refuses a row that does not fit the rows beside it in the chain
 * and, unless `withoutProof` is true, a row whose change has no proved cause (`halfOf`).
 */
export async function acknowledgeRow(
  db: Database,
  { row: number, why, withoutProof }: Acknowledgement,
): Promise<AcknowledgeReport> {
  const seq = BigInt(number)
  const refused = (reason: string) => ({ is: 'refused', reason }) as const
  const { broken, known } = await verifyAuditLog(db)
  if (known.some((one) => one.seq === seq)) return refused(`Row ${seq} is acknowledged already.`)
  const isChanged = broken.some((one) => one.problem === 'changed' && one.firstSeq <= seq && seq <= one.lastSeq)
  if (!isChanged) return refused(`Row ${seq} is none that was changed: npm run audit:log names them.`)
  const [row, ...others] = await readActs(db, 'seq = $1', [seq])
  if (row === undefined || others.length > 0 || !(await isInPlace(db, row)))
    return refused(`More than the content of row ${seq} was changed: it does not fit the rows beside it.`)
  const half = halfOf(row)
  if (half === null && !withoutProof)
    return refused(
      `Nothing proves that row ${seq} became another one by itself: find out who changed it. ` +
        'Once that is known, --without-proof acknowledges it, and the log says so for ever.',
    )
  const bySeq = await db.tx(async (tx) => {
    await recordKnownRow(tx, { seq, digest: rowDigest(row), half, why, bySeq: null })
    return (await tx.query<{ seq: bigint }>('select seq from audit_tip')).rows[0]?.seq
  })
  return { is: 'acknowledged', bySeq: String(bySeq), half }
}

/** Returns whether the row holds the hash of the row before it, and the next row (or the tip) holds this row's hash. */
async function isInPlace(db: Database, row: ChainedRow): Promise<boolean> {
  const { rows } = await db.query<{ next: Uint8Array }>(
    `select previous_hash as next from audit_log where seq = $1 union all select hash from audit_tip where seq = $1 - 1`,
    [row.seq + 1n],
  )
  const [before] = await readActs(db, 'seq = $1', [row.seq - 1n])
  const start = (await readAnchors(db)).signed.find(({ seq }) => seq === row.seq - 1n) ?? emptyChain
  const [after, ...others] = rows
  if (after === undefined || others.length > 0) return false
  return isSame(row.previousHash, before?.hash ?? start.hash) && isSame(after.next, row.hash)
}

/**
 * A lone UTF-16 surrogate (half of a character) is stored as U+FFFD, because UTF-8 cannot encode it. Returns the
 * surrogate, such as `U+D83D`, that makes the signature valid in place of each U+FFFD of the reason; null if none does.
 */
function halfOf(row: ChainedRow): string | null {
  const { reason } = row
  if (reason === null || !reason.includes('\ufffd')) return null
  for (let unit = 0xd800; unit <= 0xdfff; unit++) {
    const signed = { ...row, reason: reason.replaceAll('\ufffd', String.fromCharCode(unit)) }
    if (isSame(row.hash, signAct(auditKey(), signed, row.previousHash))) return `U+${unit.toString(16).toUpperCase()}`
  }
  return null
}
