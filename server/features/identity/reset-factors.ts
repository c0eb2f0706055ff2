import { usernameKey } from '#domain/identity/credentials.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { dropFactors } from '#server/features/factors/index.ts'
import { lockSubject } from '#server/platform/auth.ts'
import type { Database, Queryable, Tx } from '#server/platform/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/errors.ts'
import type { OwnSession } from '#contract/own-account.ts'
import { readSessions } from './own-sessions.ts'
import type { IdentityDeps } from './ports.ts'
import { endSession, endSessions } from './sessions.ts'

/** True when this is an admin's account that still exists. */
async function isAdmin(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(`select 1 from users where id = $1 and role = 'admin' and deleted_at is null`, [
    userId,
  ])
  return rowCount === 1
}

/** Removes another admin's second factors, who lost them; every session of theirs ends (rules §4.10). */
export async function resetFactors(
  { db, hints }: Pick<IdentityDeps, 'db' | 'hints'>,
  subject: Subject,
  userId: string,
): Promise<RefusedBy<'resetFactors'> | null> {
  if (userId === subject.userId) return refuse('NOT_YOURSELF')
  return db.tx(async (tx) => {
    const current = await lockSubject(tx, subject, 'staff:owner', [userId])
    if (isRefused(current)) return current
    if (!(await isAdmin(tx, userId)) || (await reset(tx, userId, subject.userId)) === 0) return refuse('NOT_FOUND')
    tx.afterCommit(() => hints.accountChanged(userId))
    return null
  })
}

/** Answers how many factors there were; without any nothing changes. The user's row is locked. */
async function reset(tx: Tx, userId: string, actor: string): Promise<number> {
  const factors = await dropFactors(tx, userId)
  if (factors === 0) return 0
  await endSessions(tx, userId, 'logout')
  await recordAct(tx, {
    actor,
    act: 'user.reset-factors',
    target: `user:${userId}`,
    before: { factors },
    after: null,
    reason: null,
  })
  return factors
}

/** What the operator's command found: no such admin, one without a second factor, or how many factors it removed. */
export type FactorResetReport =
  | { readonly is: 'refused'; readonly why: 'NO_ADMIN' | 'NO_FACTOR' }
  | { readonly is: 'reset'; readonly factors: number }

/** The same by an operator on the machine, for an admin whom no colleague can help. */
export async function resetFactorsByOperator(db: Database, username: string): Promise<FactorResetReport> {
  return db.tx(async (tx): Promise<FactorResetReport> => {
    const { rows } = await tx.query<{ id: string }>(
      `select id from users where username_key = $1 and role = 'admin' and deleted_at is null for update`,
      [usernameKey(username)],
    )
    const user = rows[0]
    if (user === undefined) return { is: 'refused', why: 'NO_ADMIN' }
    const factors = await reset(tx, user.id, 'system')
    return factors === 0 ? { is: 'refused', why: 'NO_FACTOR' } : { is: 'reset', factors }
  })
}

/** An admin's valid sessions, as an owner sees them. */
export const readStaffSessions = async (
  db: Queryable,
  userId: string,
): Promise<OwnSession[] | RefusedBy<'listStaffSessions'>> =>
  (await isAdmin(db, userId)) ? readSessions(db, userId, null) : refuse('NOT_FOUND')

/** Ends every session of another admin, or the one with `sessionId`. Answers how many were valid. */
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
    await recordAct(tx, {
      actor: subject.userId,
      act: 'user.end-sessions',
      target: `user:${userId}`,
      before: { sessions: ended },
      after: null,
      reason: null,
    })
    tx.afterCommit(() => hints.accountChanged(userId))
    return { ended }
  })
}
