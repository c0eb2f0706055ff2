import type { AuditAct } from '#contract/back-office.ts'
import type { Row, Tx } from '#server/platform/db.ts'
import { type Act, signAct } from './chain.ts'
import { auditKey } from './key.ts'

interface TipRow extends Row {
  seq: bigint
  hash: Uint8Array
  at_micros: bigint
}

/**
 * Locks the chain's tip, the last of a transaction's locks. A command with a deadline calls this before it reads the
 * clock: every command that records an act waits for the tip, and the deadline may pass during that wait (rules §3).
 */
export async function lockTip(tx: Tx): Promise<void> {
  await tx.query('select 1 from audit_tip for update')
}

/**
 * Appends an act to the audit log in the transaction of the act itself, so that both commit or neither. It locks the
 * chain's tip: call it last, after every other lock.
 */
export async function recordAct(
  tx: Tx,
  { actor, act, target, before, after, reason }: Act & { readonly act: AuditAct },
): Promise<void> {
  const { rows } = await tx.query<TipRow>(
    `select seq, hash, (extract(epoch from clock_timestamp()) * 1000000)::bigint as at_micros from audit_tip for update`,
  )
  const tip = rows[0]
  if (tip === undefined) throw new Error('The audit log has lost its tip')
  const seq = tip.seq + 1n
  const atMicros = tip.at_micros
  const hash = signAct(auditKey(), { seq, atMicros, actor, act, target, before, after, reason }, tip.hash)
  await tx.query(
    `with appended as (
       insert into audit_log (seq, at, actor, act, target, before, after, reason, previous_hash, hash)
       values ($1, timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9, $10) returning seq)
     update audit_tip set seq = $1, hash = $10`,
    [seq, atMicros, actor, act, target, JSON.stringify(before), JSON.stringify(after), reason, tip.hash, hash],
  )
}
