import type { FACTOR_WAYS } from '#contract/sign-in.ts'
import type { Queryable, Tx } from '#server/platform/database/db.ts'
import { type Refused, refuse } from '#server/platform/http/errors.ts'
import {
  type Challenge,
  closeChallenge,
  giveTryBack,
  NOBODY,
  openChallenge,
  openNobodysChallenge,
  type Purpose,
  takeTry,
} from './challenges.ts'
import { passkeyRequest, readPasskeyUse } from './passkeys.ts'
import type { FactorDeps, Proven } from './ports.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { unseal } from './seal.ts'
import { stepOf } from './totp.ts'

export interface Proof {
  readonly code?: string | undefined
  readonly recoveryCode?: string | undefined
  /** WebAuthn's AuthenticationResponseJSON. */
  readonly passkey?: unknown
}

type FactorRow = {
  id: string
  kind: 'totp' | 'passkey'
  sealedSecret: Uint8Array | null
  lastStep: bigint | null
  credentialId: string | null
  publicKey: Uint8Array | null
  signCount: bigint | null
  transports: string[]
}

const FACTORS = `select id, kind, sealed_secret as "sealedSecret", last_step as "lastStep", credential_id as "credentialId",
    public_key as "publicKey", sign_count as "signCount", coalesce(transports, '{}') as transports
  from staff_factors where user_id = $1`

/** Opens a challenge, and lists the ways to prove a factor. Returns null if `openChallenge` returns null. */
export async function beginProof(
  db: Queryable,
  { settings }: FactorDeps,
  purpose: Extract<Purpose, 'sign-in' | 'proof'>,
  who: { readonly userId: string; readonly sessionId: string | null; readonly passwordHash: string | null },
): Promise<{ challenge: string; ways: (typeof FACTOR_WAYS)[number][]; passkeyOptions: unknown } | null> {
  const { rows } = await db.query<FactorRow>(`${FACTORS} order by created_at`, [who.userId])
  const passkeys = rows.flatMap(({ credentialId, transports }) =>
    credentialId === null ? [] : [{ credentialId, transports }],
  )
  const options =
    settings.publicOrigin === null || passkeys.length === 0
      ? null
      : await passkeyRequest(settings.publicOrigin, passkeys)
  const challenge = await openChallenge(db, { ...who, purpose, webauthnChallenge: options?.challenge ?? null })
  if (challenge === null) return null
  const ways: (typeof FACTOR_WAYS)[number][] = []
  if (options !== null) ways.push('passkey')
  if (rows.some(({ kind }) => kind === 'totp')) ways.push('totp')
  return { challenge, ways: [...ways, 'recovery'], passkeyOptions: options }
}

/**
 * Checks a proof, and ends the challenge if the proof is right. Returns `over` if no such challenge is open, and
 * `repeated` if this same proof has already ended the challenge. The caller has locked the user, and commits also after
 * a wrong proof, so that the try counts.
 */
export async function offerProof(
  tx: Tx,
  deps: FactorDeps,
  step: { readonly challenge: string; readonly purpose: Purpose; readonly sessionId: string | null },
  { code, recoveryCode, passkey }: Proof,
): Promise<Proven | 'over' | 'repeated'> {
  const proof = { code, recoveryCode, passkey }
  const taken = await takeTry(tx, step.challenge, step.purpose, step.sessionId, proof)
  if (taken === null) return 'over'
  if (taken === 'repeated') return taken
  const proven = await proveFactor(tx, deps, taken, proof)
  if (proven === 'right') await closeChallenge(tx, taken, step.challenge, proof)
  if (proven === 'used') await giveTryBack(tx, taken)
  return proven
}

async function proveFactor(
  tx: Tx,
  { settings, clock }: FactorDeps,
  challenge: Challenge,
  { code, recoveryCode, passkey }: Proof,
): Promise<Proven> {
  const { userId, webauthnChallenge } = challenge
  if (recoveryCode !== undefined) return useRecoveryCode(tx, userId, recoveryCode)
  const { rows } = await tx.query<FactorRow>(`${FACTORS} order by id for update`, [userId])
  if (code !== undefined) {
    let isUsed = false
    for (const row of rows) {
      if (row.sealedSecret === null) continue
      const step = stepOf(unseal(row.sealedSecret, userId), code, clock.now())
      if (step === null) continue
      // The code of the last used step, or of an earlier step, is refused: somebody may have read it on the screen.
      if (row.lastStep !== null && row.lastStep >= step) {
        isUsed = true
        continue
      }
      await tx.query(`update staff_factors set last_step = $2, last_used_at = clock_timestamp() where id = $1`, [
        row.id,
        step,
      ])
      return 'right'
    }
    return isUsed ? 'used' : 'wrong'
  }
  const row = rows.find((factor) => factor.credentialId !== null && factor.credentialId === credentialIdOf(passkey))
  return usePasskey(tx, settings, row, webauthnChallenge, passkey, false)
}

const credentialIdOf = (passkey: unknown): string | null => {
  const id = (passkey as { readonly id?: unknown } | undefined)?.id
  return typeof id === 'string' ? id : null
}

async function usePasskey(
  tx: Tx,
  settings: FactorDeps['settings'],
  row: FactorRow | undefined,
  webauthnChallenge: string | null,
  passkey: unknown,
  isAlone: boolean,
): Promise<'right' | 'wrong'> {
  if (!row?.credentialId || !row.publicKey || settings.publicOrigin === null || webauthnChallenge === null)
    return 'wrong'
  const signCount = await readPasskeyUse(
    settings.publicOrigin,
    webauthnChallenge,
    { ...row, credentialId: row.credentialId, publicKey: row.publicKey, signCount: Number(row.signCount) },
    passkey,
    isAlone,
  )
  if (signCount === null) return 'wrong'
  await tx.query(`update staff_factors set sign_count = $2, last_used_at = clock_timestamp() where id = $1`, [
    row.id,
    signCount,
  ])
  return 'right'
}

/** Begins a sign-in by passkey alone. The client names no account, so nobody learns which accounts have passkeys. */
export async function beginPasskeySignIn(
  db: Queryable,
  { settings: { publicOrigin } }: FactorDeps,
): Promise<{ challenge: string; options: unknown } | Refused<'PASSKEYS_OFF'>> {
  if (publicOrigin === null) return refuse('PASSKEYS_OFF')
  const options = await passkeyRequest(publicOrigin)
  return { challenge: await openNobodysChallenge(db, options.challenge), options }
}

/** Returns the player who owns a passkey. An admin's passkey, which opens nothing by itself, counts as unknown. */
export async function findPasskeyOwner(db: Queryable, passkey: unknown) {
  const { rows } = await db.query<{ userId: string; username: string }>(
    `select u.id as "userId", u.username from staff_factors f join users u on u.id = f.user_id
      where f.credential_id = $1 and u.role = 'player' and u.deleted_at is null`,
    [credentialIdOf(passkey)],
  )
  return rows[0] ?? null
}

/** Like `offerProof`, for a passkey that opens the account by itself; `userId` is null for an unknown passkey. */
export async function offerPasskey(
  tx: Tx,
  { settings }: FactorDeps,
  userId: string | null,
  challenge: string,
  passkey: unknown,
): Promise<'right' | 'wrong' | 'over' | 'repeated'> {
  const taken = await takeTry(tx, challenge, 'sign-in', null, { passkey })
  if (taken === 'repeated') return taken
  if (taken?.userId !== NOBODY) return 'over'
  const { rows } = await tx.query<FactorRow>(`${FACTORS} and credential_id = $2 for update`, [
    userId,
    credentialIdOf(passkey),
  ])
  const proven = await usePasskey(tx, settings, rows[0], taken.webauthnChallenge, passkey, true)
  if (proven === 'right') await closeChallenge(tx, taken, challenge, { passkey })
  return proven
}
