import * as z from 'zod/mini'
import type { AuditAct } from '#contract/back-office.ts'
import type { Queryable, Tx } from '#server/platform/database/db.ts'
import { isSigned } from './chain.ts'
import { auditKey } from './key.ts'
import { readActs } from './read-acts.ts'
import { recordAct } from './record-act.ts'

const ACKNOWLEDGE = 'audit.acknowledge' satisfies AuditAct

/** A row that differs from what was signed, and that an act in the log acknowledges (rules §3.12). */
export interface KnownRow {
  readonly seq: bigint
  /** Digest of all the row's fields at its acknowledgement: after a further change, the row has another digest. */
  readonly digest: string
  /** The lone UTF-16 surrogate with which the reason was signed, such as `U+D83D`; null if the cause is not proved. */
  readonly half: string | null
  readonly why: string
  readonly bySeq: bigint
}

export const knownText = ({ seq, bySeq, half }: KnownRow): string =>
  `row ${seq} is known to be broken: row ${bySeq} acknowledges it, ${half === null ? 'without proof of the cause' : `signed with half of a character, ${half}`}`

const known = z.object({
  row: z.string().check(z.regex(/^\d{1,18}$/)),
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  half: z.nullable(z.string()),
})

export async function readKnownRows(q: Queryable): Promise<KnownRow[]> {
  const acts = await readActs(q, `act = $1 order by seq`, [ACKNOWLEDGE])
  return acts.flatMap((act) => {
    const read = known.safeParse(act.before)
    if (!read.success || !isSigned(auditKey(), act)) return []
    const { row, digest, half } = read.data
    return [{ seq: BigInt(row), digest, half, why: act.reason ?? '', bySeq: act.seq }]
  })
}

/** @param bySeq number of an earlier act that acknowledged the same row and will be detached; null if there is none */
export const recordKnownRow = (
  tx: Tx,
  { seq, digest, half, why, bySeq }: Omit<KnownRow, 'bySeq'> & { readonly bySeq: bigint | null },
): Promise<void> =>
  recordAct(tx, 'system', ACKNOWLEDGE, `audit:${seq}`, {
    before: { row: String(seq), digest, half, ...(bySeq === null ? {} : { earlier: String(bySeq) }) },
    reason: why,
  })
