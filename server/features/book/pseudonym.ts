import { createHmac, randomBytes } from 'node:crypto'
import type { Tx } from '#server/platform/database/db.ts'

const PSEUDONYM_BYTES = 9

/**
 * The name by which the log calls an admin, 12 characters of base64 (docs/open-book.md §2, act): the same for all acts
 * of one person, and nobody without the database learns whose it is.
 */
export async function pseudonymOf(tx: Tx, adminId: string): Promise<string> {
  const mac = createHmac('sha256', await readSecret(tx))
    .update(adminId)
    .digest()
  return mac.subarray(0, PSEUDONYM_BYTES).toString('base64')
}

/** The secret of this installation, made by the first act. */
async function readSecret(tx: Tx): Promise<Uint8Array> {
  const read = async () => (await tx.query<{ secret: Uint8Array }>('select secret from book_secret')).rows[0]?.secret
  const known = await read()
  if (known !== undefined) return known
  // Of two first acts the second waits here, and then reads what the first has made.
  await tx.query('insert into book_secret (secret) values ($1) on conflict do nothing', [randomBytes(32)])
  const made = await read()
  if (made === undefined) throw new Error('The open book has lost its secret')
  return made
}
