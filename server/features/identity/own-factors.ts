import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import {
  addFactor,
  closeChallenge,
  newRecoveryCodes,
  type NewFactor,
  type Proof,
  proveFactor,
  removeFactor,
  takeTry,
} from '#server/features/factors/index.ts'
import { lockSubject } from '#server/platform/auth.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/errors.ts'
import { factorName } from './finish-sign-in.ts'
import { markProven } from './fresh-factor.ts'
import { giveBack, type PasswordLimits, READ_NOTHING } from './password-limits.ts'
import type { IdentityDeps } from './ports.ts'

type Deps = Pick<IdentityDeps, 'db' | 'settings' | 'clock' | 'hints'>

/** Proves an own factor within this session, where it then counts as fresh (rules §4.10). */
export async function proveOwnFactor(
  deps: Deps,
  limits: PasswordLimits,
  subject: Subject,
  proof: Proof & { readonly challenge: string },
  ip: string,
): Promise<RefusedBy<'prove'> | null> {
  const { db } = deps
  const attempt = await limits.guard(
    { username: factorName(subject.userId), ip, knownAs: `session ${subject.sessionId}` },
    READ_NOTHING,
    () =>
      db.tx(async (tx): Promise<RefusedBy<'prove'> | { isProven: true } | null> => {
        const current = await lockSubject(tx, subject, 'own-factor')
        if (isRefused(current)) return current
        const challenge = await takeTry(tx, proof.challenge, 'proof', subject.sessionId)
        if (challenge === null) return refuse('FACTOR_STEP_OVER')
        if (!(await proveFactor(tx, deps, challenge, proof))) return null
        await closeChallenge(tx, challenge)
        await markProven(tx, subject.sessionId)
        return { isProven: true }
      }),
  )
  if (attempt.is === 'wrong') return refuse('FACTOR_WRONG')
  if (attempt.is === 'blocked') return refuse('LOGIN_BLOCKED', undefined, attempt.forS)
  if (isRefused(attempt.value)) return attempt.value
  await giveBack(db, attempt.attemptId)
  return null
}

/** Finishes adding an own factor; its first use counts as a proof in this session. */
export async function addOwnFactor(
  deps: Deps,
  subject: Subject,
  challengeText: string,
  added: NewFactor,
): Promise<RefusedBy<'addTotp'> | { recoveryCodes: string[] | null }> {
  const purpose = 'code' in added ? 'add-totp' : 'add-passkey'
  return deps.db.tx(async (tx) => {
    const current = await lockSubject(tx, subject, 'own-factor')
    if (isRefused(current)) return current
    const challenge = await takeTry(tx, challengeText, purpose, subject.sessionId)
    if (challenge === null) return refuse('FACTOR_STEP_OVER')
    const factor = await addFactor(tx, deps, challenge, added)
    if (isRefused(factor)) return factor
    await closeChallenge(tx, challenge)
    await markProven(tx, subject.sessionId)
    await recordAct(tx, {
      actor: subject.userId,
      act: 'user.add-factor',
      target: `user:${subject.userId}`,
      before: null,
      after: { kind: factor.kind, name: added.name },
      reason: null,
    })
    tx.afterCommit(() => deps.hints.accountChanged(subject.userId))
    return { recoveryCodes: factor.recoveryCodes === null ? null : [...factor.recoveryCodes] }
  })
}

/** Removes an own factor. */
export async function removeOwnFactor(
  deps: Deps,
  subject: Subject,
  factorId: string,
): Promise<RefusedBy<'removeFactor'> | null> {
  return deps.db.tx(async (tx) => {
    const current = await lockSubject(tx, subject, 'own-factor')
    if (isRefused(current)) return current
    const removed = await removeFactor(tx, deps, subject.userId, factorId)
    if (isRefused(removed)) return removed
    await recordAct(tx, {
      actor: subject.userId,
      act: 'user.remove-factor',
      target: `user:${subject.userId}`,
      before: { kind: removed.kind, name: removed.name },
      after: null,
      reason: null,
    })
    return null
  })
}

/** Replaces the own recovery codes; an account without a factor has none. */
export async function renewOwnRecoveryCodes(
  { db }: Pick<Deps, 'db'>,
  subject: Subject,
): Promise<RefusedBy<'newRecoveryCodes'> | { recoveryCodes: string[] }> {
  return db.tx(async (tx) => {
    const current = await lockSubject(tx, subject, 'own-factor')
    if (isRefused(current)) return current
    const { rowCount } = await tx.query(`select 1 from staff_factors where user_id = $1 limit 1`, [subject.userId])
    if (rowCount === 0) return refuse('NOT_FOUND')
    const recoveryCodes = await newRecoveryCodes(tx, subject.userId)
    await recordAct(tx, {
      actor: subject.userId,
      act: 'user.new-recovery-codes',
      target: `user:${subject.userId}`,
      before: null,
      after: null,
      reason: null,
    })
    return { recoveryCodes }
  })
}
