import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import type { OwnSession } from '#contract/own-account.ts'
import { dropFactorsOf } from './admins.ts'
import { readSessions } from './own-sessions.ts'
import type { IdentityDeps } from './ports.ts'
import { endSession, endSessions } from './sessions.ts'

async function isAdmin(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(`select 1 from users where id = $1 and role = 'admin' and deleted_at is null`, [
    userId,
  ])
  return rowCount === 1
}

/** Removes all factors of another admin, for instance lost ones, and ends that admin's sessions (rules §4.10). */
export async function resetFactors(
  { db, hints }: Pick<IdentityDeps, 'db' | 'hints'>,
  subject: Subject,
  userId: string,
): Promise<RefusedBy<'resetFactors'> | null> {
  if (userId === subject.userId) return refuse('NOT_YOURSELF')
  return db.tx(async (tx) => {
    const current = await lockSubject(tx, subject, 'staff:owner', [userId])
    if (isRefused(current)) return current
    const factors = (await isAdmin(tx, userId)) ? await dropFactorsOf(tx, userId) : 0
    if (factors === 0) return refuse('NOT_FOUND')
    await recordAct(tx, subject.userId, 'user.reset-factors', `user:${userId}`, { before: { factors } })
    tx.afterCommit(() => hints.accountChanged(userId))
    return null
  })
}

/** Returns an admin’s valid sessions, with IP addresses only for a reader with the capability `users` (rules §4.5). */
export async function readStaffSessions(
  db: Queryable,
  { capabilities }: Subject,
  userId: string,
): Promise<OwnSession[] | RefusedBy<'listStaffSessions'>> {
  if (!(await isAdmin(db, userId))) return refuse('NOT_FOUND')
  const sessions = await readSessions(db, userId, null)
  return capabilities.includes('users') ? sessions : sessions.map((session) => ({ ...session, ip: null }))
}

export async function endStaffSessions(
  { db, hints }: Pick<IdentityDeps, 'db' | 'hints'>,
  subject: Subject,
  userId: string,
  sessionId: string | null,
): Promise<RefusedBy<'endStaffSessions'> | { ended: number }> {
  if (userId === subject.userId) return refuse('NOT_YOURSELF')
  return db.tx(async (tx) => {
    const current = await lockSubject(tx, subject, 'staff:owner', [userId])
    if (isRefused(current)) return current
    if (!(await isAdmin(tx, userId))) return refuse('NOT_FOUND')
    if (sessionId !== null && !(await endSession(tx, userId, sessionId))) return refuse('NOT_FOUND')
    const ended = sessionId === null ? await endSessions(tx, userId, 'logout') : 1
    await recordAct(tx, subject.userId, 'user.end-sessions', `user:${userId}`, { before: { sessions: ended } })
    tx.afterCommit(() => hints.accountChanged(userId))
    return { ended }
  })
}
