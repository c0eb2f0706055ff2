import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import type { ChainTip } from './chain.ts'
import { auditKey } from './key.ts'

export interface Anchor extends ChainTip {
  /** Unix ms: the acts before this time are detached, or may be detached. */
  readonly untilMs: number
}

export const anchorMark = ({ seq, hash, untilMs }: Anchor): Buffer =>
  createHmac('sha256', auditKey())
    .update(`audit anchor ${seq} ${Buffer.from(hash).toString('hex')} ${untilMs}`)
    .digest()

/** Returns the anchors that the audit key signed, oldest first, and the first anchor that it did not sign, or null. */
export async function readAnchors(q: Queryable) {
  const { rows } = await q.query<Row & { seq: bigint; hash: Uint8Array; until: Date; mark: Uint8Array }>(
    'select through_seq as seq, hash, until, mark from audit_anchors order by through_seq',
  )
  const signed: Anchor[] = []
  let forged: Anchor | null = null
  for (const { seq, hash, until, mark } of rows) {
    const anchor = { seq, hash, untilMs: until.getTime() }
    const right = anchorMark(anchor)
    if (mark.length === right.length && timingSafeEqual(mark, right)) signed.push(anchor)
    else forged ??= anchor
  }
  return { signed, forged }
}

/** Returns the `untilMs` of the newest signed anchor; null if there is none. */
export async function actsDetachedUntil(q: Queryable): Promise<number | null> {
  return (await readAnchors(q)).signed.at(-1)?.untilMs ?? null
}
