import { hash, randomBytes } from 'node:crypto'
import type { Database, Queryable, Row, Tx } from '#server/platform/database/db.ts'
import { deleteInBatches } from '#server/platform/database/delete-in-batches.ts'

export type Purpose = 'sign-in' | 'proof' | 'add-totp' | 'add-passkey'

export interface Challenge {
  readonly secretHash: Uint8Array
  readonly userId: string
  /** The session that the challenge belongs to; null for a sign-in. */
  readonly sessionId: string | null
  readonly webauthnChallenge: string | null
  readonly sealedSecret: Uint8Array | null
}

/** User id of a challenge that belongs to no user yet, as in a sign-in by passkey alone. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

const LIVES_S = 300
/** A challenge allows this many tries. The limits on failures (rules §4.7) count over all challenges of an account. */
const TRIES = 5
const SECRET_BYTES = 32
const SECRET = /^[\w-]{43}$/

const sha256 = (secret: string): Uint8Array => hash('sha256', Buffer.from(secret, 'base64url'), 'buffer')
const hashOf = (sent: string): Uint8Array | null => (SECRET.test(sent) ? sha256(sent) : null)

/** Hashes a proof with the challenge's secret, to recognise a repeat: a code could be guessed from its hash alone. */
const proofHashOf = (sent: string, proof: object): Uint8Array =>
  hash('sha256', `${sent} ${JSON.stringify(proof)}`, 'buffer')

/**
 * Opens a challenge and returns its secret, which the client sends back with a proof. Returns null if the user is
 * deleted, or if `passwordHash`, against which the sign-in's password was verified, is not the user's any more.
 */
export async function openChallenge(
  db: Queryable,
  step: {
    readonly purpose: Purpose
    readonly userId: string
    readonly sessionId: string | null
    readonly passwordHash?: string | null
    readonly webauthnChallenge?: string | null
    readonly sealedSecret?: Uint8Array | null
  },
): Promise<string | null> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const { rowCount } = await db.query(
    `with u as materialized (
       select id, password_hash from users where id = $3 and deleted_at is null for share)
     insert into factor_challenges (secret_hash, purpose, user_id, session_id, webauthn_challenge, sealed_secret, expires_at)
     select $1, $2, u.id, $4, $5, $6, clock_timestamp() + ${LIVES_S} * interval '1 second'
       from u where $7::text is null or u.password_hash = $7`,
    [
      sha256(secret),
      step.purpose,
      step.userId,
      step.sessionId,
      step.webauthnChallenge ?? null,
      step.sealedSecret ?? null,
      step.passwordHash ?? null,
    ],
  )
  return rowCount === 1 ? secret : null
}

/** Opens a challenge for a sign-in by passkey alone: the user is not known yet. */
export async function openNobodysChallenge(db: Queryable, webauthnChallenge: string): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await db.query(
    `insert into factor_challenges (secret_hash, purpose, user_id, webauthn_challenge, expires_at)
     values ($1, 'sign-in', $2, $3, clock_timestamp() + ${LIVES_S} * interval '1 second')`,
    [sha256(secret), NOBODY, webauthnChallenge],
  )
  return secret
}

export async function isNobodysStep(db: Queryable, sent: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from factor_challenges where secret_hash = $1 and user_id = $2 and expires_at > clock_timestamp()`,
    [hashOf(sent), NOBODY],
  )
  return rowCount === 1
}

export async function findChallenge(db: Queryable, sent: string): Promise<{ userId: string; username: string } | null> {
  const { rows } = await db.query<{ userId: string; username: string }>(
    `select u.id as "userId", u.username from factor_challenges c join users u on u.id = c.user_id
      where c.secret_hash = $1 and c.purpose = 'sign-in' and c.tries < ${TRIES} and c.proof_hash is null
        and c.expires_at > clock_timestamp() and u.deleted_at is null`,
    [hashOf(sent)],
  )
  return rows[0] ?? null
}

/**
 * Counts a try of a challenge, and locks and returns the challenge. Returns `repeated` if this same proof has ended the
 * challenge; null if the challenge is unknown, expired, ended by another proof, out of tries, or of another session or
 * purpose. The caller has locked the user, if known, and commits even if the proof is wrong, so that the try counts.
 */
export async function takeTry(
  tx: Tx,
  sent: string,
  purpose: Purpose,
  sessionId: string | null,
  proof: object,
): Promise<Challenge | 'repeated' | null> {
  const { rows } = await tx.query<Challenge & Row>(
    `update factor_challenges set tries = tries + 1
      where secret_hash = $1 and purpose = $2 and session_id is not distinct from $3::uuid
        and tries < ${TRIES} and proof_hash is null and expires_at > clock_timestamp()
     returning secret_hash as "secretHash", user_id as "userId", session_id as "sessionId",
       webauthn_challenge as "webauthnChallenge", sealed_secret as "sealedSecret"`,
    [hashOf(sent), purpose, sessionId],
  )
  if (rows[0] !== undefined) return rows[0]
  const { rowCount } = await tx.query(
    `select 1 from factor_challenges
      where secret_hash = $1 and purpose = $2 and session_id is not distinct from $3::uuid and proof_hash = $4`,
    [hashOf(sent), purpose, sessionId, proofHashOf(sent, proof)],
  )
  return rowCount === 1 ? 'repeated' : null
}

/** Reverts the count of a try whose code is `used`: such a code does not count as a guess (rules §4.10). */
export async function giveTryBack(tx: Tx, { secretHash }: Challenge): Promise<void> {
  await tx.query(`update factor_challenges set tries = tries - 1 where secret_hash = $1`, [secretHash])
}

/** Ends a challenge that succeeded. Its row stays until the challenge expires, to recognise the same proof again. */
export async function closeChallenge(tx: Tx, { secretHash }: Challenge, sent: string, proof: object): Promise<void> {
  await tx.query(`update factor_challenges set proof_hash = $2 where secret_hash = $1`, [
    secretHash,
    proofHashOf(sent, proof),
  ])
}

/** Deletes all challenges of a user. The caller has locked the user's row. */
export async function dropChallenges(tx: Tx, userId: string): Promise<void> {
  await tx.query(`delete from factor_challenges where user_id = $1`, [userId])
}

export const forgetOldChallenges = (db: Database): Promise<number> =>
  deleteInBatches(db, 'delete from factor_challenges', 'secret_hash', 'expires_at < clock_timestamp()')
