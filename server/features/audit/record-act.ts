import type { AuditAct } from '#contract/back-office.ts'
import type { Row, Tx } from '#server/platform/database/db.ts'
import { type Act, signAct } from './chain.ts'
import { auditKey } from './key.ts'

interface NextRow extends Row, Act {
  seq: bigint
  hash: Uint8Array
  at_micros: bigint
}

/**
 * Locks the tip of the audit log. Call this after the transaction has taken its other locks. An act with a deadline
 * reads the clock after this call, because the deadline may pass during the wait for the lock (rules §2.9).
 */
export async function lockTip(tx: Tx): Promise<void> {
  await tx.query('select 1 from audit_tip for update')
}

/**
 * Appends an act to the audit log in the transaction of the act itself. Locks the tip of the log, so call this function
 * after the transaction has taken its other locks.
 */
export async function recordAct(
  tx: Tx,
  actor: string,
  act: AuditAct,
  target: string,
  { before = null, after = null, reason = null }: Partial<Pick<Act, 'before' | 'after' | 'reason'>> = {},
): Promise<void> {
  const values = [actor, act, target, JSON.stringify(before), JSON.stringify(after), reason]
  // The database returns the values in the form that a later check will read, and that form is signed (rules §6.2).
  const { rows } = await tx.query<NextRow>(
    `select seq, hash, (extract(epoch from clock_timestamp()) * 1000000)::bigint as at_micros,
            $1::text as actor, $2::text as act, $3::text as target, $4::jsonb as before, $5::jsonb as after, $6::text as reason
       from audit_tip for update`,
    values,
  )
  const next = rows[0]
  if (next === undefined) throw new Error('The audit log has lost its tip')
  const seq = next.seq + 1n
  const hash = signAct(auditKey(), { ...next, seq, atMicros: next.at_micros }, next.hash)
  await tx.query(
    `with appended as (
       insert into audit_log (actor, act, target, before, after, reason, seq, at, previous_hash, hash)
       values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, timestamptz 'epoch' + $8::bigint * interval '1 microsecond', $9, $10) returning seq)
     update audit_tip set seq = $7, hash = $10`,
    [...values, seq, next.at_micros, next.hash, hash],
  )
}
