import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import {
  addFactor,
  closeChallenge,
  dropFactors,
  newRecoveryCodes,
  type NewFactor,
  offerProof,
  type Proof,
  readUndoable,
  removeFactor,
  takeTry,
} from '#server/features/factors/index.ts'
import { type FactorChange, recordFactorChange } from '#server/features/notices/index.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { changeOnce, type OwnChange, replacePassword, verifyOwnPassword } from './change-password.ts'
import { guardProof, type Judged, notRight } from './finish-sign-in.ts'
import { askNoSession, askOtherSessions, markProven } from './fresh-factor.ts'
import type { PasswordLimits } from './password-limits.ts'
import type { IdentityDeps } from './ports.ts'

type Deps = Pick<IdentityDeps, 'db' | 'settings' | 'clock' | 'hints'>

/** Checks a proof of one of the user's own factors. A right one is a fresh proof in this session (rules §4.10). */
export async function proveOwnFactor(
  deps: Deps,
  limits: PasswordLimits,
  subject: Subject,
  proof: Proof & { readonly challenge: string },
  ip: string,
): Promise<RefusedBy<'prove'> | null> {
  const { userId, sessionId } = subject
  const counted = { userId, ip, knownAs: `session ${sessionId}` }
  const judge = async (tx: Tx): Promise<Judged<RefusedBy<'prove'> | null> | null> => {
    const current = await lockSubject(tx, subject, 'own-passkey')
    if (isRefused(current)) return { answer: current, isGuess: true }
    const offered = await offerProof(tx, deps, { challenge: proof.challenge, purpose: 'proof', sessionId }, proof)
    if (offered !== 'right') return notRight[offered]
    await markProven(tx, sessionId)
    return { answer: null, isGuess: false }
  }
  return guardProof(deps.db, limits, counted, 'FACTOR_WRONG', judge)
}

/** Checks a player's own password. A right one counts as a fresh proof in this session (rules §4.12). */
export async function provePassword(
  deps: Deps,
  limits: PasswordLimits,
  subject: Subject,
  password: string,
  ip: string,
): Promise<RefusedBy<'prove'> | null> {
  const verified = await verifyOwnPassword(limits, subject, password, ip, async () => null)
  if (isRefused(verified)) return verified
  return actingOnce(deps.db, subject, 'player', async (tx, current) => {
    // An admin's password is no proof of a second factor: it was the first factor at the sign-in.
    if (current.role !== 'player') return refuse('PASSWORD_WRONG')
    await markProven(tx, subject.sessionId)
    return null
  })
}

export async function notifyOfFactor(
  tx: Tx,
  { hints }: Pick<IdentityDeps, 'hints'>,
  userId: string,
  change: FactorChange,
  name: string,
): Promise<void> {
  await recordFactorChange(tx, userId, change, name)
  tx.afterCommit(() => hints.noticesChanged(userId))
}

/**
 * Adds a factor to the user's own account. The factor counts as proven in this session. If it is an admin's first
 * factor and second factors are not off, the admin's other sessions must prove it (rules §4.10).
 */
export async function addOwnFactor(
  deps: Deps,
  subject: Subject,
  challengeText: string,
  added: NewFactor,
): Promise<RefusedBy<'addTotp'> | { recoveryCodes: string[] | null }> {
  const isTotp = 'code' in added
  const purpose = isTotp ? 'add-totp' : 'add-passkey'
  return actingOnce(deps.db, subject, isTotp ? 'own-factor' : 'own-passkey', async (tx, current) => {
    const challenge = await takeTry(tx, challengeText, purpose, subject.sessionId, added)
    if (challenge === null || challenge === 'repeated') return refuse('FACTOR_STEP_OVER')
    const factor = await addFactor(tx, deps, challenge, added, current.role)
    if (isRefused(factor)) return factor
    await closeChallenge(tx, challenge, challengeText, added)
    await markProven(tx, subject.sessionId)
    const isAsked = factor.recoveryCodes !== null && deps.settings.staffSecondFactor !== 'off'
    if (isAsked) await askOtherSessions(tx, subject)
    await notifyOfFactor(tx, deps, subject.userId, 'added', added.name)
    await recordAct(tx, subject.userId, 'user.add-factor', `user:${subject.userId}`, {
      after: { kind: factor.kind, name: added.name },
    })
    tx.afterCommit(() => deps.hints.accountChanged(subject.userId))
    return { recoveryCodes: factor.recoveryCodes === null ? null : [...factor.recoveryCodes] }
  })
}

export const removeOwnFactor = (deps: Deps, subject: Subject, factorId: string) =>
  actingOnce(deps.db, subject, 'own-passkey', async (tx, current) => {
    const removed = await removeFactor(tx, deps, current, factorId)
    if (isRefused(removed)) return removed
    await askNoSession(tx, subject.userId)
    await notifyOfFactor(tx, deps, subject.userId, 'removed', removed.name)
    await recordAct(tx, subject.userId, 'user.remove-factor', `user:${subject.userId}`, {
      before: { kind: removed.kind, name: removed.name },
    })
    return null
  })

/**
 * Takes back the account's first factor, if a session that began after this one added it. Removes all other factors and
 * the recovery codes, too (rules §4.10). Sets `newPassword`, because somebody else may know the present password, and
 * ends the other sessions.
 */
export async function undoFactors(
  deps: Deps,
  limits: PasswordLimits,
  subject: Subject,
  change: OwnChange,
): Promise<RefusedBy<'undoFactors'> | null> {
  const { userId, sessionId } = subject
  const asked = { ...change, route: 'undo-factors', access: 'own-factor' } as const
  return changeOnce(deps, limits, subject, asked, async (tx, verified) => {
    const undone = await readUndoable(tx, userId, sessionId)
    if (undone === null) return refuse('FACTOR_UNDO_ELSEWHERE')
    if (!(await replacePassword(tx, deps, subject, verified, undone.ownDevice))) return refuse('PASSWORD_WRONG')
    const factors = await dropFactors(tx, userId)
    await tx.query(`update sessions set must_add_factor = $2 where id = $1`, [
      sessionId,
      deps.settings.staffSecondFactor === 'required',
    ])
    await notifyOfFactor(tx, deps, userId, 'undone', undone.name)
    await recordAct(tx, userId, 'user.undo-factors', `user:${userId}`, { before: { factors, name: undone.name } })
    return null
  })
}

export const renewOwnRecoveryCodes = (deps: Deps, subject: Subject) =>
  actingOnce(deps.db, subject, 'own-factor', async (tx) => {
    const { rowCount } = await tx.query(`select 1 from staff_factors where user_id = $1 limit 1`, [subject.userId])
    if (rowCount === 0) return refuse('NOT_FOUND')
    const recoveryCodes = await newRecoveryCodes(tx, subject.userId)
    await notifyOfFactor(tx, deps, subject.userId, 'codes', '')
    await recordAct(tx, subject.userId, 'user.new-recovery-codes', `user:${subject.userId}`)
    return { recoveryCodes }
  })
