import { hash, randomBytes } from 'node:crypto'
import type { Queryable, Tx } from '#server/platform/database/db.ts'
import { sql } from '#server/platform/database/sql.ts'

/**
 * A browser, recognised by a secret that the browser keeps and that opens nothing by itself. A user's failed attempts
 * on a known device are counted apart from the attempts made elsewhere (rules §4.7).
 */
export interface Device {
  readonly secret: string
  readonly secretHash: Uint8Array
  readonly isKnown: boolean
}

const SECRET_BYTES = 32
/** The form of a secret: 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/

/**
 * Number of devices kept per user. If there are more, the one that was unused for the longest time is deleted. The
 * oldest device is never deleted, because the first factor can be taken back only on it (rules §4.10). Otherwise,
 * somebody who knows only the password could push the oldest device out by many sign-ins.
 */
const KEPT_DEVICES = 20

const sha256 = (secret: string): Uint8Array => hash('sha256', Buffer.from(secret, 'base64url'), 'buffer')

export const deviceHashOf = (sent: string | undefined): Uint8Array | null =>
  sent !== undefined && SECRET.test(sent) ? sha256(sent) : null

/**
 * Returns a browser's device. A sent secret that is stored for any user is kept. A missing or unknown secret is
 * replaced by a new one.
 */
export async function deviceOf(db: Queryable, userKey: string, sent: string | undefined): Promise<Device> {
  const secretHash = deviceHashOf(sent)
  if (sent !== undefined && secretHash !== null) {
    const { rows } = await db.query<{ is_known: boolean | null }>(
      `select bool_or(u.username_key = $1 and u.deleted_at is null) as is_known
         from known_devices d join users u on u.id = d.user_id where d.secret_hash = $2`,
      [userKey, secretHash],
    )
    const isKnown = rows[0]?.is_known ?? null
    if (isKnown !== null) return { secret: sent, secretHash, isKnown }
  }
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { secret, secretHash: sha256(secret), isKnown: false }
}

/** SQL CTEs that store the device for each user of the CTE `u`, and delete the user's devices above KEPT_DEVICES. */
export const REMEMBER_DEVICE = sql`remembered as (
     insert into known_devices (secret_hash, user_id) select ${'deviceHash'}::bytea, id from u
     on conflict (secret_hash, user_id) do update set seen_at = clock_timestamp()),
   too_many as (
     delete from known_devices where (secret_hash, user_id) in (
       select d.secret_hash, d.user_id from known_devices d join u on d.user_id = u.id
        where d.secret_hash <> ${'deviceHash'}::bytea
        order by d.created_at = (select min(e.created_at) from known_devices e where e.user_id = u.id) desc,
          d.seen_at desc offset ${KEPT_DEVICES - 1}))`

export async function forgetOtherDevices(tx: Tx, userId: string, keptHash: Uint8Array | null): Promise<void> {
  await tx.query(`delete from known_devices where user_id = $1 and secret_hash is distinct from $2::bytea`, [
    userId,
    keptHash,
  ])
}
