import type { FactorStep } from '#contract/sign-in.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'

type Undoable = NonNullable<FactorStep['undoable']> & { readonly ownDevice: Uint8Array }

/**
 * Returns the account's first factor if this session may undo its addition (rules §4.10). The session must be older
 * than the one that added the factor, and on another device, which must be the account's oldest known device. If only
 * the session's age counted, somebody who knows the password could sign in early and later remove the owner's factor.
 */
export async function readUndoable(q: Queryable, userId: string, sessionId: string): Promise<Undoable | null> {
  const { rows } = await q.query<Undoable & Row>(
    `select f.name, ${msSql('f.created_at')} as "addedAtMs", by.ip, by.user_agent as "userAgent", own.device_hash as "ownDevice"
       from (select * from staff_factors where user_id = $1 order by created_at, id limit 1) f
       join sessions by on by.id = f.added_in
       join sessions own on own.id = $2 and own.user_id = $1
      where own.must_add_factor and own.factor_at is null and own.created_at < by.created_at
        and own.device_hash is distinct from by.device_hash
        and own.device_hash = (select d.secret_hash from known_devices d where d.user_id = $1
          order by d.created_at, d.secret_hash limit 1)`,
    [userId, sessionId],
  )
  return rows[0] ?? null
}
