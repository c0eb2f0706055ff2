import type { RefusalCode } from '#contract/refusals.ts'
import type { Database } from '#server/platform/database/db.ts'

/**
 * Changes that may happen to an account between the two steps of an act, by SQL with the user's id, and how every act
 * but reading one's own data is refused then (rules §4.1).
 */
export const ACCOUNT_CHANGES = [
  ['frozen', `update users set is_frozen = true where id = $1`, 'ACCOUNT_PAUSED'],
  ['to change the password', `update users set must_change_password = true where id = $1`, 'MUST_CHANGE_PASSWORD'],
  ['deleted', `update users set deleted_at = clock_timestamp() where id = $1`, 'UNAUTHORIZED'],
  ['signed out', `update sessions set ended_at = clock_timestamp() where user_id = $1`, 'UNAUTHORIZED'],
  ['of an expired session', `update sessions set expires_at = clock_timestamp() where user_id = $1`, 'UNAUTHORIZED'],
  [
    'to prove a factor',
    `with f as (insert into staff_factors (id, user_id, kind, name, sealed_secret)
       values (gen_random_uuid(), $1, 'totp', 'x', decode('00', 'hex')))
     update sessions set must_add_factor = true where user_id = $1`,
    'FACTOR_REQUIRED',
  ],
] as const satisfies ReadonlyArray<readonly [string, string, RefusalCode]>

/** The number of rows of a table. */
export const countRows = async (db: Database, table: string): Promise<number> =>
  (await db.query(`select 1 from ${table}`)).rowCount ?? 0
