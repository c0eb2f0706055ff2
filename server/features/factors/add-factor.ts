import type { Role, Subject } from '#domain/identity/permissions.ts'
import type { Queryable, Tx } from '#server/platform/database/db.ts'
import { type Refused, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { type Challenge, dropChallenges, openChallenge } from './challenges.ts'
import { type Passkey, passkeyCreation, readNewPasskey } from './passkeys.ts'
import type { FactorDeps } from './ports.ts'
import { newRecoveryCodes } from './recovery-codes.ts'
import { seal, unseal } from './seal.ts'
import { describeTotp, newTotpSecret, stepOf } from './totp.ts'

const FACTORS_MAX = 10

type Adding = Pick<Subject, 'userId' | 'role' | 'username' | 'sessionId'>

export async function beginAddingTotp(
  db: Queryable,
  { settings }: FactorDeps,
  { userId, username, sessionId }: Adding,
): Promise<{ challenge: string; secret: string; uri: string } | Refused<'UNAUTHORIZED'>> {
  const secret = newTotpSecret()
  const sealedSecret = seal(secret, userId)
  const challenge = await openChallenge(db, { purpose: 'add-totp', userId, sessionId, sealedSecret })
  return challenge === null
    ? refuse('UNAUTHORIZED')
    : { challenge, ...describeTotp(secret, settings.teamName, username) }
}

export async function beginAddingPasskey(
  db: Queryable,
  { settings: { publicOrigin, teamName } }: FactorDeps,
  { userId, username, role, sessionId }: Adding,
): Promise<{ challenge: string; options: unknown } | Refused<'UNAUTHORIZED' | 'PASSKEYS_OFF'>> {
  if (publicOrigin === null) return refuse('PASSKEYS_OFF')
  const { rows: existing } = await db.query<Pick<Passkey, 'credentialId' | 'transports'>>(
    `select credential_id as "credentialId", coalesce(transports, '{}') as transports
       from staff_factors where user_id = $1 and kind = 'passkey'`,
    [userId],
  )
  const options = await passkeyCreation(publicOrigin, teamName, { id: userId, username }, existing, role === 'player')
  const step = { purpose: 'add-passkey', userId, sessionId, webauthnChallenge: options.challenge } as const
  const challenge = await openChallenge(db, step)
  return challenge === null ? refuse('UNAUTHORIZED') : { challenge, options }
}

/** A new factor's name, and its proof: the authenticator app's first code or WebAuthn's RegistrationResponseJSON. */
export type NewFactor = { readonly name: string } & ({ readonly code: string } | { readonly passkey: unknown })

/**
 * Adds a factor if its proof is right. An admin's first factor comes with recovery codes, and ends all pending
 * challenges, since these were opened while a password alone was enough (rules §4.10). A player gets no recovery codes
 * (rules §4.12). The caller has locked the user's row and the challenge.
 */
export async function addFactor(
  tx: Tx,
  { settings, clock }: FactorDeps,
  { userId, sessionId, webauthnChallenge, sealedSecret }: Challenge,
  added: NewFactor,
  role: Role,
): Promise<
  | { readonly kind: 'totp' | 'passkey'; readonly recoveryCodes: string[] | null }
  | Refused<'FACTOR_WRONG' | 'TOO_MANY_FACTORS'>
> {
  const { rowCount: count } = await tx.query(`select 1 from staff_factors where user_id = $1`, [userId])
  if (count >= FACTORS_MAX) return refuse('TOO_MANY_FACTORS')
  const kind = 'code' in added ? 'totp' : 'passkey'
  if ('code' in added) {
    const step = sealedSecret === null ? null : stepOf(unseal(sealedSecret, userId), added.code, clock.now())
    if (step === null) return refuse('FACTOR_WRONG')
    await tx.query(
      `insert into staff_factors (id, user_id, kind, name, added_in, sealed_secret, last_step, last_used_at)
       values ($1, $2, 'totp', $3, $4, $5, $6, clock_timestamp())`,
      [newId(), userId, added.name, sessionId, sealedSecret, step],
    )
  } else {
    const passkey: Passkey | null =
      settings.publicOrigin === null || webauthnChallenge === null
        ? null
        : await readNewPasskey(settings.publicOrigin, webauthnChallenge, added.passkey, role === 'player')
    if (passkey === null) return refuse('FACTOR_WRONG')
    const inserted = await tx.query(
      `insert into staff_factors (id, user_id, kind, name, added_in, credential_id, public_key, sign_count, transports,
         last_used_at)
       values ($1, $2, 'passkey', $3, $4, $5, $6, $7, $8, clock_timestamp()) on conflict (credential_id) do nothing`,
      [
        newId(),
        userId,
        added.name,
        sessionId,
        passkey.credentialId,
        passkey.publicKey,
        passkey.signCount,
        [...passkey.transports],
      ],
    )
    if (inserted.rowCount === 0) return refuse('FACTOR_WRONG')
  }
  if (count > 0 || role === 'player') return { kind, recoveryCodes: null }
  await dropChallenges(tx, userId)
  return { kind, recoveryCodes: await newRecoveryCodes(tx, userId) }
}
