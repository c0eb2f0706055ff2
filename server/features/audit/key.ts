import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Database } from '#server/platform/database/db.ts'
import { readKeyFile, readOrCreateKeyFile } from '#server/platform/process/key-file.ts'

/** Thrown if the audit key is missing, malformed, or not the key of this database. The message is for the operator. */
export class AuditKeyError extends Error {
  override readonly name = 'AuditKeyError'
}

const KEY_BYTES = 32
const FILE = 'audit.key'

/**
 * Returns the key that signs the audit log: the SHA-256 of `auditKey` or, if that is null, the key in a file in
 * `dataDir`. The key is not in the database, so that access to the database alone does not let anybody sign.
 * @throws AuditKeyError if the file holds no key, or is missing and `create` is false
 */
export function loadAuditKey(auditKey: string | null, dataDir: string, create: boolean): Uint8Array {
  if (auditKey !== null) return createHash('sha256').update(auditKey).digest()
  const path = join(dataDir, FILE)
  const text = create ? readOrCreateKeyFile(path, () => randomBytes(KEY_BYTES).toString('hex')) : readKeyFile(path)
  if (text === null)
    throw new AuditKeyError(
      `Set AUDIT_KEY, or DATA_DIR to the folder of the server: ${dataDir} has no ${FILE}, and none was made.`,
    )
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new AuditKeyError(`${path} is not a key of the audit log: restore it from a backup`)
  return Buffer.from(text, 'hex')
}

let key: Uint8Array | null = null

export function auditKey(): Uint8Array {
  if (key === null) throw new Error('The audit log was not opened: call openAuditLog first')
  return key
}

/** Returns a keyed digest (HMAC) of a secret: the digest is stored, and later compared, in place of the secret. */
export const secretMark = (text: string): string => createHmac('sha256', auditKey()).update(text).digest('hex')

/** Derives a 32-byte key for another purpose from the audit key (HKDF, RFC 5869). */
export const derivedKey = (purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', auditKey(), new Uint8Array(), purpose, KEY_BYTES))

export async function isAuditLogNew(db: Database): Promise<boolean> {
  const { rows } = await db.query<{ is_new: boolean }>('select key_mark is null as is_new from audit_tip')
  return rows[0]?.is_new === true
}

/**
 * Opens the log for signing with this key. The first call for a database stores a mark of the key, an HMAC.
 * @throws AuditKeyError if the stored mark is that of another key
 */
export async function openAuditLog(db: Database, opened: Uint8Array): Promise<void> {
  const mark = createHmac('sha256', opened).update('audit key mark').digest()
  await db.query('update audit_tip set key_mark = $1 where key_mark is null', [mark])
  const { rows } = await db.query<{ key_mark: Uint8Array }>('select key_mark from audit_tip')
  if (rows[0] === undefined || Buffer.compare(rows[0].key_mark, mark) !== 0)
    throw new AuditKeyError('AUDIT_KEY: the audit log was begun with another key; set that one (or restore audit.key)')
  key = opened
}
