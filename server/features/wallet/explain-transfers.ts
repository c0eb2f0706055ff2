import { REFILL_BELOW_MINOR } from '#domain/game/refill.ts'
import { MINOR_PER_POINT } from '#domain/money.ts'
import { actsDetachedUntil } from '#server/features/audit/index.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import { type LedgerFinding, type LedgerReport, verifyLedger } from './verify-ledger.ts'

const CHUNK = { embedded: 200n, native: 5_000n } as const
const TOLD = 20
/** How far the times of a transfer and its cause may differ (rules §3.4). */
const APART = `interval '1 minute'`
const ZONE = 'Asia/Ho_Chi_Minh'

export interface ExplainedTransfers {
  readonly findings: LedgerFinding[]
  /** Number of adjustments that were not compared, because their acts may be detached from the audit log. */
  readonly uncompared: number
  /** Acts before this time are detached, Unix ms; null if no acts are detached. */
  readonly detachedUntilMs: number | null
}

/**
 * Compares transfers with their causes: a new account, a refill, a bet, a request, or an act in the audit log (rules
 * §3.4). Stops at `TOLD` findings. `verifyLedger` does not find an edited reason, actor, reference, note or time, since
 * such an edit changes no sum.
 */
export async function explainTransfers(db: Database): Promise<ExplainedTransfers> {
  const detachedUntilMs = await actsDetachedUntil(db)
  const until = detachedUntilMs === null ? null : new Date(detachedUntilMs)
  const { rows: marks } = await db.query<{ low: bigint | null; high: bigint | null }>(
    'select min(seq) as low, max(seq) as high from ledger_transfers',
  )
  const { low, high } = marks[0] ?? { low: null, high: null }
  const findings: LedgerFinding[] = []
  let uncompared = 0
  if (low === null || high === null) return { findings, uncompared, detachedUntilMs }
  for (let from = low; from <= high && findings.length < TOLD; from += CHUNK[db.engine]) {
    const { rows } = await db.query<LedgerFinding & Row>(UNEXPLAINED, [from, from + CHUNK[db.engine], until])
    if (until !== null) {
      const { rows: counts } = await db.query<{ n: number }>(UNCOMPARED, [from, from + CHUNK[db.engine], until])
      uncompared += counts[0]?.n ?? 0
    }
    findings.push(...rows)
  }
  return { findings: findings.slice(0, TOLD), uncompared, detachedUntilMs }
}

/**
 * SQL that selects what each transfer should be. It has one select for each form of a transfer's id. `is_note` is true
 * if the note is allowed. No other table has the amounts of welcome points and refills, so any amount of
 * welcome points is accepted, and any amount of a refill of a balance below `REFILL_BELOW_MINOR`.
 */
const EXPECTED = `
  select t.seq, 'WELCOME' as reason, 'system' as actor, 'user:' || u.id as ref, t.note is null as is_note,
      'grants' as from_kind, 'wallet' as to_kind, u.id as owner_id, t.amount, u.created_at as at
    from part t join users u on t.id = 'user:' || u.id || ':welcome' and u.id = t.cause_id
  union all
  select t.seq, 'REFILL', u.id::text, 'user:' || u.id, t.note is null, 'grants', 'wallet', u.id,
      case when t.wallet_balance_after - t.amount < ${REFILL_BELOW_MINOR} then t.amount else 0 end,
      case t.rest when 'refill:' || (t.created_at at time zone '${ZONE}')::date then t.created_at end
    from part t join users u on t.rest like 'refill:%' and u.id = t.cause_id
   where t.cause = 'user'
  union all
  select t.seq, 'BET_STAKE', b.user_id::text, 'bet:' || b.id, t.note is null, 'wallet', 'staked', b.user_id, b.stake, b.accepted_at
    from part t join bets b on b.id = t.cause_id
   where t.cause = 'bet' and t.rest = 'stake'
  union all
  select t.seq, 'BET_RETURN', 'system', 'bet:' || b.id, t.note is null, 'staked', 'wallet', b.user_id,
      b.stake + least(b.profit, 0), b.settled_at
    from part t join bets b on b.id = t.cause_id
   where t.cause = 'bet' and t.rest = 'close:1'
  union all
  select t.seq, case when b.profit > 0 then 'BET_PROFIT' else 'BET_LOSS' end, 'system', 'bet:' || b.id, t.note is null,
      case when b.profit > 0 then 'house' else 'staked' end, case when b.profit > 0 then 'wallet' else 'house' end,
      b.user_id, abs(b.profit), b.settled_at
    from part t join bets b on b.id = t.cause_id
   where t.cause = 'bet' and t.rest = 'close:2'
  union all
  select t.seq, 'WITHDRAWAL_HOLD', r.owner_id::text, 'request:' || r.id, t.note is null, 'wallet', 'reserved', r.owner_id,
      r.amount, r.created_at
    from part t join cash_requests r on r.id = t.cause_id
   where t.cause = 'request' and t.rest = 'hold' and r.kind = 'withdrawal'
  union all
  select t.seq,
      case when r.kind = 'deposit' then 'DEPOSIT' when r.status = 'approved' then 'WITHDRAWAL_PAID' else 'WITHDRAWAL_RELEASED' end,
      r.decided_by::text, 'request:' || r.id,
      t.note is null or exists (
        select from money_proposals p where p.request_id = r.id and p.status = 'confirmed'
          and t.note like '% đề nghị, % xác nhận'),
      case r.kind when 'deposit' then 'cashier' else 'reserved' end,
      case when r.kind = 'withdrawal' and r.status = 'approved' then 'cashier' else 'wallet' end,
      r.owner_id, r.amount, r.decided_at
    from part t join cash_requests r on r.id = t.cause_id
   where t.cause = 'request' and t.rest = 'close' and r.status <> 'pending'
  union all
  select t.seq, 'ADJUSTMENT', l.actor, 'user:' || u.id, true, case when l.amount > 0 then 'grants' else 'wallet' end,
      case when l.amount > 0 then 'wallet' else 'grants' end, u.id, abs(l.amount), l.at
    from part t
    join users u on u.id = t.owner_id
    join lateral (
      select l.actor, l.at, coalesce((l.after ->> 'amountMinor')::bigint,
          ((l.after ->> 'balance')::numeric - (l.before ->> 'balance')::numeric) * ${MINOR_PER_POINT}) as amount
        from audit_log l
       where l.at between t.created_at - ${APART} and t.created_at + ${APART}
         and case when t.id like 'adjust:dispute:%'
           then l.act = 'dispute.uphold' and l.target = substr(t.id, 8) and strpos(t.note, l.reason) > 0
           else l.act = 'user.update' and l.target = 'user:' || u.id and l.reason = t.note
             -- An act explains a transfer only if the balance after the transfer is the balance that the act names.
             and (l.after ->> 'balance')::numeric * ${MINOR_PER_POINT} = t.wallet_balance_after end
       order by l.actor = t.actor desc, l.seq limit 1) l on true
   where t.cause = 'adjust'`

const COMPARED = `
  with part as materialized (
    select t.*, split_part(t.id, ':', 1) as cause, substr(t.id, length(split_part(t.id, ':', 1)) + 39) as rest,
        case when t.id ~ '^[a-z]+:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:' then split_part(t.id, ':', 2)::uuid end as cause_id,
        f.kind as from_kind, o.kind as to_kind, coalesce(f.owner_id, o.owner_id) as owner_id,
        f.owner_id is null or o.owner_id is null or f.owner_id = o.owner_id as is_of_one
      from ledger_transfers t
      left join ledger_accounts f on f.id = t.from_account
      left join ledger_accounts o on o.id = t.to_account
     where t.seq >= $1 and t.seq < $2
  ), expected as materialized (${EXPECTED})`

/** SQL condition: no act is found for an adjustment, and its act may be a detached one: acts before $3 are detached. */
const IS_DETACHED = `(e.seq is null and t.cause = 'adjust' and t.created_at < $3::timestamptz + ${APART})`

const UNCOMPARED = `${COMPARED}
  select count(*)::int4 as n from part t left join expected e on e.seq = t.seq where ${IS_DETACHED}`

const UNEXPLAINED = `${COMPARED}
  select 'TRANSFER_UNLIKE_ITS_CAUSE' as rule, t.wallet_account::text as "accountId", 'as its cause says' as expected,
      'transfer ' || t.id || ': ' || array_to_string(n.unlike, ', ') as found
    from part t left join expected e on e.seq = t.seq
   cross join lateral (select array_remove(array[
       case when e.seq is null then 'nothing caused it' end,
       case when e.reason <> t.reason then 'reason' end,
       case when e.actor is distinct from t.actor and e.seq is not null then 'actor' end,
       case when e.ref <> t.ref then 'ref' end,
       case when not e.is_note then 'note' end,
       case when e.seq is not null and (e.from_kind is distinct from t.from_kind or e.to_kind is distinct from t.to_kind
         or e.owner_id is distinct from t.owner_id or not t.is_of_one) then 'accounts' end,
       case when e.amount is distinct from t.amount and e.seq is not null then 'amount' end,
       case when e.seq is not null and not coalesce(abs(extract(epoch from e.at - t.created_at)) <= extract(epoch from ${APART}), false)
         then 'created_at' end
     ], null) as unlike) n
   where cardinality(n.unlike) > 0 and ${IS_DETACHED} is not true
   order by t.seq
   limit ${TOLD}`

export interface LedgerAudit extends LedgerReport, Omit<ExplainedTransfers, 'findings'> {}

/** Runs a full check and `explainTransfers`. Only a finding of the full check closes money acts. */
export async function auditLedger(db: Database): Promise<LedgerAudit> {
  const report = await verifyLedger(db, true)
  const explained = await explainTransfers(db)
  return { ...report, ...explained, findings: [...report.findings, ...explained.findings] }
}
