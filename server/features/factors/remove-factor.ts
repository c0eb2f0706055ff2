import type { Subject } from '#domain/identity/permissions.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { type Refused, refuse } from '#server/platform/http/errors.ts'
import { dropChallenges } from './challenges.ts'
import type { FactorDeps } from './ports.ts'

/**
 * Removes a factor, the user's pending challenges and, with the last factor, the recovery codes. Refuses to remove the
 * last factor of an admin while a second factor is required. The caller has locked the user's row.
 */
export async function removeFactor(
  tx: Tx,
  { settings }: FactorDeps,
  { userId, role }: Pick<Subject, 'userId' | 'role'>,
  factorId: string,
): Promise<{ kind: 'totp' | 'passkey'; name: string } | Refused<'NOT_FOUND' | 'LAST_FACTOR'>> {
  const { rows } = await tx.query<{ id: string; kind: 'totp' | 'passkey'; name: string }>(
    `select id, kind, name from staff_factors where user_id = $1`,
    [userId],
  )
  const row = rows.find(({ id }) => id === factorId)
  if (row === undefined) return refuse('NOT_FOUND')
  if (rows.length === 1) {
    if (role === 'admin' && settings.staffSecondFactor === 'required') return refuse('LAST_FACTOR')
    await dropFactors(tx, userId)
  } else {
    await tx.query(`delete from staff_factors where id = $1`, [factorId])
    await dropChallenges(tx, userId)
  }
  return { kind: row.kind, name: row.name }
}

/** Removes all factors, recovery codes and challenges of a locked user. Returns the number of removed factors. */
export async function dropFactors(tx: Tx, userId: string): Promise<number> {
  const { rowCount } = await tx.query(`delete from staff_factors where user_id = $1`, [userId])
  await tx.query(`delete from recovery_codes where user_id = $1`, [userId])
  await dropChallenges(tx, userId)
  return rowCount
}
