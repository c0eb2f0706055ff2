import { usernameKey } from '#domain/identity/credentials.ts'
import { findChallenge, offerProof, type Proof } from '#server/features/factors/index.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { sql, statement } from '#server/platform/database/sql.ts'
import { type Device, deviceOf, REMEMBER_DEVICE } from './known-devices.ts'
import { knownDevice, tellOfNewDevice } from './login.ts'
import { giveBack, type PasswordLimits, READ_NOTHING } from './password-limits.ts'
import type { IdentityDeps, OpenedSession, Origin } from './ports.ts'
import { INSERT_SESSION, newSession } from './sessions.ts'

export interface SignInProof extends Proof {
  readonly challenge: string
  readonly deviceSecret?: string | undefined
}

/** Failures of a second factor are counted apart from those of the password, by a name that no account can have. */
export const factorName = (userId: string): string => `factor ${userId}`

const OPEN_PROVEN_SESSION = statement(
  sql`with u as (update users set ip = ${'ip'} where id = ${'userId'} returning id),
     ${REMEMBER_DEVICE}
     ${INSERT_SESSION}`,
)

type Deps = Pick<IdentityDeps, 'db' | 'settings' | 'clock' | 'hints'>

/** Finishes a sign-in whose password was right: the session begins with a proven factor (rules §4.10). */
export async function finishSignIn(
  deps: Deps,
  limits: PasswordLimits,
  proof: SignInProof,
  origin: Origin,
): Promise<OpenedSession | RefusedBy<'finishSignIn'>> {
  const { db } = deps
  const who = await findChallenge(db, proof.challenge)
  if (who === null) return refuse('FACTOR_STEP_OVER')
  const device = await deviceOf(db, usernameKey(who.username), proof.deviceSecret)
  const attempt = await limits.guard(
    { username: factorName(who.userId), ip: origin.ip, knownAs: knownDevice(device) },
    READ_NOTHING,
    () => db.tx((tx) => openProven(tx, deps, who.userId, proof, device, origin)),
  )
  if (attempt.is === 'wrong') return refuse('FACTOR_WRONG')
  if (attempt.is === 'blocked') return refuse('LOGIN_BLOCKED', undefined, attempt.forS)
  const { answer, isGuess } = attempt.value
  if (!isGuess) await giveBack(db, attempt.attemptId)
  return answer
}

/**
 * How an attempt counts that is not wrong. A step that ended meanwhile says nothing of the proof, but is not given back
 * either: it would be a free try. What was right once is no guess, whoever sends it again.
 */
export interface Judged<T> {
  readonly answer: T
  readonly isGuess: boolean
}
export const notRight = {
  wrong: null,
  used: { answer: refuse('FACTOR_WRONG'), isGuess: false },
  repeated: { answer: refuse('FACTOR_STEP_OVER'), isGuess: false },
  over: { answer: refuse('FACTOR_STEP_OVER'), isGuess: true },
} as const

/** Null where the proof is wrong. */
async function openProven(
  tx: Tx,
  deps: Deps,
  userId: string,
  proof: SignInProof,
  device: Device,
  origin: Origin,
): Promise<Judged<OpenedSession | RefusedBy<'finishSignIn'>> | null> {
  const { rows } = await tx.query<{ must_change_password: boolean; has_devices: boolean }>(
    `with locked as materialized (
       select id, must_change_password from users where id = $1 and deleted_at is null for update)
     select must_change_password, exists (select from known_devices d where d.user_id = locked.id) as has_devices
       from locked`,
    [userId],
  )
  const user = rows[0]
  if (user === undefined) return notRight.over
  const step = { challenge: proof.challenge, purpose: 'sign-in', sessionId: null } as const
  const offered = await offerProof(tx, deps, step, proof)
  if (offered !== 'right') return notRight[offered]
  const session = newSession(userId, origin, device, { isProven: true, mustAdd: false })
  await tx.query(...OPEN_PROVEN_SESSION({ ...session.values, userId }))
  if (user.has_devices && !device.isKnown) await tellOfNewDevice(tx, deps, userId, session.values.sessionId)
  const { token: accessToken } = session
  const answer = { accessToken, mustChangePassword: user.must_change_password, deviceSecret: device.secret }
  return { answer, isGuess: false }
}
