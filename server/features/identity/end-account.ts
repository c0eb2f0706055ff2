import type { Role } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { dropFactors } from '#server/features/factors/index.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { AccountHints } from './ports.ts'
import { endSessions } from './sessions.ts'

/**
 * Ends an account for good, by staff or by its owner (rules §4.6, §4.8). The caller holds the user's locks and has made
 * sure that nothing is open.
 */
export async function endAccount(
  tx: Tx,
  hints: AccountHints,
  user: { readonly id: string; readonly username: string; readonly role: Role },
  by: { readonly actor: string; readonly act: 'user.delete' | 'user.close' },
): Promise<void> {
  await tx.query(
    `update users set deleted_at = clock_timestamp(), access_changed_at = clock_timestamp(), ip = null,
        row_version = row_version + 1 where id = $1`,
    [user.id],
  )
  await endSessions(tx, user.id, 'deleted')
  await dropFactors(tx, user.id)
  await recordAct(tx, { ...by, target: `user:${user.id}`, before: { username: user.username, role: user.role } })
  tx.afterCommit(() => hints.accountChanged(user.id))
}
