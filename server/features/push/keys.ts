import { createECDH } from 'node:crypto'
import type { Database } from '#server/platform/database/db.ts'

/** The key pair and the contact by which push services recognise this server (RFC 8292). */
export interface PushKeys {
  /** Base64url, 65 bytes: an uncompressed point of P-256. Browsers subscribe with it. */
  readonly publicKey: string
  /** Base64url, 32 bytes. */
  readonly privateKey: string
  /** A mailto: or https: address (RFC 8292 §2.1). */
  readonly contact: string
}

/** The contact if the operator has set none. A push service may refuse this contact (docs/operations/people.md). */
const NO_CONTACT = 'https://kim-phien.invalid'

const CURVE = 'prime256v1'

/**
 * Returns the installation's key pair: from VAPID_PRIVATE_KEY if set, otherwise from a key in the database, which is
 * made if there is none. If the key changes, browsers must subscribe again.
 */
export async function readPushKeys(
  db: Database,
  settings: {
    readonly vapidPrivateKey: string | null
    readonly vapidSubject: string | null
    readonly supportContact: string
  },
): Promise<PushKeys> {
  const privateKey = settings.vapidPrivateKey ?? (await readStoredKey(db))
  const ecdh = createECDH(CURVE)
  ecdh.setPrivateKey(privateKey, 'base64url')
  const contact = settings.vapidSubject ?? contactIn(settings.supportContact) ?? NO_CONTACT
  return { publicKey: ecdh.getPublicKey('base64url'), privateKey, contact }
}

async function readStoredKey(db: Database): Promise<string> {
  const ecdh = createECDH(CURVE)
  ecdh.generateKeys()
  // getPrivateKey leaves out zero bytes at the beginning of a private key, which are added again here.
  const fresh = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')
  await db.query('insert into push_keys (private_key) values ($1) on conflict do nothing', [fresh])
  const { rows } = await db.query<{ private_key: string }>('select private_key from push_keys')
  if (rows[0] === undefined) throw new Error('The installation has no key for pushes.')
  return rows[0].private_key
}

function contactIn(text: string): string | null {
  const trimmed = text.trim()
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(trimmed)) return `mailto:${trimmed}`
  return /^(https:\/\/|mailto:)\S+$/.test(trimmed) && URL.canParse(trimmed) ? trimmed : null
}
