import { createHmac, randomBytes } from 'node:crypto'
import { concatBytes } from '#domain/book/bytes.ts'
import type { BookAct } from '#domain/book/entry.ts'
import { SALT_BYTES } from '#domain/book/opening.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { sha256 } from './key.ts'
import { queueEntries } from './queue.ts'

interface FactsOfAct {
  readonly roundId?: string
  /** Time of the act, Unix ms. If absent, the database takes the time at which the entry is queued. */
  readonly atMs?: number
  readonly betIndex?: number | null
  readonly amountMinor?: bigint
  /**
   * The log gets only a commitment to the text: SHA-256(salt ‖ text). The salt is stored under `ref`: the id of a
   * transfer, `user:<id>` or `proposal:<id>`. For a later act on a proposal, `:confirm` or `:end` is added.
   */
  readonly reason?: { readonly text: string; readonly ref: string } | null
}

/** @param actorId the admin; null for the system */
export async function queueAct(
  tx: Tx,
  act: BookAct,
  actorId: string | null,
  { roundId, atMs, betIndex, amountMinor, reason }: FactsOfAct = {},
): Promise<void> {
  const actor = actorId === null ? null : await pseudonymOf(tx, actorId)
  const c = reason == null ? null : await commitToReason(tx, reason.text, reason.ref)
  const amount = amountMinor === undefined ? null : Number(amountMinor)
  const fields = { act, actor, round: roundId ?? null, bet: betIndex ?? null, amount, c }
  await queueEntries(tx, [{ kind: 'act', fields, ...(atMs === undefined ? {} : { atMs }) }])
}

async function commitToReason(tx: Tx, text: string, ref: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const commitment = sha256(concatBytes(salt, Buffer.from(text, 'utf8')))
  await tx.query('insert into book_reasons (commitment, salt, ref) values ($1, $2, $3)', [commitment, salt, ref])
  return Buffer.from(commitment).toString('base64')
}

const PSEUDONYM_BYTES = 9

/** Returns an admin's pseudonym in the log: 9 bytes of an HMAC, as base64 (docs/open-book.md §2, act). */
async function pseudonymOf(tx: Tx, adminId: string): Promise<string> {
  const mac = createHmac('sha256', await readSecret(tx))
    .update(adminId)
    .digest()
  return mac.subarray(0, PSEUDONYM_BYTES).toString('base64')
}

async function readSecret(tx: Tx): Promise<Uint8Array> {
  const read = async () => (await tx.query<{ secret: Uint8Array }>('select secret from book_secret')).rows[0]?.secret
  const known = await read()
  if (known !== undefined) return known
  // If two transactions insert a secret, the later one waits here until the earlier one has ended.
  await tx.query('insert into book_secret (secret) values ($1) on conflict do nothing', [randomBytes(32)])
  const made = await read()
  if (made === undefined) throw new Error('The open book has lost its secret')
  return made
}
