import type { StaffUser } from '#contract/staff-users.ts'
import { type Capability, inOrder, type Role, type Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import { dropFactors } from '#server/features/factors/index.ts'
import { recordFactorChange } from '#server/features/notices/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { isOnlyOwner, lockForGood, readOwnerIds, writeCapabilities } from './admins.ts'
import type { IdentityDeps } from './ports.ts'
import { readUser, toStaffUser } from './queries.ts'
import { endSessions } from './sessions.ts'

/**
 * Sets an admin's capabilities, if the admin's row still has the version that the acting owner saw (rules §4.5).
 * Sessions stay; open sockets are closed within a second, so that clients reconnect with the new capabilities.
 * @param version "{row}.{wallet}", as on the wire; only its row part is compared
 */
export async function grantCapabilities(
  { db, hints }: IdentityDeps,
  subject: Subject,
  userId: string,
  wished: readonly Capability[],
  version: string,
): Promise<StaffUser | RefusedBy<'grantCapabilities'>> {
  const capabilities = inOrder(wished)
  return retrying(db, async (tx) => {
    // An owner who is added between `readOwnerIds` and the lock is not locked. Two owners still can't resign at once:
    // to resign, the new owner must lock all other owners first, too.
    const actor = await lockSubject(tx, subject, 'staff:owner', [userId, ...(await readOwnerIds(tx))])
    if (isRefused(actor)) return actor
    const row = await readUser(tx, userId)
    if (row === null) return refuse('NOT_FOUND')
    if (row.deletedAtMs !== null) return refuse('USER_DELETED')
    if (row.role !== 'admin') return refuse('NOT_AN_ADMIN')
    const before = inOrder(row.capabilities)
    if (before.join() === capabilities.join()) return toStaffUser(row, subject)
    if (BigInt(version.split('.')[0] ?? '') !== row.rowVersion) return refuse('STALE')
    if (!capabilities.includes('owner') && (await isOnlyOwner(tx, userId))) return refuse('LAST_OWNER')
    await writeCapabilities(tx, userId, capabilities)
    await queueAct(tx, 'staff.grant', subject.userId, {
      reason: { text: `${namesOf(before)} → ${namesOf(capabilities)}`, ref: `user:${userId}` },
    })
    const after = await readUser(tx, userId)
    if (after === null) throw new Error('The user is gone while locked')
    await recordAct(tx, subject.userId, 'user.grant', `user:${userId}`, {
      before: { capabilities: before },
      after: { capabilities },
    })
    tx.afterCommit(() => hints.accountChanged(userId))
    return toStaffUser(after, subject)
  })
}

/** Returns capabilities as text for a reason in the open book, which the admin concerned can read. */
export const namesOf = (capabilities: readonly Capability[]): string => capabilities.join(' ') || 'read-only'

/** Changes a user's role and ends all sessions of the user. A new admin has no capabilities (rules §4.5). */
export const setRole = ({ db, hints }: IdentityDeps, subject: Subject, userId: string, role: Role, version: string) =>
  retrying(db, async (tx) => {
    const row = await lockForGood(tx, subject, 'staff:owner', userId)
    if (isRefused(row)) return row
    if (row.role === role) return toStaffUser(row, subject)
    if (BigInt(version.split('.')[0] ?? '') !== row.rowVersion) return refuse('STALE')
    await tx.query(
      `update users set role = $2, capabilities = '{}', row_version = row_version + 1, access_changed_at = clock_timestamp() where id = $1`,
      [userId, role],
    )
    await endSessions(tx, userId, 'role-changed')
    // Factors are removed, because a passkey alone opens a player's account but must not open an admin's (rules §4.12).
    if ((await dropFactors(tx, userId)) > 0) await recordFactorChange(tx, userId, 'reset', '')
    const after = await readUser(tx, userId)
    if (after === null) throw new Error('The user is gone while locked')
    await recordAct(tx, subject.userId, 'user.set-role', `user:${userId}`, {
      before: { role: row.role },
      after: { role },
    })
    tx.afterCommit(() => hints.accountChanged(userId))
    return toStaffUser(after, subject)
  })
