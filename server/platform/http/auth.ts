import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { capabilityWords } from '#contract/capability-words.ts'
import { refusals, type SharedRefusal } from '#contract/refusals.ts'
import {
  type Access,
  type Admission,
  type Capability,
  capabilityOf,
  decideAdmission,
  inOrder,
  type Role,
  type StaffAccess,
  type Subject,
} from '#domain/identity/permissions.ts'
import { createBatcher } from '#server/platform/database/batches.ts'
import type { Queryable, Row, Tx } from '#server/platform/database/db.ts'
import { type Refused, refuse } from './errors.ts'

/**
 * A token is `kp1.` and 64 bytes in base64url: user id, session id, secret. A token is valid only together with the row
 * of its session (rules §4.1), which has the SHA-256 of the secret.
 */
const PREFIX = 'kp1.'
const SECRET_BYTES = 32
const TOKEN_BYTES = 16 + 16 + SECRET_BYTES
const TOKEN_CHARS = PREFIX.length + Math.ceil((TOKEN_BYTES * 8) / 6)

const SESSIONS_READ_TOGETHER = 100

export interface ParsedToken {
  readonly userId: string
  readonly sessionId: string
  readonly secretHash: Uint8Array
}

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

function uuidText(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function issueToken(userId: string, sessionId: string): { token: string; secretHash: Uint8Array } {
  const secret = randomBytes(SECRET_BYTES)
  const ids = Buffer.from(`${userId}${sessionId}`.replaceAll('-', ''), 'hex')
  return { token: PREFIX + Buffer.concat([ids, secret]).toString('base64url'), secretHash: sha256(secret) }
}

export function parseBareToken(token: string): ParsedToken | null {
  if (token.length !== TOKEN_CHARS || !token.startsWith(PREFIX)) return null
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url')
  if (bytes.length !== TOKEN_BYTES) return null
  return { userId: uuidText(bytes, 0), sessionId: uuidText(bytes, 16), secretHash: sha256(bytes.subarray(32)) }
}

export function parseToken(authorization: string | undefined): ParsedToken | null {
  if (authorization === undefined || !/^bearer /i.test(authorization)) return null
  return parseBareToken(authorization.slice('Bearer '.length))
}

export interface SessionRow {
  readonly user_id: string
  readonly secret_hash: Uint8Array
  readonly expires_at: Date
  readonly ended_at: Date | null
}

export function isSessionAlive(row: SessionRow | undefined, token: ParsedToken, nowMs: number): boolean {
  return (
    row !== undefined &&
    row.user_id === token.userId &&
    row.ended_at === null &&
    row.expires_at.getTime() > nowMs &&
    row.secret_hash.length === token.secretHash.length &&
    timingSafeEqual(row.secret_hash, token.secretHash)
  )
}

export interface SubjectRow {
  readonly id: string
  readonly username: string
  readonly role: Role
  readonly capabilities: readonly Capability[]
  readonly is_frozen: boolean
  readonly must_change_password: boolean
}

interface FactorColumns {
  /** If true, most calls are refused until the session proves a second factor or, if there is none, adds one. */
  readonly must_add_factor: boolean
  /** True if `must_add_factor` is true and the account has a second factor. */
  readonly has_factor: boolean
}

const FACTOR_COLUMNS = `s.must_add_factor,
  s.must_add_factor and exists (select from staff_factors f where f.user_id = s.user_id) as has_factor`

export const subjectOf = (row: SubjectRow, sessionId: string, factor?: FactorColumns): Subject => ({
  userId: row.id,
  username: row.username,
  sessionId,
  role: row.role,
  capabilities: row.capabilities,
  isFrozen: row.is_frozen,
  mustChangePassword: row.must_change_password,
  mustAddFactor: factor?.must_add_factor === true && !factor.has_factor,
  mustProveFactor: factor?.must_add_factor === true && factor.has_factor,
})

interface SignedInRow extends Row, SubjectRow, SessionRow, FactorColumns {
  session_id: string
  now: Date
  access_changed_at: Date | null
}

export interface SignedIn {
  readonly subject: Subject
  readonly expiresAtMs: number
  readonly accessChangedAtMs: number | null
}

async function readSessions(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, SignedInRow>> {
  const { rows } = await db.query<SignedInRow>(
    `select u.id, u.username, u.role, u.capabilities, u.is_frozen, u.must_change_password, u.access_changed_at,
            s.id as session_id, s.user_id, s.secret_hash, s.expires_at, s.ended_at, ${FACTOR_COLUMNS},
            clock_timestamp() as now
       from sessions s join users u on u.id = s.user_id
      where s.id = any($1::uuid[]) and u.deleted_at is null`,
    [ids],
    { name: 'signed-in' },
  )
  return new Map(rows.map((row) => [row.session_id, row]))
}

async function readSignedIn(db: Queryable, tokens: readonly ParsedToken[]): Promise<Array<SignedIn | null>> {
  const sessions = await readSessions(
    db,
    tokens.map(({ sessionId }) => sessionId),
  )
  return tokens.map((token) => {
    const row = sessions.get(token.sessionId)
    if (row === undefined || !isSessionAlive(row, token, row.now.getTime())) return null
    return {
      subject: subjectOf(row, token.sessionId, row),
      expiresAtMs: row.expires_at.getTime(),
      accessChangedAtMs: row.access_changed_at?.getTime() ?? null,
    }
  })
}

export async function signedIn(db: Queryable, token: ParsedToken): Promise<SignedIn | null> {
  return (await readSignedIn(db, [token]))[0] ?? null
}

/** Makes the function that returns the subject of a token, null for an invalid token. Reads of sessions are batched. */
export function createAuthenticator(db: Queryable): (token: ParsedToken) => Promise<Subject | null> {
  return createBatcher<ParsedToken, Subject | null>({
    run: async (tokens) => (await readSignedIn(db, tokens)).map((found) => found?.subject ?? null),
    // Each token object is a key of its own, so that any tokens may share a batch.
    keyOf: (token) => token,
    maxSize: SESSIONS_READ_TOGETHER,
    secondLaneFrom: 1,
    retries: 0,
    giveUpAfterMs: 0,
  })
}

export function refuseMissing(missing: readonly Capability[]): Refused<'CAPABILITY_MISSING'> {
  const names = inOrder(missing)
  const refused = refuse('CAPABILITY_MISSING', { missing: names })
  const words = names.map((name) => capabilityWords[name]).join(', ')
  refused.message = `${refusals.CAPABILITY_MISSING.message} (thiếu quyền ${words})`
  return refused
}

export function judgeAdmission(admission: Admission, subject: Subject): Refused<SharedRefusal> | null {
  const refusal = decideAdmission(admission, subject)
  if (refusal !== 'CAPABILITY_MISSING') return refusal === null ? null : refuse(refusal)
  const isStaff = (access: Access | undefined): access is StaffAccess => access?.startsWith('staff') === true
  const needed = [admission.access, admission.asStaff].filter(isStaff).map(capabilityOf)
  return refuseMissing(needed.filter((capability) => capability !== null))
}

/** Refuses an act if a part of it needs a capability that the admin lacks. */
export function judgeParts(needed: readonly Capability[], subject: Subject): Refused<'CAPABILITY_MISSING'> | null {
  const missing = needed.filter((capability) => !subject.capabilities.includes(capability))
  return missing.length === 0 ? null : refuseMissing(missing)
}

/** Checks session and access again during a long act, such as sending a file to a slow client. */
export async function judgeAgain(
  db: Queryable,
  admission: Admission,
  { sessionId }: Subject,
): Promise<Refused<SharedRefusal> | null> {
  const row = (await readSessions(db, [sessionId])).get(sessionId)
  if (row === undefined || row.ended_at !== null || row.expires_at <= row.now) return refuse('UNAUTHORIZED')
  return judgeAdmission(admission, subjectOf(row, sessionId, row))
}

const FRESH_MINUTES = 15

/**
 * Returns whether a second factor was proven in this session within 15 minutes (rules §4.10). A player's sign-in counts
 * as a proof. True for an admin without a factor: `decideAccess` judges whether one is required.
 */
export async function isFactorFresh(q: Queryable, { userId, sessionId, role }: Subject): Promise<boolean> {
  const { rows } = await q.query<{ is_fresh: boolean; has_some: boolean }>(
    `select coalesce(case when $3 then greatest(factor_at, created_at) else factor_at end
                       > clock_timestamp() - ${FRESH_MINUTES} * interval '1 minute', false) as is_fresh,
            exists (select from staff_factors where user_id = $2) as has_some
       from sessions where id = $1`,
    [sessionId, userId, role === 'player'],
    { name: 'fresh-factor' },
  )
  return rows[0]?.is_fresh === true || (role === 'admin' && rows[0]?.has_some === false)
}

interface LockedRow extends Row, SubjectRow {
  deleted_at: Date | null
}

/**
 * Locks the rows of the subject and of other users `for update` in the order of their ids, then the subject's session
 * `for share` (rules §3.9), and judges the subject's access again (rules §4.1).
 */
export async function lockSubject(
  tx: Tx,
  subject: Subject,
  access: Access | Admission,
  otherUserIds: readonly string[] = [],
): Promise<Subject | Refused<SharedRefusal>> {
  const users = await tx.query<LockedRow>(
    `select id, username, role, capabilities, is_frozen, must_change_password, deleted_at from users
      where id = any($1::uuid[]) order by id for update`,
    [[subject.userId, ...otherUserIds]],
  )
  const sessions = await tx.query<Row & FactorColumns>(
    // The clock is read in the outer query, after the wait for the lock. In `s`, it would be read before the wait.
    `with s as materialized (select user_id, ended_at, expires_at, must_add_factor from sessions where id = $1 for share)
      select ${FACTOR_COLUMNS} from s where ended_at is null and expires_at > clock_timestamp()`,
    [subject.sessionId],
  )
  const row = users.rows.find((user) => user.id === subject.userId)
  if (row === undefined || row.deleted_at !== null || sessions.rowCount === 0) return refuse('UNAUTHORIZED')
  const current = subjectOf(row, subject.sessionId, sessions.rows[0])
  const refused = judgeAdmission(typeof access === 'string' ? { access } : access, current)
  if (refused !== null) return refused
  const isStale = subject.needsFreshFactor === true && !(await isFactorFresh(tx, current))
  return isStale ? refuse('FACTOR_REQUIRED') : current
}

/** Refuses an id in `userId`, `author` or `currentUserId` that is not the subject's own (rules §4.3). */
export const refuseOtherUser = (
  subject: Subject,
  ...claimedIds: readonly (string | undefined)[]
): Refused<'FORBIDDEN'> | null =>
  claimedIds.every((id) => id === undefined || id.toLowerCase() === subject.userId) ? null : refuse('FORBIDDEN')
