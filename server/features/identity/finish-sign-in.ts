import type { BodyOf } from '#contract/endpoints.ts'
import { usernameKey } from '#domain/identity/credentials.ts'
import type { Role } from '#domain/identity/permissions.ts'
import {
  findChallenge,
  findPasskeyOwner,
  isNobodysStep,
  offerPasskey,
  offerProof,
} from '#server/features/factors/index.ts'
import type { Database, Row, Tx } from '#server/platform/database/db.ts'
import { type Refused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { sql, statement } from '#server/platform/database/sql.ts'
import { type Device, deviceOf, REMEMBER_DEVICE } from './known-devices.ts'
import { knownDevice, notifyOfNewDevice, sessionOf } from './login.ts'
import { type PasswordLimits, READ_NOTHING } from './password-limits.ts'
import type { IdentityDeps, OpenedSession, Origin } from './ports.ts'
import { INSERT_SESSION, newSession } from './sessions.ts'

const OPEN_PROVEN_SESSION = statement(
  sql`with u as (update users set ip = ${'ip'} where id = ${'userId'} returning id),
     ${REMEMBER_DEVICE}
     ${INSERT_SESSION}`,
)

type Deps = Pick<IdentityDeps, 'db' | 'settings' | 'clock' | 'hints'>

/** Finishes a sign-in whose password was right: opens the session if the second factor is proven, too (rules §4.10). */
export async function finishSignIn(
  deps: Deps,
  limits: PasswordLimits,
  proof: BodyOf<'finishSignIn'>,
  origin: Origin,
): Promise<OpenedSession | RefusedBy<'finishSignIn'>> {
  const { db } = deps
  const who = await findChallenge(db, proof.challenge)
  if (who === null) return refuse('FACTOR_STEP_OVER')
  const device = await deviceOf(db, usernameKey(who.username), proof.deviceSecret)
  const counted = { userId: who.userId, ip: origin.ip, knownAs: knownDevice(device) }
  const judge = async (tx: Tx): Promise<Judged<OpenedSession | RefusedBy<'finishSignIn'>> | null> => {
    const user = await lockSigningIn(tx, who.userId, null)
    if (user === undefined) return notRight.over
    const step = { challenge: proof.challenge, purpose: 'sign-in', sessionId: null } as const
    const offered = await offerProof(tx, deps, step, proof)
    return offered === 'right' ? openSession(tx, deps, user, device, origin) : notRight[offered]
  }
  return guardProof(db, limits, counted, 'FACTOR_WRONG', judge)
}

/** Counts an attempt at a proof, and runs `judge` in a transaction. `judge` returns null if the proof is wrong. */
export async function guardProof<T, Wrong extends 'FACTOR_WRONG' | 'PASSKEY_WRONG'>(
  db: Database,
  limits: PasswordLimits,
  { userId, ip, knownAs }: { readonly userId: string; readonly ip: string; readonly knownAs: string | null },
  wrong: Wrong,
  judge: (tx: Tx) => Promise<Judged<T> | null>,
): Promise<T | Refused<Wrong | 'LOGIN_BLOCKED'>> {
  // Attempts at proofs are counted apart from attempts at passwords, under a name that nobody can send: it has a NUL.
  const attempt = await limits.guard({ username: `factor\0${userId}`, ip, knownAs }, READ_NOTHING, () => db.tx(judge))
  if (attempt.is === 'wrong') return refuse(wrong)
  if (attempt.is === 'blocked') return refuse('LOGIN_BLOCKED', undefined, attempt.forS)
  const { answer, isGuess } = attempt.value
  if (!isGuess) await limits.giveBack(attempt.attemptId)
  return answer
}

/** `isGuess`: whether the attempt stays counted. A right proof and a proof that was used before are no guesses. */
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

interface SigningIn {
  readonly id: string
  readonly must_change_password: boolean
  readonly has_devices: boolean
}

async function lockSigningIn(tx: Tx, userId: string, role: Role | null): Promise<SigningIn | undefined> {
  const { rows } = await tx.query<SigningIn & Row>(
    `with locked as materialized (
       select id, must_change_password from users
        where id = $1 and deleted_at is null and role = coalesce($2, role) for update)
     select id, must_change_password, exists (select from known_devices d where d.user_id = locked.id) as has_devices
       from locked`,
    [userId, role],
  )
  return rows[0]
}

async function openSession(tx: Tx, deps: Deps, user: SigningIn, device: Device, origin: Origin) {
  const session = newSession(user.id, origin, device, { isFactorProven: true })
  await tx.query(...OPEN_PROVEN_SESSION({ ...session.values, userId: user.id }))
  if (user.has_devices && !device.isKnown) await notifyOfNewDevice(tx, deps, user.id, session.values.sessionId)
  return { answer: sessionOf(session.token, user, device), isGuess: false }
}

/** Signs a player in by a passkey alone (rules §4.12). An unknown passkey is answered and counted like a wrong one. */
export async function signInByPasskey(
  deps: Deps,
  limits: PasswordLimits,
  { challenge, passkey, deviceSecret }: BodyOf<'signInByPasskey'>,
  origin: Origin,
): Promise<OpenedSession | RefusedBy<'signInByPasskey'>> {
  const { db } = deps
  if (!(await isNobodysStep(db, challenge))) return refuse('FACTOR_STEP_OVER')
  const who = await findPasskeyOwner(db, passkey)
  const device = await deviceOf(db, who === null ? '' : usernameKey(who.username), deviceSecret)
  const counted = { userId: who?.userId ?? '', ip: origin.ip, knownAs: knownDevice(device) }
  const judge = async (tx: Tx): Promise<Judged<OpenedSession | RefusedBy<'signInByPasskey'>> | null> => {
    const user = who === null ? undefined : await lockSigningIn(tx, who.userId, 'player')
    // An unknown passkey also uses up a try of the challenge, so that it can't be distinguished from a wrong one.
    const offered = await offerPasskey(tx, deps, user === undefined ? null : user.id, challenge, passkey)
    if (offered !== 'right') return offered === 'wrong' ? null : notRight[offered]
    return user === undefined ? null : openSession(tx, deps, user, device, origin)
  }
  return guardProof(db, limits, counted, 'PASSKEY_WRONG', judge)
}
