import { type Candidate, secondPeople } from '#domain/four-eyes/proposal.ts'
import type { Queryable } from '#server/platform/database/db.ts'

/**
 * SQL of a JSON array with the possible second people of a proposal `p`: the admins with `money`, except the proposer
 * and the player. `moneySinceMs`: since when the admin has had `money` without interruption. `gaveAtMs`: when the admin
 * last gave the proposer `money`, set the proposer's password or removed the proposer's second factors; null if never.
 * An owner's act counts as the admin's, too, if the admin made this owner an owner, set the owner's password or removed
 * the owner's second factors, directly or through other owners. Only acts in the 24 hours before the proposal count.
 */
export const CANDIDATES = `(
  with recursive proposed (seq) as (
    select q.seq from audit_log q where q.act = 'money.propose' and q.target = 'user:' || p.owner_id
      and q.after->>'proposalId' = p.id::text),
  givers (id, at) as (
    select a.actor, a.at from audit_log a
     where a.target = 'user:' || p.proposed_by and ${gave('money')}
    union
    select a.actor, g.at from givers g join audit_log a on a.target = 'user:' || g.id and ${gave('owner')})
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'username', s.username,
      'moneySinceMs', floor(extract(epoch from s.money_since) * 1000),
      'gaveAtMs', (select floor(extract(epoch from max(g.at)) * 1000) from givers g where g.id = s.id::text))
      order by s.money_since, s.username), '[]')
    from users s
   where s.role = 'admin' and s.money_since is not null and s.id not in (p.proposed_by, p.owner_id))`

/** SQL condition: in the 24 hours before `p`, act `a` gave the capability, set a password or removed second factors. */
function gave(capability: 'money' | 'owner'): string {
  // The order of the audit log says what came before the proposal: times may disagree if the clock was set back.
  return `a.at > p.proposed_at - interval '24 hours' and not exists (select from proposed where proposed.seq < a.seq)
    and (a.act = 'user.reset-factors' or a.act = 'user.update' and a.after->>'password' = 'set' or a.act = 'user.grant'
      and a.after->'capabilities' ? '${capability}' and not coalesce(a.before->'capabilities' ? '${capability}', false))`
}

/** Returns since when this admin has had `money`, in Unix ms; null if the admin may not confirm the proposal now. */
export async function readConfirmerSince(
  q: Queryable,
  proposalId: string,
  adminId: string,
  nowMs: number,
): Promise<number | null> {
  const { rows } = await q.query<{ proposed_at: Date; candidates: Candidate[] }>(
    `select p.proposed_at, ${CANDIDATES} as candidates from money_proposals p where p.id = $1`,
    [proposalId],
  )
  const row = rows[0]
  const own = row && secondPeople(row.proposed_at.getTime(), row.candidates).find(({ id }) => id === adminId)
  return own === undefined || own.fromMs > nowMs ? null : own.moneySinceMs
}
